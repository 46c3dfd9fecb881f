-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW affinity_changes AS
-- view:    affinity_changes
-- summary: Where threads were allowed to run, and each time that this changed.
-- grain:   one row per thread and change of its CPUs; the first row of a thread is what it began with
-- source:  Valat & Bouizi 2018, 5.1: the log of thread binding
-- note:    a change that nobody called for in the program is seen by the follower some time after it was made
WITH
  seen AS (
    SELECT
      a.*,
      lag(a.cpus) OVER one AS before,
      row_number() OVER one AS place
    FROM thread_affinities AS a
    WINDOW one AS (PARTITION BY a.thread_id ORDER BY a.time, a.id)
  )
SELECT
  s.thread_id AS thread_id, -- threads.id
  t.tid AS tid, -- the kernel's thread number
  t.comm AS comm, -- the thread's name
  s.time AS time, -- from then on, ns; NULL: from the start
  s.cpus AS cpus, -- the CPUs in list format
  s.before AS before, -- those before; NULL: nothing is known before
  s.node_id AS node_id, -- the only node of these CPUs; NULL: they span nodes, or it is not known
  CASE WHEN s.node_id IS NOT NULL THEN 1 WHEN s.cpus IS NOT NULL AND EXISTS (SELECT 1 FROM cpus) AND NOT EXISTS (SELECT 1 FROM cpus WHERE node_id IS NULL) THEN 0 END AS pinned, -- 1: the thread cannot leave its node, 0: it can; NULL: not known
  s.source AS source -- "follower", or the function that was called
FROM seen AS s
LEFT JOIN threads AS t ON t.id = s.thread_id
WHERE s.place = 1 OR s.cpus IS NOT s.before;
