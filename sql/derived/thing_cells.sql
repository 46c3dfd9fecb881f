-- SPDX-License-Identifier: GPL-2.0-or-later
-- Rebuilds thing_cells from sample_cells.
DELETE FROM thing_cells;
INSERT INTO thing_cells (of, instruction_id, object_id, thread_id, kind_id, samples, period, weighted, weight)
WITH
  kinds (of, by_function, by_object, by_thread) AS (
    VALUES ('run', 0, 0, 0), ('function', 1, 0, 0), ('object', 0, 1, 0), ('thread', 0, 0, 1)
  ),
  code AS MATERIALIZED (
    SELECT id, min(id) OVER (PARTITION BY symbol_id, dso_id) AS function FROM instructions
  )
SELECT
  k.of, iif(k.by_function, i.function, NULL), iif(k.by_object, c.object_id, NULL), iif(k.by_thread, c.thread_id, NULL), c.kind_id,
  sum(c.samples), sum(c.period), sum(c.weighted), sum(c.weight)
FROM kinds AS k
CROSS JOIN sample_cells AS c
CROSS JOIN code AS i ON i.id = c.instruction_id
GROUP BY 1, 2, 3, 4, 5;
