-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   slices
-- summary: What changes in time: samples, cost and remote memory by slices of the run.
-- param:   by - of what: run (if not said), object, function or thread: each slice's three that cost most
-- values:  by run, object, function, thread
-- param:   slices 20 equal parts of the run
-- param:   object - only this object: its id or name
-- column:  from_s      begin of the slice, seconds since the start
-- column:  to_s        its end
-- column:  name        of the object, function (innermost, inlined or not) or thread
-- column:  drawn       drawn samples with an address
-- column:  stores      those that write
-- column:  cost_pct    share of the cost of all slices, 0-100
-- column:  latency     mean latency, core cycles (hardware)
-- column:  remote_pct  of those whose nodes are known, of pages on another node, 0-100; empty on one node
-- column:  remote_low  least share of all, lower end of the 95 % interval
-- column:  remote_high largest share, upper end
-- column:  home_pct    drawn samples whose nodes are known, 0-100
WITH
  extent AS MATERIALIZED (
    SELECT start_ns AS start_ns, max(1, end_ns - start_ns) AS ns, max(1, coalesce(:slices, 20)) AS n FROM runs
  ),
  part AS (
    SELECT
      max(0, min((s.time - e.start_ns) * e.n / e.ns, e.n - 1)) AS slice, iif(:by = 'object', s.object_id, NULL) AS object_id,
      iif(:by = 'function', coalesce(l.function, y.name, '[' || trim(coalesce(d.short_name, 'unknown'), '[]') || ']'), NULL) AS function, iif(:by = 'thread', s.thread_id, NULL) AS thread_id, count(*) AS drawn,
      sum(s.stores) AS stores, sum(s.cost) AS cost, total(iif(s.latency IS NOT NULL, s.estimate, 0)) AS measured, total(s.latency * s.estimate) AS latency,
      total(s.estimate) AS estimate, total(1.0 * s.estimate * s.estimate) AS estimate_sq,
      total(s.estimate * (s.home_node_id = s.cpu_node_id)) AS local, total(s.estimate * (s.home_node_id <> s.cpu_node_id)) AS remote
    FROM drawn_samples AS s
    CROSS JOIN extent AS e
    LEFT JOIN instructions AS i ON i.id = s.instruction_id
    LEFT JOIN locations AS l ON l.id = i.location_id
    LEFT JOIN symbols AS y ON y.id = i.symbol_id
    LEFT JOIN dsos AS d ON d.id = i.dso_id
    LEFT JOIN objects AS o ON o.id = s.object_id
    WHERE :object IS NULL OR s.object_id = :object OR o.name = :object
    GROUP BY 1, 2, 3, 4
  ),
  ranked AS (
    SELECT *, sum(cost) OVER () AS all_cost, row_number() OVER (PARTITION BY slice ORDER BY cost DESC, drawn DESC, object_id, function, thread_id) AS place
    FROM part
  )
SELECT
  round(1.0 * r.slice * e.ns / e.n / 1e9, 3) AS from_s,
  round(1.0 * (r.slice + 1) * e.ns / e.n / 1e9, 3) AS to_s,
  CASE :by
    WHEN 'object' THEN coalesce(o.name, '[no object]')
    WHEN 'function' THEN r.function
    WHEN 'thread' THEN coalesce(t.comm, '') || coalesce(' ' || t.tid, '')
  END AS name,
  r.drawn AS drawn,
  r.stores AS stores,
  round(100.0 * r.cost / nullif(r.all_cost, 0), 1) AS cost_pct,
  round(r.latency / nullif(r.measured, 0), 1) AS latency,
  iif((SELECT count(*) FROM nodes) <> 1, round(100.0 * r.remote / nullif(r.local + r.remote, 0), 1), NULL) AS remote_pct,
  iif((SELECT count(*) FROM nodes) <> 1 AND r.local + r.remote > 0, round(max(0, 100.0 * (r.remote * r.estimate + 1.9208 * r.estimate_sq - 1.96 * sqrt(r.remote * (r.estimate - r.remote) * r.estimate_sq + 0.9604 * r.estimate_sq * r.estimate_sq)) / (r.estimate * r.estimate + 3.8416 * r.estimate_sq)), 1), NULL) AS remote_low,
  iif((SELECT count(*) FROM nodes) <> 1 AND r.local + r.remote > 0, round(min(100, 100.0 * ((r.estimate - r.local) * r.estimate + 1.9208 * r.estimate_sq + 1.96 * sqrt((r.estimate - r.local) * (r.estimate - (r.estimate - r.local)) * r.estimate_sq + 0.9604 * r.estimate_sq * r.estimate_sq)) / (r.estimate * r.estimate + 3.8416 * r.estimate_sq)), 1), NULL) AS remote_high,
  iif((SELECT count(*) FROM nodes) <> 1, round(100.0 * (r.local + r.remote) / r.estimate, 1), NULL) AS home_pct
FROM ranked AS r
CROSS JOIN extent AS e
LEFT JOIN objects AS o ON o.id = r.object_id
LEFT JOIN threads AS t ON t.id = r.thread_id
WHERE r.place <= 3
ORDER BY r.slice, r.place;
