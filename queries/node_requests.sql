-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   node_requests
-- summary: How much goes to each node's memory, and how unevenly.
-- param:   object - only this object: its id or name; else the whole run
-- column:  object_id  objects.id; empty: the run
-- column:  object     the object's name; empty: the run
-- column:  node       node of the memory
-- column:  samples    samples of it (hardware: accesses; timer: moments of time)
-- column:  pct        their share of those whose home is known, 0-100
-- column:  low        least share of all: none of the unknown are here, lower end of the 95 % interval
-- column:  high       largest share: all of the unknown are, upper end
-- column:  imbalance  the busiest node by the mean of all nodes with memory; 1: even
-- column:  home_pct   samples whose home is known, 0-100
SELECT
  r.object_id AS object_id,
  o.name AS object,
  r.node_id AS node,
  r.samples AS samples,
  round(r.share_pct, 1) AS pct,
  round(r.share_low_pct, 1) AS low,
  round(r.share_high_pct, 1) AS high,
  round(r.imbalance, 2) AS imbalance,
  round(r.home_pct, 1) AS home_pct
FROM node_requests AS r
LEFT JOIN objects AS o ON o.id = r.object_id
WHERE r.scope = iif(:object IS NULL, 'run', 'object') AND (:object IS NULL OR r.object_id = :object OR o.name = :object)
ORDER BY r.object_id, r.node_id;
