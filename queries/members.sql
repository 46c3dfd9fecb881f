-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   members
-- summary: Cost of memory by member of objects' types; also holes and members without samples. If you name an object or type, all its members are shown; otherwise, only used members and members in the same cache line.
-- param:   by - one row per member of an object (default), or per member of a type (all objects of the type together)
-- values:  by object, type
-- param:   object - only this object: its id or name
-- param:   type - only this type
-- param:   top 40 rows at most
-- column:  object_id   by=object: objects.id
-- column:  type        type of the elements; empty: not known
-- column:  type_bytes  size of an element, bytes
-- column:  expression  by=object: the member as in source code; [hole]: padding between members
-- column:  member      the member; empty: not known
-- column:  member_type type of the member
-- column:  offset      offset from the start of the element, bytes
-- column:  size_bytes  size of the member, bytes; 0: a flexible array up to the end of the block
-- column:  cache_line  number of the 64-byte cache line in which the member begins, within the element, if the first element starts at a cache line; empty: elements of this size start at different places of a line, so each has another
-- column:  cost_pct    share of the run's cost, estimated from drawn samples, 0-100
-- column:  low         lower end of the 95 % interval of cost_pct
-- column:  high        upper end of the 95 % interval of cost_pct
-- column:  part_pct    share of the object's (by=type: the type's) drawn samples, by Σ period, 0-100
-- column:  part_low    lower end of the 95 % interval of part_pct
-- column:  part_high   upper end of the 95 % interval of part_pct
-- column:  drawn       number of drawn samples with an address in the member; 0: the member is cold
-- column:  loads       number of drawn samples that read
-- column:  stores      number of drawn samples that write
-- column:  threads     number of threads with a drawn sample in the member; by=type: the largest such number among the objects
-- column:  writers     number of threads with a drawn sample that writes the member; by=type: the largest such number among the objects
-- column:  latency     by=object: mean latency, core cycles; only hardware samplers measure it
WITH
  asked AS (
    SELECT * FROM member_costs
    WHERE (:object IS NULL OR object_id = :object OR object = :object) AND (:type IS NULL OR type = :type)
  ),
  part AS (
    SELECT
      object_id, type_id, type, type_bytes, expression, member, member_type, offset, size_bytes, cache_line, cost, estimate, estimate_sq, one_in,
      drawn, loads, stores, threads, writers, latency_avg
    FROM asked
    WHERE coalesce(:by, 'object') = 'object'
    UNION ALL
    SELECT
      NULL, type_id, type, type_bytes, NULL, member, member_type, offset, size_bytes, cache_line, sum(cost), sum(estimate), sum(estimate_sq), max(one_in),
      sum(drawn), sum(loads), sum(stores), max(threads), max(writers), NULL
    FROM asked
    WHERE :by = 'type' AND type_id IS NOT NULL
    GROUP BY type_id, member_id
  ),
  ranked AS (
    SELECT *, sum(cost) OVER of_whole AS cost_whole, total(estimate) OVER of_whole AS n, total(estimate_sq) OVER of_whole AS sq,
      total(estimate) OVER of_line AS n_line, total(estimate) OVER () AS n_all
    FROM part
    WINDOW
      of_whole AS (PARTITION BY object_id, iif(object_id IS NULL, type_id, NULL)),
      of_line AS (PARTITION BY object_id, iif(object_id IS NULL, type_id, NULL), offset / 64)
  ),
  -- shares from 0 to 1: c of the cost of the run, o of the samples of the object or type; c_sq,
  -- o_sq: the inverse of their effective sample sizes. NULL: not measured
  share AS (
    SELECT
      p.*, min(1.0, p.cost / r.cost) AS c, r.sq * p.one_in / (r.cost * r.cost) AS c_sq, p.estimate / p.n AS o, p.sq / (p.n * p.n) AS o_sq
    FROM ranked AS p
    CROSS JOIN (SELECT nullif(cost + lost_cost, 0) AS cost, cost_sq AS sq FROM totals WHERE scope = 'run') AS r
  )
SELECT
  object_id AS object_id,
  type AS type,
  type_bytes AS type_bytes,
  expression AS expression,
  member AS member,
  member_type AS member_type,
  offset AS offset,
  size_bytes AS size_bytes,
  cache_line AS cache_line,
  round(100 * c, 1) AS cost_pct,
  round(max(0, 100 * (c + 1.9208 * c_sq - 1.96 * sqrt(c * (1 - c) * c_sq + 0.9604 * c_sq * c_sq)) / (1 + 3.8416 * c_sq)), 1) AS low,
  round(min(100, 100 * (c + 1.9208 * c_sq + 1.96 * sqrt(c * (1 - c) * c_sq + 0.9604 * c_sq * c_sq)) / (1 + 3.8416 * c_sq)), 1) AS high,
  round(100 * o, 1) AS part_pct,
  round(max(0, 100 * (o + 1.9208 * o_sq - 1.96 * sqrt(o * (1 - o) * o_sq + 0.9604 * o_sq * o_sq)) / (1 + 3.8416 * o_sq)), 1) AS part_low,
  round(min(100, 100 * (o + 1.9208 * o_sq + 1.96 * sqrt(o * (1 - o) * o_sq + 0.9604 * o_sq * o_sq)) / (1 + 3.8416 * o_sq)), 1) AS part_high,
  drawn AS drawn,
  loads AS loads,
  stores AS stores,
  threads AS threads,
  writers AS writers,
  round(latency_avg, 1) AS latency
FROM share
WHERE drawn > 0 OR :object IS NOT NULL OR :type IS NOT NULL
  -- members without samples are shown only where the layout matters: the object has at least 1 % of
  -- the samples
  OR (n_line > 0 AND n * 100 >= n_all)
ORDER BY cost_whole DESC, n DESC, object_id, type_id, offset IS NULL, offset
LIMIT coalesce(:top, 40);
