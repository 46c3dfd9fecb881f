-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   members
-- summary: Cost of memory by member of objects' types; includes members without samples, and holes.
-- param:   by - rows: object (default) or type (all objects of a type together)
-- values:  by object, type
-- param:   object - only this object: its id or name
-- param:   type - only this type
-- param:   top 40 rows at most
-- column:  object_id   by=object: objects.id
-- column:  type        type of the elements; empty: not known
-- column:  type_bytes  size of an element, bytes
-- column:  expression  by=object: the member as in source code; [hole]: bytes of no member
-- column:  member      the member; empty: not known
-- column:  member_type type of the member
-- column:  offset      offset from the start of the element, bytes
-- column:  size_bytes  size of the member, bytes; 0: a flexible array up to the end of the block
-- column:  cache_line  number of the cache line of 64 bytes in the element, where elements start with a line
-- column:  cost_pct    share of the run's cost, estimated from drawn samples, 0-100
-- column:  low         lower end of the 95 % interval
-- column:  high        upper end of the 95 % interval
-- column:  part_pct    share of the object's (by=type: the type's) drawn samples, 0-100
-- column:  drawn       drawn samples with an address in it; 0: cold
-- column:  loads       drawn samples that read
-- column:  stores      drawn samples that write
-- column:  threads     threads that use it; by=type: most in one object
-- column:  writers     threads that write it; by=type: most in one object
-- column:  latency     by=object: mean latency, core cycles (hardware)
WITH
  part AS (
    SELECT
      object_id, type_id, type, type_bytes, expression, member_id, member, member_type, offset, size_bytes, cache_line, cost, cost_pct, cost_low_pct,
      cost_high_pct, drawn, loads, stores, threads, writers, latency_avg
    FROM member_costs
    WHERE coalesce(:by, 'object') = 'object' AND (:object IS NULL OR object_id = :object OR object = :object)
    UNION ALL
    SELECT
      NULL, type_id, type, type_bytes, NULL, member_id, member, member_type, offset, size_bytes, cache_line, sum(cost), sum(cost_pct), NULL,
      NULL, sum(drawn), sum(loads), sum(stores), max(threads), max(writers), NULL
    FROM member_costs
    WHERE :by = 'type' AND type_id IS NOT NULL AND (:object IS NULL OR object_id = :object OR object = :object)
    GROUP BY type_id, member_id
  ),
  ranked AS (
    SELECT *, sum(cost) OVER of_whole AS cost_whole, sum(drawn) OVER of_whole AS drawn_whole
    FROM part
    WHERE :type IS NULL OR type = :type
    WINDOW of_whole AS (PARTITION BY object_id, iif(object_id IS NULL, type_id, NULL))
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
  round(cost_pct, 1) AS cost_pct,
  round(cost_low_pct, 1) AS low,
  round(cost_high_pct, 1) AS high,
  round(100.0 * drawn / drawn_whole, 1) AS part_pct,
  drawn AS drawn,
  loads AS loads,
  stores AS stores,
  threads AS threads,
  writers AS writers,
  round(latency_avg, 1) AS latency
FROM ranked
ORDER BY cost_whole DESC, drawn_whole DESC, object_id, type_id, offset IS NULL, offset
LIMIT coalesce(:top, 40);
