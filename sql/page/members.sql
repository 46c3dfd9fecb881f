-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   members
-- summary: Cost of memory by member of an object's type, over all elements; includes members without samples, and holes.
-- keep:    3000 rows at most
SELECT
  member_id AS member_id,           -- points.member_id
  object_id AS object_id,           -- objects.object_id
  type AS type,                     -- the type of an element
  type_bytes AS type_bytes,         -- size of an element, bytes
  member AS member,                 -- the member, or "[hole]" for unused bytes; "": the element is a scalar, which has no members
  expression AS expression,         -- the member as in source code: "nodes[].next"
  member_type AS member_type,       -- type of the member; NULL: a hole
  offset AS offset,                 -- offset of the member in the element, bytes
  size_bytes AS size_bytes,         -- size of the member, bytes
  cache_line AS cache_line,         -- number of the 64-byte cache line in the element in which the member begins; NULL: elements start at different places of a line
  drawn AS drawn,                   -- number of drawn samples (see drawn_samples) with an address in the member; 0: the member is cold
  stores AS stores,                 -- number of these drawn samples whose access writes
  threads AS threads,               -- number of threads with a drawn sample in the member
  writers AS writers,               -- number of threads with a drawn sample that writes the member
  cost_pct AS cost_pct,             -- share of the run's cost of memory, 0-100
  cost_low_pct AS cost_low_pct,     -- lower end of the 95 % interval of cost_pct
  cost_high_pct AS cost_high_pct,   -- upper end of the 95 % interval of cost_pct
  object_pct AS object_pct,         -- share of what the object's drawn samples represent (sum of their periods), 0-100
  object_low_pct AS object_low_pct, -- lower end of the 95 % interval of object_pct
  object_high_pct AS object_high_pct, -- upper end of the 95 % interval of object_pct
  latency_avg AS latency_avg        -- mean latency of the samples that have a latency, core cycles; only hardware samplers measure it
FROM member_costs
WHERE member_id IS NOT NULL AND member <> ''
ORDER BY sum(drawn) OVER (PARTITION BY object_id) DESC, object_id, offset, member_id;
