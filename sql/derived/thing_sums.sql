-- SPDX-License-Identifier: GPL-2.0-or-later
-- Rebuilds thing_sums from sample_cells and kind_measures.
DELETE FROM thing_sums;
INSERT INTO thing_sums (
  of, instruction_id, object_id, thread_id, threads, writers, samples, accesses, loads, stores, time_ns, timed, waits, wait_ns, lost_waits,
  lost_wait_ns, weighted, weight, local, remote, placed_waits, remote_waits, remote_wait_ns, hw_local, hw_remote
)
WITH
  -- each kind of thing with the parts of an access that tell its things apart
  kinds (of, by_function, by_line, by_object, by_thread) AS (
    VALUES ('run', 0, 0, 0, 0), ('function', 1, 0, 0, 0), ('line', 0, 1, 0, 0), ('object', 0, 0, 1, 0), ('thread', 0, 0, 0, 1),
      ('function_object', 1, 0, 1, 0), ('object_thread', 0, 0, 1, 1)
  ),
  code AS MATERIALIZED (
    SELECT
      i.id AS id,
      min(i.id) OVER (PARTITION BY i.symbol_id, i.dso_id) AS function,
      min(i.id) OVER (
        PARTITION BY coalesce(l.function, s.name, '[' || trim(coalesce(d.short_name, 'unknown'), '[]') || ']'), l.file_id, l.line
      ) AS line
    FROM instructions AS i
    LEFT JOIN locations AS l ON l.id = i.location_id
    LEFT JOIN symbols AS s ON s.id = i.symbol_id
    LEFT JOIN dsos AS d ON d.id = i.dso_id
  )
SELECT
  k.of,
  CASE WHEN k.by_function THEN i.function WHEN k.by_line THEN i.line END,
  iif(k.by_object, a.object_id, NULL),
  iif(k.by_thread, a.thread_id, NULL),
  count(DISTINCT a.thread_id),
  count(DISTINCT iif(a.stores > 0, a.thread_id, NULL)),
  sum(a.samples),
  sum(a.accesses),
  sum(a.loads),
  sum(a.stores),
  sum(a.time_ns),
  sum(a.timed),
  sum(a.waits),
  sum(a.wait_ns),
  sum(a.lost_waits),
  sum(a.lost_wait_ns),
  sum(a.weighted),
  sum(a.weight),
  sum(a.local),
  sum(a.remote),
  sum(a.placed_waits),
  sum(a.remote_waits),
  sum(a.remote_wait_ns),
  sum(a.hw_local),
  sum(a.hw_remote)
FROM kinds AS k
CROSS JOIN accesses AS a
CROSS JOIN code AS i ON i.id = a.instruction_id
WHERE NOT k.by_object OR a.object_id IS NOT NULL
GROUP BY 1, 2, 3, 4;
