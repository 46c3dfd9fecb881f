-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   objects
-- summary: What to look at: the objects that cost most, who uses them, and what there is to do.
-- param:   top 10 rows at most
-- column:  object_id   objects.id
-- column:  object      its name
-- column:  kind        heap, static, stack, mapping
-- column:  size_bytes  heap: most bytes alive at one time
-- column:  cost_pct    share of all waiting time (timer) or latency (hardware), also of what has no known object, 0-100
-- column:  low         lower end of its 95 % interval (timer)
-- column:  high        upper end (timer)
-- column:  time_pct    the same waiting time as a share of all thread time, 0-100 (timer): what there is to gain
-- column:  time_low    lower end of its 95 % interval
-- column:  time_high   upper end
-- column:  accesses    samples with an address in it
-- column:  latency     mean latency, core cycles (hardware)
-- column:  threads     threads that use it
-- column:  writers     threads that write to it
-- column:  remote_pct  accesses to another node, 0-100; empty: homes are not known, or there is one node
-- column:  remote_low  lower end of its 95 % interval
-- column:  remote_high upper end
-- column:  placed_on   nodes that its pages were placed on at first touch
-- column:  function    where it costs most
-- column:  hint        what to try
WITH
  best AS (
    SELECT object_id, function, row_number() OVER (PARTITION BY object_id ORDER BY wait_ns DESC, weight_sum DESC, accesses DESC, function) AS place
    FROM functions_objects
  ),
  touched AS (
    SELECT object_id, group_concat(node_id) AS nodes, count(*) AS n
    FROM (SELECT DISTINCT object_id, node_id FROM object_first_touch WHERE node_id IS NOT NULL ORDER BY 1, 2)
    GROUP BY object_id
  ),
  sides AS ( -- the lower end of the 95 % interval of the remote share is above a half
    SELECT object_id, remote_low_pct > 50 AS surely_remote
    FROM shares
    WHERE of = 'object'
  ),
  shared AS ( -- as much false sharing as the report tells of
    SELECT object_id FROM object_sharing WHERE sharing = 'false' AND accesses >= 50 AND accesses_low_pct >= 5
  )
SELECT
  o.object_id AS object_id,
  o.object AS object,
  o.kind AS kind,
  o.size_bytes AS size_bytes,
  round(o.cost_pct, 1) AS cost_pct,
  round(o.cost_low_pct, 1) AS low,
  round(o.cost_high_pct, 1) AS high,
  round(o.time_pct, 1) AS time_pct,
  round(o.time_low_pct, 1) AS time_low,
  round(o.time_high_pct, 1) AS time_high,
  o.accesses AS accesses,
  round(o.weight_avg, 1) AS latency,
  o.threads AS threads,
  o.writers AS writers,
  iif((SELECT count(*) FROM nodes) <> 1, round(o.remote_pct, 1), NULL) AS remote_pct,
  iif((SELECT count(*) FROM nodes) <> 1, round(o.remote_low_pct, 1), NULL) AS remote_low,
  iif((SELECT count(*) FROM nodes) <> 1, round(o.remote_high_pct, 1), NULL) AS remote_high,
  t.nodes AS placed_on,
  b.function AS function,
  CASE
    WHEN s.surely_remote AND t.n = 1 THEN 'all pages on node ' || t.nodes || ', used from others: initialise in parallel, or interleave'
    WHEN s.surely_remote THEN 'mostly remote: bring threads and pages together'
    WHEN f.object_id IS NOT NULL AND o.kind <> 'stack' THEN 'false sharing: keep what each thread writes 64 bytes apart'
  END AS hint
FROM object_latency AS o
LEFT JOIN best AS b ON b.object_id = o.object_id AND b.place = 1
LEFT JOIN sides AS s ON s.object_id = o.object_id
LEFT JOIN touched AS t ON t.object_id = o.object_id
LEFT JOIN shared AS f ON f.object_id = o.object_id
ORDER BY o.wait_ns DESC, o.weight_sum DESC, o.accesses DESC, o.object_id
LIMIT coalesce(:top, 10);
