-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    affinity_changes
-- summary: Where threads were allowed to run, and each time that this changed.
-- grain:   one row per thread and change of its CPUs; the first row of a thread is what it began with
-- source:  Valat & Bouizi 2018, 5.1: the log of thread binding
-- note:    a change that nobody called for in the program is seen by the follower some time after it was made
-- column:  thread_id       INTEGER  threads.id
-- column:  tid             INTEGER  the kernel's thread number
-- column:  comm            TEXT     the thread's name
-- column:  time            INTEGER  from then on, ns; NULL: from the start
-- column:  cpus            TEXT     the CPUs in list format
-- column:  before          TEXT     those before; NULL: nothing is known before
-- column:  node_id         INTEGER  the only node of these CPUs; NULL: they span nodes, or it is not known
-- column:  pinned          INTEGER  1: the thread cannot leave its node, 0: it can
-- column:  source          TEXT     "follower", or the function that was called
CREATE VIEW affinity_changes AS
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
  s.thread_id AS thread_id,
  t.tid AS tid,
  t.comm AS comm,
  s.time AS time,
  s.cpus AS cpus,
  s.before AS before,
  s.node_id AS node_id,
  s.node_id IS NOT NULL AS pinned,
  s.source AS source
FROM seen AS s
LEFT JOIN threads AS t ON t.id = s.thread_id
WHERE s.place = 1 OR s.cpus IS NOT s.before;
