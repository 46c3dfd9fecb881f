-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW member_costs AS
-- view:    member_costs
-- summary: What memory costs at each member of an object's type, over all its elements: hot and cold members, and holes.
-- grain:   one row per object with a drawn sample and member of its type, cold ones and holes too; and one (member NULL) for what of
--          its samples has no member
-- source:  layout as of pahole (Carvalho de Melo 2007)
-- note:    from drawn_samples: costs are estimates with their interval, counts are of the draw
-- note:    an access that covers several members counts at the one that it starts in
WITH
  run AS MATERIALIZED run_totals(),
  drawn AS (
    SELECT
      s.object_id AS object_id, o.type_id AS type_id, s.member_id AS member_id, s.thread_id AS thread_id,
      s.loads AS loads, s.stores AS stores, s.cost AS cost, s.one_in AS one_in, s.estimate AS estimate, s.latency AS latency
    FROM drawn_samples AS s
    JOIN objects AS o ON o.id = s.object_id
  ),
  used AS MATERIALIZED (
    SELECT
      object_id, type_id, member_id, count(*) AS drawn, sum(loads) AS loads, sum(stores) AS stores, count(DISTINCT thread_id) AS threads,
      count(DISTINCT iif(stores, thread_id, NULL)) AS writers, sum(cost * one_in) AS cost, max(one_in) AS one_in,
      total(iif(latency IS NOT NULL, estimate, 0)) AS measured, total(latency * estimate) AS latency
    FROM drawn
    GROUP BY object_id, type_id, member_id
  ),
  whole AS (
    SELECT object_id, type_id, sum(drawn) AS drawn, sum(cost) AS cost, max(one_in) AS one_in FROM used GROUP BY object_id, type_id
  ),
  parts AS (
    SELECT object_id, type_id, drawn AS drawn_object, cost AS cost_object, one_in, m.id AS member_id
    FROM whole
    JOIN members AS m USING (type_id)
    UNION ALL
    SELECT w.object_id, w.type_id, w.drawn, w.cost, w.one_in, NULL
    FROM whole AS w
    JOIN used AS u ON u.object_id = w.object_id
    WHERE u.member_id IS NULL
  )
SELECT
  p.object_id AS object_id,        -- objects.id
  o.name AS object,                -- the object's name
  o.kind AS kind,                  -- "heap", "static", "stack", "mapping"
  p.type_id AS type_id,            -- types.id; NULL: not known
  t.name AS type,                  -- the type of an element
  t.size_bytes AS type_bytes,      -- its size
  o.type_source AS type_source,    -- who says so, as in objects
  p.member_id AS member_id,        -- members.id; NULL: no member, or not known
  iif(p.member_id IS NULL, NULL, coalesce(m.name, '[hole]')) AS member, -- the member, "[hole]"; "" of an element that has none; NULL: none is known there
  iif(p.member_id IS NULL, o.name, member_name(o, t, m, NULL)) AS expression, -- as one writes it: "nodes[].next"
  m.type AS member_type,           -- its type
  m.offset AS offset,              -- from the start of the element, bytes
  m.size_bytes AS size_bytes,      -- its size; 0: to the end of the block
  m.offset / 64 AS cache_line,     -- number of the cache line in the element, where elements start with a line
  coalesce(u.drawn, 0) AS drawn,   -- drawn samples with an address in it (count); 0: cold
  coalesce(u.loads, 0) AS loads,   -- of these, that read (count)
  coalesce(u.stores, 0) AS stores, -- of these, that write (count)
  coalesce(u.threads, 0) AS threads, -- threads that use it (count)
  coalesce(u.writers, 0) AS writers, -- threads that write it (count)
  coalesce(u.cost, 0) AS cost,     -- what memory costs there, estimated from the draw, in run_costs.cost_unit
  100.0 * min(coalesce(u.cost, 0), r.cost + r.lost_cost) / nullif(r.cost + r.lost_cost, 0) AS cost_pct, -- share of all cost of the run, 0-100; NULL: not measured
  share_low(min(coalesce(u.cost, 0), r.cost + r.lost_cost), (r.cost + r.lost_cost), (r.cost_sq * p.one_in)) AS cost_low_pct, -- lower end of its 95 % interval
  share_high(min(coalesce(u.cost, 0), r.cost + r.lost_cost), (r.cost + r.lost_cost), (r.cost_sq * p.one_in)) AS cost_high_pct, -- upper end
  100.0 * coalesce(u.drawn, 0) / p.drawn_object AS object_pct, -- share of the object's drawn samples, 0-100
  u.latency / nullif(u.measured, 0) AS latency_avg -- mean latency, core cycles (hardware); NULL: not measured
FROM parts AS p
CROSS JOIN run AS r
JOIN objects AS o ON o.id = p.object_id
LEFT JOIN types AS t ON t.id = p.type_id
LEFT JOIN members AS m ON m.id = p.member_id
LEFT JOIN used AS u ON u.object_id = p.object_id AND u.member_id IS p.member_id;
