-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   sharing
-- summary: Cache lines that several threads use in overlapping periods while at least one of them writes: true or false sharing.
-- param:   by - rows: cache_line (default) or object
-- values:  by cache_line, object
-- param:   object - only this object: its id or name
-- param:   top 30 rows at most
-- column:  object_id  objects.id
-- column:  object     name of the object
-- column:  address    by=cache_line: address of the cache line
-- column:  sharing    true: threads use the same bytes; false: only different bytes of the line
-- column:  cache_lines  by=object: cache lines
-- column:  threads    threads that use the line; by=object: the most of one line
-- column:  writers    by=cache_line: threads that write
-- column:  objects    by=cache_line: different objects in the line
-- column:  drawn      number of drawn samples: all samples or, of very many, an evenly drawn part
-- column:  drawn_stores by=cache_line: drawn samples that write
-- column:  pct        by=object: share of the object's drawn samples in such lines, by Σ period, 0-100
-- column:  low        lower end of the 95 % interval of pct
-- column:  high       upper end of the 95 % interval of pct
-- column:  drawn_hitm drawn samples that found the line modified in another cache (hardware)
-- column:  cost_pct   share of the run's cost, 0-100; empty: not measured, or too few waits to tell
-- column:  cost_low   lower end of the 95 % interval of cost_pct
-- column:  cost_high  upper end of the 95 % interval of cost_pct
-- column:  latency    by=cache_line: mean latency, core cycles; only hardware samplers measure it
-- column:  members    by=cache_line: members that threads use in the line, with the threads (tid) that write and read them
WITH
  -- as in the report: fewer than 20 waits (or accesses, if there are no waits) do not show what
  -- memory costs
  told AS MATERIALIZED (
    SELECT iif(waits + lost_waits > 0, waits + lost_waits, addressed) >= 20 AS cost FROM totals WHERE scope = 'run'
  ),
  lines AS MATERIALIZED (
    SELECT * FROM shared_lines WHERE together AND coalesce(:by, 'cache_line') = 'cache_line'
  ),
  used AS ( -- an access that crosses into the next line counts in the line in which it starts
    SELECT
      l.process_id AS process_id, l.address AS address, d.address - l.address AS byte, d.object_id AS object_id,
      coalesce(d.element_expression, o.name || '+' || d.object_offset, '[no object]') AS place, d.stores AS stores, t.tid AS tid
    FROM drawn_samples AS d
    -- CROSS JOIN, because otherwise SQLite would read drawn_samples once for each line
    CROSS JOIN lines AS l ON l.address = d.address & -64 AND l.process_id IS d.process_id
    LEFT JOIN objects AS o ON o.id = d.object_id
    LEFT JOIN threads AS t ON t.id = d.thread_id
    WHERE EXISTS (SELECT 1 FROM lines) -- evaluated once: without lines no sample is read
    ORDER BY tid
  ),
  member AS (
    SELECT
      process_id, address, group_concat(
        place || coalesce(' written by ' || written_by, '') || iif(written_by IS NULL OR read_by IS NULL, '', ',') ||
        coalesce(' read by ' || read_by, ''), '; '
      ) AS text
    FROM (
      SELECT
        process_id, address, place, group_concat(DISTINCT iif(stores, tid, NULL)) AS written_by, group_concat(DISTINCT iif(stores, NULL, tid)) AS read_by
      FROM used
      GROUP BY process_id, address, object_id, place
      ORDER BY process_id, address, min(byte), place
    )
    GROUP BY process_id, address
  ),
  part AS (
    SELECT process_id, object_id, address, sharing, NULL AS cache_lines, threads, writers, objects, drawn, drawn_estimate, drawn_stores, NULL AS share_pct, NULL AS share_low_pct,
      NULL AS share_high_pct, drawn_hitm, cost_pct, cost_low_pct, cost_high_pct, latency_avg
    FROM lines
    UNION ALL
    SELECT NULL, object_id, NULL, sharing, cache_lines, threads, NULL, NULL, drawn, NULL, NULL, share_pct, share_low_pct,
      share_high_pct, drawn_hitm, cost_pct, cost_low_pct, cost_high_pct, NULL
    FROM object_sharing
    WHERE :by = 'object'
  )
SELECT
  p.object_id AS object_id,
  o.name AS object,
  iif(p.address IS NULL, NULL, printf('%x', p.address)) AS address,
  p.sharing AS sharing,
  p.cache_lines AS cache_lines,
  p.threads AS threads,
  p.writers AS writers,
  p.objects AS objects,
  p.drawn AS drawn,
  p.drawn_stores AS drawn_stores,
  round(p.share_pct, 1) AS pct,
  round(p.share_low_pct, 1) AS low,
  round(p.share_high_pct, 1) AS high,
  nullif(p.drawn_hitm, 0) AS drawn_hitm,
  iif(t.cost, round(p.cost_pct, 1), NULL) AS cost_pct,
  iif(t.cost, round(p.cost_low_pct, 1), NULL) AS cost_low,
  iif(t.cost, round(p.cost_high_pct, 1), NULL) AS cost_high,
  round(p.latency_avg, 1) AS latency,
  m.text AS members
FROM part AS p
CROSS JOIN told AS t
LEFT JOIN member AS m ON m.process_id IS p.process_id AND m.address = p.address
LEFT JOIN objects AS o ON o.id = p.object_id
WHERE :object IS NULL OR p.object_id = :object OR o.name = :object
ORDER BY p.drawn_hitm DESC, iif(t.cost, p.cost_pct, NULL) DESC, p.drawn_estimate DESC, p.drawn DESC, p.object_id, p.address, p.sharing
LIMIT coalesce(:top, 30);
