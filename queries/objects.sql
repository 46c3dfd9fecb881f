-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   objects
-- summary: What to look at: the objects that cost most, who uses them, and what there is to do.
-- param:   top 10 rows at most
-- column:  object_id   objects.id
-- column:  object      its name; [no object]: waits of which is not known for what, and addresses that belong to none
-- column:  kind        heap, static, stack, mapping
-- column:  size_bytes  heap: most bytes alive at one time
-- column:  cost_pct    share of all cost of the run: waiting time (timer), cycles or latency (hardware), 0-100
-- column:  access_pct  share of all accesses of the run, 0-100; where nothing tells what they cost
-- column:  low         lower end of the share's 95 % interval
-- column:  high        upper end
-- column:  most        cost_pct at most: with all waits that may have been for it, upper end (timer, cycles)
-- column:  time_pct    the same waiting time as a share of all thread time, 0-100 (timer)
-- column:  samples     samples that access it: its address is known, or that it is this object
-- column:  latency     mean latency, core cycles (hardware)
-- column:  threads     threads that use it
-- column:  writers     threads that write to it
-- column:  remote_pct  of those whose nodes are known, samples of pages on another node, 0-100; empty on one node
-- column:  remote_low  least share of all: none of the unknown are remote, lower end of the 95 % interval
-- column:  remote_high largest share: all of the unknown are, upper end
-- column:  home_pct    samples whose nodes are known, 0-100
-- column:  homes       nodes of the pages that were accessed (?: not known), and their share
-- column:  function    where it costs most
-- column:  hint        what to try
WITH
  best AS (
    SELECT object_id, function, row_number() OVER (PARTITION BY object_id ORDER BY cost DESC, estimate DESC, addressed DESC, function) AS place
    FROM function_object_costs
  ),
  homes AS (
    SELECT object_id, group_concat(coalesce(node_id, '?') || ' ' || CAST(round(share_pct) AS INTEGER) || ' %', ', ') AS text
    FROM (
      SELECT object_id, home_node_id AS node_id, 100 * sum(estimate) / sum(sum(estimate)) OVER (PARTITION BY object_id) AS share_pct
      FROM access_matrix
      WHERE scope = 'object'
      GROUP BY object_id, home_node_id
      ORDER BY object_id, home_node_id IS NULL, share_pct DESC, home_node_id
    )
    GROUP BY object_id
  ),
  shared AS ( -- as much false sharing as the report tells of
    SELECT object_id FROM object_sharing WHERE sharing = 'false' AND drawn >= 50 AND share_low_pct >= 5
  )
SELECT
  o.object_id AS object_id,
  o.object AS object,
  o.kind AS kind,
  o.size_bytes AS size_bytes,
  round(o.cost_pct, 1) AS cost_pct,
  iif(o.cost IS NULL, round(o.access_pct, 1), NULL) AS access_pct,
  round(coalesce(o.cost_low_pct, o.access_low_pct), 1) AS low,
  round(coalesce(o.cost_high_pct, o.access_high_pct), 1) AS high,
  round(o.cost_most_pct, 1) AS most,
  round(100.0 * o.cost / (SELECT thread_time FROM run_costs WHERE cost_unit <> 'latency'), 1) AS time_pct,
  o.addressed AS samples,
  round(o.latency_avg, 1) AS latency,
  o.threads AS threads,
  o.writers AS writers,
  round(o.remote_pct, 1) AS remote_pct,
  round(o.remote_low_pct, 1) AS remote_low,
  round(o.remote_high_pct, 1) AS remote_high,
  iif(o.remote_pct IS NOT NULL, round(o.home_pct, 1), NULL) AS home_pct,
  iif(o.remote_pct IS NOT NULL, h.text, NULL) AS homes,
  b.function AS function,
  coalesce(a.advice, iif(f.object_id IS NOT NULL AND o.kind <> 'stack', 'false sharing: keep what each thread writes 64 bytes apart', NULL)) AS hint
FROM object_costs AS o
LEFT JOIN best AS b ON b.object_id IS o.object_id AND b.place = 1
LEFT JOIN homes AS h ON h.object_id = o.object_id
LEFT JOIN placement_advice AS a ON a.object_id = o.object_id
LEFT JOIN shared AS f ON f.object_id = o.object_id
ORDER BY o.cost DESC, o.estimate DESC, o.addressed DESC, o.object_id
LIMIT coalesce(:top, 10);
