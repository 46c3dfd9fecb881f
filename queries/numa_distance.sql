-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   numa_distance
-- summary: How far accesses travel beyond their own node (δ): 0 all local, 1/n² uniform over n nodes.
-- param:   top 20 rows at most
-- column:  object_id    objects.id; empty: the whole run
-- column:  object       the object's name
-- column:  samples      samples with known nodes
-- column:  delta        distance by what samples stand for
-- column:  low          the least: what is not known is local, lower end of the 95 % interval
-- column:  high         the most: it is as far as can be, upper end
-- column:  cache_lines  different cache lines
-- column:  delta_cache_lines  distance by different cache line
-- column:  home_pct     samples whose nodes are known, 0-100
SELECT
  d.object_id AS object_id,
  o.name AS object,
  d.samples AS samples,
  round(d.delta, 3) AS delta,
  round(d.delta_low, 3) AS low,
  round(d.delta_high, 3) AS high,
  d.cache_lines AS cache_lines,
  round(d.delta_cache_lines, 3) AS delta_cache_lines,
  round(d.home_pct, 1) AS home_pct
FROM numa_distance AS d
LEFT JOIN objects AS o ON o.id = d.object_id
ORDER BY d.scope = 'run' DESC, d.delta * d.samples DESC, d.samples DESC, d.object_id
LIMIT coalesce(:top, 20);
