-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW member_costs AS
-- view:    member_costs
-- summary: Cost of memory by member of an object's type, over all elements; includes members without samples, and holes.
-- grain:   one row for each member (holes and unsampled members included) of each object that has a drawn sample, plus one row per object
--          with member NULL for samples whose member is not known
-- source:  the layout is shown as pahole shows it (Carvalho de Melo 2007)
-- note:    computed from drawn_samples, so costs are estimates with intervals, and counts are numbers of drawn samples
-- note:    an access that covers several members counts for the member at its first byte
WITH
  run AS MATERIALIZED run_totals(),
  drawn AS (
    SELECT
      s.object_id AS object_id, o.type_id AS type_id, s.member_id AS member_id, s.thread_id AS thread_id,
      s.loads AS loads, s.stores AS stores, s.cost AS cost, s.one_in AS one_in, s.estimate AS estimate, s.estimate_sq AS estimate_sq, s.latency AS latency, s.accesses AS seen
    FROM drawn_samples AS s
    JOIN objects AS o ON o.id = s.object_id
  ),
  used AS MATERIALIZED (
    SELECT
      object_id, type_id, member_id, sum(seen) AS drawn, sum(loads * seen) AS loads, sum(stores * seen) AS stores, count(DISTINCT thread_id) AS threads,
      count(DISTINCT iif(stores, thread_id, NULL)) AS writers, sum(cost * one_in) AS cost, max(one_in) AS one_in,
      sum(estimate) AS estimate, sum(estimate_sq) AS estimate_sq,
      total(iif(latency IS NOT NULL, estimate, 0)) AS measured, total(latency * estimate) AS latency
    FROM drawn
    GROUP BY object_id, type_id, member_id
  ),
  whole AS (
    SELECT object_id, type_id, sum(estimate) AS estimate, sum(estimate_sq) AS estimate_sq, max(one_in) AS one_in FROM used GROUP BY object_id, type_id
  ),
  parts AS (
    SELECT object_id, type_id, estimate, estimate_sq, one_in, m.id AS member_id
    FROM whole
    JOIN members AS m USING (type_id)
    UNION ALL
    SELECT w.object_id, w.type_id, w.estimate, w.estimate_sq, w.one_in, NULL
    FROM whole AS w
    JOIN used AS u ON u.object_id = w.object_id
    WHERE u.member_id IS NULL
  )
SELECT
  p.object_id AS object_id,        -- objects.id
  o.name AS object,                -- objects.name, such as the name of the variable
  o.kind AS kind,                  -- kind of the object: "heap", "static", "stack" or "mapping"
  p.type_id AS type_id,            -- types.id; NULL: not known
  t.name AS type,                  -- the type of an element
  t.size_bytes AS type_bytes,      -- size of an element, bytes
  o.type_source AS type_source,    -- objects.type_source: how the type was found, such as "declared" or "cast"
  p.member_id AS member_id,        -- members.id; NULL: no member, or not known
  iif(p.member_id IS NULL, NULL, coalesce(m.name, '[hole]')) AS member, -- the member, or "[hole]" for unused bytes; "": the element is a scalar, which has no members; NULL: not known
  iif(p.member_id IS NULL, o.name, member_name(o, t, m, NULL)) AS expression, -- the member as in source code: "nodes[].next"
  m.type AS member_type,           -- type of the member
  m.offset AS offset,              -- offset from the start of the element, bytes
  m.size_bytes AS size_bytes,      -- size of the member, bytes; 0: a flexible array that reaches to the end of the block
  iif(o.type_repeats AND t.size_bytes % 64 AND 64 % t.size_bytes, NULL, m.offset / 64) AS cache_line, -- number of the 64-byte cache line in which the member begins, within the element, if the first element starts at a cache line; NULL: elements of this size start at different places of a line, so each has another
  coalesce(u.drawn, 0) AS drawn,   -- number of drawn samples (see drawn_samples) with an address in the member; 0: the member is cold
  coalesce(u.loads, 0) AS loads,   -- number of these drawn samples whose access reads
  coalesce(u.stores, 0) AS stores, -- number of these drawn samples whose access writes
  coalesce(u.threads, 0) AS threads, -- number of threads with a drawn sample in the member
  coalesce(u.writers, 0) AS writers, -- number of threads with a drawn sample that writes the member
  iif(r.cost + r.lost_cost > 0, coalesce(u.cost, 0), NULL) AS cost, -- cost of accesses to the member, estimated from drawn samples, in run_costs.cost_unit; NULL: not measured
  100.0 * min(coalesce(u.cost, 0), r.cost + r.lost_cost) / nullif(r.cost + r.lost_cost, 0) AS cost_pct, -- share of the run's cost of memory, 0-100; NULL: no cost was measured
  share_low(min(coalesce(u.cost, 0), r.cost + r.lost_cost), (r.cost + r.lost_cost), (r.cost_sq * p.one_in)) AS cost_low_pct, -- lower end of the 95 % interval of cost_pct
  share_high(min(coalesce(u.cost, 0), r.cost + r.lost_cost), (r.cost + r.lost_cost), (r.cost_sq * p.one_in)) AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  coalesce(u.estimate, 0) AS estimate, -- sum of the periods of the samples that `drawn` counts: accesses (hardware samplers), ns (timer) or cycles (cycle counter)
  coalesce(u.estimate_sq, 0) AS estimate_sq, -- sum of drawn_samples.estimate_sq of the samples that `drawn` counts, for intervals of sums over several rows
  p.one_in AS one_in,              -- n: one in n samples was drawn, so sums must be multiplied by n
  100.0 * coalesce(u.estimate, 0) / p.estimate AS object_pct, -- share of what the object's drawn samples represent (sum of their periods), 0-100
  share_low(coalesce(u.estimate, 0), p.estimate, p.estimate_sq) AS object_low_pct, -- lower end of the 95 % interval of object_pct
  share_high(coalesce(u.estimate, 0), p.estimate, p.estimate_sq) AS object_high_pct, -- upper end of the 95 % interval of object_pct
  u.latency / nullif(u.measured, 0) AS latency_avg -- mean latency of the samples that have a latency, core cycles; NULL: the sampler does not measure it
FROM parts AS p
CROSS JOIN run AS r
JOIN objects AS o ON o.id = p.object_id
LEFT JOIN types AS t ON t.id = p.type_id
LEFT JOIN members AS m ON m.id = p.member_id
LEFT JOIN used AS u ON u.object_id = p.object_id AND u.member_id IS p.member_id;
