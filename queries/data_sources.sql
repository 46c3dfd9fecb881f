-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   data_sources
-- summary: Data sources of accesses: cache level or memory, snoop, TLB, lock, delay (hardware samplers).
-- param:   by - one row per function (default), line, object (default if object is set), thread or run
-- values:  by function, line, object, thread, run
-- param:   question - property of the access: level (default), snoop, tlb, lock, blocked
-- values:  question level, snoop, tlb, lock, blocked
-- param:   function - only this function: its name, with or without its arguments
-- with:    function by function, line
-- without: function object
-- param:   object - only this object: its id or name
-- with:    object by object
-- param:   top 50 rows at most
-- column:  name        name of the function, object or thread; [no object]: samples without an object
-- column:  file        source file of the line
-- column:  line        source line
-- column:  answer      the hardware's answer to the question, such as the cache level that served the access
-- column:  samples     number of samples
-- column:  estimate    number of accesses that the samples represent (Σ period)
-- column:  pct         share among the samples that have an answer, by Σ period, 0-100
-- column:  low         lower bound of pct: samples without an answer do not count in this row; lower end of the 95 % interval
-- column:  high        upper bound of pct: all samples without an answer count in this row; upper end of the 95 % interval
-- column:  known_pct   coverage: share of samples with an answer, 0-100
-- column:  latency     mean latency, core cycles
SELECT
  CASE d.scope
    WHEN 'run' THEN 'run'
    WHEN 'object' THEN coalesce(o.name, '[no object]')
    WHEN 'thread' THEN coalesce(t.comm, '') || coalesce(' ' || t.tid, '')
    ELSE d.function
  END AS name,
  d.file AS file,
  d.line AS line,
  d.answer AS answer,
  d.samples AS samples,
  CAST(d.estimate AS INTEGER) AS estimate,
  round(d.share_pct, 1) AS pct,
  round(d.share_low_pct, 1) AS low,
  round(d.share_high_pct, 1) AS high,
  round(d.known_pct, 1) AS known_pct,
  round(d.latency_avg, 1) AS latency
FROM data_sources AS d
LEFT JOIN objects AS o ON o.id = d.object_id
LEFT JOIN threads AS t ON t.id = d.thread_id
WHERE d.scope = coalesce(:by, iif(:object IS NULL, 'function', 'object')) AND d.question = coalesce(:question, 'level')
  AND (:function IS NULL OR :function IN (d.function, substr(d.function, 1, instr(d.function, '(') - 1)))
  AND (:object IS NULL OR d.object_id = :object OR o.name = :object)
ORDER BY sum(d.cost) OVER (PARTITION BY d.function, d.symbol, d.file, d.line, d.object_id, d.thread_id) DESC,
  sum(d.estimate) OVER (PARTITION BY d.function, d.symbol, d.file, d.line, d.object_id, d.thread_id) DESC, name, d.file, d.line, d.estimate DESC, d.answer
LIMIT coalesce(:top, 50);
