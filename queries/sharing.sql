-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   sharing
-- summary: Cache lines that several threads use in overlapping periods while at least one of them writes: true or false sharing.
-- param:   by - one row per cache line (cache_line, the default) or per object
-- values:  by cache_line, object
-- param:   object - only lines that contain this object: its id or name
-- param:   top 30 rows at most
-- column:  object_id  objects.id; by=cache_line: of the object with most accesses in the line
-- column:  object     name of the object; by=cache_line: of all objects in the line, that with most accesses first
-- column:  address    by=cache_line: address of the cache line
-- column:  sharing    true sharing: threads use the same bytes; false sharing: different bytes of the line; cannot tell: there are too few samples to say that
-- column:  cache_lines  by=object: number of such cache lines
-- column:  threads    number of threads that use the line; by=object: the largest such number of one line
-- column:  writers    by=cache_line: number of threads that write
-- column:  objects    by=cache_line: number of different objects in the line
-- column:  drawn      number of drawn samples; these are all samples or, if there are very many, an evenly drawn part of them
-- column:  drawn_stores by=cache_line: number of drawn samples that write
-- column:  pct        by=object: share of the object's drawn samples in such lines, by Σ period, 0-100
-- column:  low        lower end of the 95 % interval of pct
-- column:  high       upper end of the 95 % interval of pct
-- column:  drawn_hitm number of drawn samples that found the line modified in another cache (hardware); where every access was counted, that of accesses for which the line moved from another thread
-- column:  cost_pct   share of the run's cost, 0-100; empty: no cost was measured, or there are too few waits
-- column:  cost_low   lower end of the 95 % interval of cost_pct
-- column:  cost_high  upper end of the 95 % interval of cost_pct
-- column:  latency    by=cache_line: mean latency, core cycles; only hardware samplers measure it
-- column:  members    by=cache_line: the members in the line that threads use, each with the threads (tid) that write it and that read it
WITH
  -- as in the report: fewer than 20 waits (or accesses, if there are no waits) do not show what
  -- memory costs
  told AS MATERIALIZED (
    SELECT iif(waits + lost_waits > 0, waits + lost_waits, addressed) >= 20 AS cost FROM totals WHERE scope = 'run'
  ),
  parts AS MATERIALIZED ( -- one row per line and object
    SELECT * FROM shared_lines WHERE together AND coalesce(:by, 'cache_line') = 'cache_line'
  ),
  lines AS MATERIALIZED (
    SELECT
      p.*, s.names AS names
    FROM parts AS p
    JOIN (
      SELECT process_id, address, group_concat(name, ', ') AS names, max(:object IS NULL OR object_id = :object OR name = :object) AS asked
      FROM (SELECT x.process_id, x.address, x.object_id, o.name FROM parts AS x LEFT JOIN objects AS o ON o.id = x.object_id ORDER BY x.object_place)
      GROUP BY process_id, address
    ) AS s ON s.process_id IS p.process_id AND s.address = p.address
    WHERE p.object_place = 1 AND s.asked
  ),
  member AS (
    SELECT
      process_id, address, group_concat(
        place || coalesce(' written by ' || written_by, '') || iif(written_by IS NULL OR read_by IS NULL, '', ',') ||
        coalesce(' read by ' || read_by, ''), '; '
      ) AS text
    FROM (SELECT * FROM shared_members WHERE EXISTS (SELECT 1 FROM lines) ORDER BY process_id, address, byte, place)
    GROUP BY process_id, address
  ),
  part AS (
    SELECT process_id, object_id, names, address, sharing, NULL AS cache_lines, threads, writers, objects, drawn, drawn_estimate_object, drawn_stores, NULL AS share_pct, NULL AS share_low_pct,
      NULL AS share_high_pct, drawn_hitm, cost_pct, cost_low_pct, cost_high_pct, latency_avg
    FROM lines
    UNION ALL
    SELECT NULL, s.object_id, o.name, NULL, sharing, cache_lines, threads, NULL, NULL, drawn, NULL, NULL, share_pct, share_low_pct,
      share_high_pct, drawn_hitm, cost_pct, cost_low_pct, cost_high_pct, NULL
    FROM object_sharing AS s
    JOIN objects AS o ON o.id = s.object_id
    WHERE :by = 'object' AND (:object IS NULL OR s.object_id = :object OR o.name = :object)
  )
SELECT
  p.object_id AS object_id,
  p.names AS object,
  iif(p.address IS NULL, NULL, printf('%x', p.address)) AS address,
  p.sharing AS sharing,
  p.cache_lines AS cache_lines,
  p.threads AS threads,
  p.writers AS writers,
  p.objects AS objects,
  p.drawn AS drawn,
  p.drawn_stores AS drawn_stores,
  round(p.share_pct, 1) AS pct,
  round(p.share_low_pct, 1) AS low,
  round(p.share_high_pct, 1) AS high,
  nullif(p.drawn_hitm, 0) AS drawn_hitm,
  iif(t.cost, round(p.cost_pct, 1), NULL) AS cost_pct,
  iif(t.cost, round(p.cost_low_pct, 1), NULL) AS cost_low,
  iif(t.cost, round(p.cost_high_pct, 1), NULL) AS cost_high,
  round(p.latency_avg, 1) AS latency,
  m.text AS members
FROM part AS p
CROSS JOIN told AS t
LEFT JOIN member AS m ON m.process_id IS p.process_id AND m.address = p.address
ORDER BY p.drawn_hitm DESC, iif(t.cost, p.cost_pct, NULL) DESC, p.drawn_estimate_object DESC, p.drawn DESC, p.object_id, p.address, p.sharing
LIMIT coalesce(:top, 30);
