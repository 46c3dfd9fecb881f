-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    line_matrix
-- summary: From which node how many different cache lines of which node are accessed.
-- grain:   one row per kind of thing ("of": "run", "object"), thing, CPU node and home node with an access
-- source:  Machado, Tadonki & Senger 2023: r_ij counted by distinct cache line
-- note:    from drawn_samples: a line counts once for each CPU node and home, however often it was sampled
-- column:  of              TEXT     "run", "object"
-- column:  object_id       INTEGER  object: objects.id
-- column:  cpu_node_id     INTEGER  i: node of the CPU
-- column:  home_node_id    INTEGER  j: node of the page
-- column:  lines           INTEGER  r_ij: different cache lines of 64 bytes (count)
-- column:  accesses        INTEGER  drawn samples in them (count)
CREATE VIEW line_matrix AS
WITH
  line AS (
    SELECT process_id, address >> 6 AS line, object_id, cpu_node_id, home_node_id, count(*) AS accesses
    FROM drawn_samples
    WHERE cpu_node_id IS NOT NULL AND home_node_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5
  )
SELECT 'object' AS of, object_id, cpu_node_id, home_node_id, count(*) AS lines, sum(accesses) AS accesses
FROM line
WHERE object_id IS NOT NULL
GROUP BY object_id, cpu_node_id, home_node_id
UNION ALL
SELECT 'run', NULL, cpu_node_id, home_node_id, count(*), sum(accesses)
FROM ( -- small objects meet in a line
  SELECT cpu_node_id, home_node_id, sum(accesses) AS accesses
  FROM line
  GROUP BY process_id, line, cpu_node_id, home_node_id
)
GROUP BY cpu_node_id, home_node_id;
