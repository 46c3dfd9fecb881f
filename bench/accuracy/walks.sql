-- SPDX-License-Identifier: GPL-2.0-or-later
-- Counts, for each kind of walk, the waits that memdb attributes to the walked container, to a different object, and to no
-- object. The nodes of a container are the object whose blocks span the container's complete address range. Its other
-- blocks are found by name.
WITH
  spans AS (
    SELECT DISTINCT low, high, glob FROM temp.walks
  ),
  blocks AS (
    SELECT s.low AS low, a.object_id AS object_id, row_number() OVER (PARTITION BY s.low ORDER BY min(a.address_start) - s.low + s.high - max(a.address_start)) AS place
    FROM spans AS s
    JOIN allocations AS a ON a.address_start BETWEEN s.low - 64 AND s.high
    GROUP BY s.low, a.object_id
  ),
  waits AS (
    SELECT
      w.kind AS kind, iif(m.waits, s.object_id, NULL) AS object_id,
      m.waits AND (s.object_id = b.object_id OR o.name GLOB w.glob) AS is_right
    FROM temp.walks AS w
    JOIN sample_data AS s ON s.time BETWEEN w.start AND w.end
    JOIN kind_measures AS m ON m.id = s.kind_id
    JOIN instructions AS i ON i.id = s.instruction_id
    JOIN symbols AS y ON y.id = i.symbol_id AND y.name GLOB '*walk_*'
    LEFT JOIN blocks AS b ON b.low = w.low AND b.place = 1
    LEFT JOIN objects AS o ON o.id = s.object_id
    WHERE m.waits OR m.lost_waits
  )
SELECT
  kind, count(*) AS waits,
  round(100.0 * avg(coalesce(is_right, 0)), 1) AS "right, %",
  round(100.0 * avg(object_id IS NOT NULL AND NOT coalesce(is_right, 0)), 1) AS "another, %",
  round(100.0 * avg(object_id IS NULL), 1) AS "not known, %"
FROM waits
GROUP BY kind
ORDER BY kind;
