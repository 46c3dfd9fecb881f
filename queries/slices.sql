-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   slices
-- summary: Samples, cost and remote accesses by time slice of the run.
-- param:   by - for each slice, one row for the run (default), or one row for each of the three objects, functions or threads with the highest cost
-- values:  by run, object, function, thread
-- param:   slices 20 number of equal parts of the run
-- values:  slices 1..65536
-- param:   object - only this object: its id or name
-- column:  from_s      start of the slice, seconds since the start
-- column:  to_s        end of the slice, seconds since the start
-- column:  name        name of the object, function (of the innermost frame, inlined or not) or thread; [no object]: samples without an object, including waits whose object is not known
-- column:  drawn       number of drawn samples whose address, or at least whose object, is known
-- column:  drawn_stores number of drawn samples that write
-- column:  cost_pct    share of the run's cost, estimated from drawn samples, 0-100
-- column:  cost_low    lower end of the 95 % interval of cost_pct
-- column:  cost_high   upper end of the 95 % interval of cost_pct
-- column:  lost_pct    the part of cost_pct for accesses whose address and object are lost
-- column:  access_pct  share of all accesses of the run, estimated from drawn samples, 0-100; empty: the samplers timer and cycles sample time, not accesses
-- column:  access_low  lower end of the 95 % interval of access_pct
-- column:  access_high upper end of the 95 % interval of access_pct
-- column:  latency     mean latency, core cycles; only hardware samplers measure it
-- column:  remote_pct  share of accesses to pages on a different node, among the samples whose nodes are known, 0-100; empty on a machine with one node
-- column:  remote_low  lower bound of remote_pct: counts samples with unknown nodes as local; lower end of the 95 % interval
-- column:  remote_high upper bound of remote_pct: counts samples with unknown nodes as remote; upper end of the 95 % interval
-- column:  home_pct    coverage: share of drawn samples whose nodes are known, 0-100
WITH
  extent AS MATERIALIZED (
    SELECT start_ns AS start_ns, max(1, end_ns - start_ns) AS ns, max(1, coalesce(:slices, 20)) AS n FROM runs
  ),
  -- with by=object, the cost of accesses whose address is lost belongs to no object, so it has its
  -- own rows below
  access AS (
    SELECT
      id, time, thread_id, object_id, nullif(addressed, 0) AS addressed, stores, cost, iif(:by = 'object' OR :object IS NOT NULL, 0, lost_cost) AS lost, one_in, accesses, latency,
      iif(addressed, estimate, NULL) AS estimate, iif(addressed, estimate_sq, NULL) AS estimate_sq, home_node_id = cpu_node_id AS local
    FROM drawn_samples
    WHERE addressed OR lost_cost > 0
    UNION ALL
    SELECT id, time, NULL, NULL, NULL, NULL, 0, lost_cost, one_in, 0, NULL, NULL, NULL, NULL
    FROM drawn_samples
    WHERE :by = 'object' AND lost_cost > 0
  ),
  part AS (
    SELECT
      max(0, min((d.time - e.start_ns) * e.n / e.ns, e.n - 1)) AS slice,
      CASE :by
        WHEN 'object' THEN coalesce(o.name, '[no object]')
        WHEN 'function' THEN (SELECT s.function FROM access_samples AS s WHERE s.sample_id = d.id)
        WHEN 'thread' THEN coalesce(t.comm, '') || coalesce(' ' || t.tid, '')
      END AS name,
      CASE :by WHEN 'object' THEN d.object_id WHEN 'thread' THEN d.thread_id END AS id, total(iif(d.addressed IS NULL, 0, d.accesses)) AS drawn, sum(d.stores * d.accesses) AS stores,
      sum(d.cost + d.lost) * d.one_in AS cost, sum(d.lost) * d.one_in AS lost, d.one_in AS one_in, total(iif(d.latency IS NOT NULL, d.estimate, 0)) AS measured, total(d.latency * d.estimate) AS latency,
      total(d.estimate) AS estimate, total(d.estimate_sq) AS estimate_sq,
      total(d.estimate * d.local) AS local, total(d.estimate * (1 - d.local)) AS remote
    FROM access AS d
    CROSS JOIN extent AS e
    LEFT JOIN objects AS o ON o.id = d.object_id
    LEFT JOIN threads AS t ON t.id = d.thread_id
    WHERE :object IS NULL OR d.object_id = :object OR o.name = :object
    GROUP BY 1, 2, 3
  ),
  -- shares from 0 to 1: c and lost_share of the cost of the run, a of its accesses, least and most:
  -- the bounds of the remote share. c_sq, a_sq, e: the inverse of their effective sample sizes.
  -- NULL: not known, or one node
  share AS (
    SELECT
      p.*, row_number() OVER (PARTITION BY p.slice ORDER BY p.cost DESC, p.estimate DESC, p.name, p.id) AS place,
      min(1.0, p.cost / r.cost) AS c, min(1.0, p.lost / r.cost) AS lost_share, r.sq * p.one_in / (r.cost * r.cost) AS c_sq,
      min(1.0, p.estimate * p.one_in / r.n) AS a, iif(r.n_sq = 0, (SELECT sum(estimate_sq) FROM drawn_samples WHERE addressed) * p.one_in, r.n_sq) * p.one_in / (r.n * r.n) AS a_sq,
      iif(r.nodes <> 1 AND p.local + p.remote > 0, p.remote / p.estimate, NULL) AS least, 1 - p.local / p.estimate AS most, p.estimate_sq / (p.estimate * p.estimate) AS e
    FROM part AS p
    CROSS JOIN (SELECT nullif(cost + lost_cost, 0) AS cost, cost_sq AS sq, iif(thread_time = 0, nullif(estimate, 0), NULL) AS n, estimate_sq AS n_sq, (SELECT count(*) FROM nodes) AS nodes FROM totals WHERE scope = 'run') AS r
  )
SELECT
  round(1.0 * s.slice * e.ns / e.n / 1e9, 3) AS from_s,
  round(1.0 * (s.slice + 1) * e.ns / e.n / 1e9, 3) AS to_s,
  s.name AS name,
  CAST(s.drawn AS INTEGER) AS drawn,
  s.stores AS drawn_stores,
  round(100 * s.c, 1) AS cost_pct,
  round(max(0, 100 * (s.c + 1.9208 * s.c_sq - 1.96 * sqrt(s.c * (1 - s.c) * s.c_sq + 0.9604 * s.c_sq * s.c_sq)) / (1 + 3.8416 * s.c_sq)), 1) AS cost_low,
  round(min(100, 100 * (s.c + 1.9208 * s.c_sq + 1.96 * sqrt(s.c * (1 - s.c) * s.c_sq + 0.9604 * s.c_sq * s.c_sq)) / (1 + 3.8416 * s.c_sq)), 1) AS cost_high,
  round(100 * s.lost_share, 1) AS lost_pct,
  round(100 * s.a, 1) AS access_pct,
  round(max(0, 100 * (s.a + 1.9208 * s.a_sq - 1.96 * sqrt(s.a * (1 - s.a) * s.a_sq + 0.9604 * s.a_sq * s.a_sq)) / (1 + 3.8416 * s.a_sq)), 1) AS access_low,
  round(min(100, 100 * (s.a + 1.9208 * s.a_sq + 1.96 * sqrt(s.a * (1 - s.a) * s.a_sq + 0.9604 * s.a_sq * s.a_sq)) / (1 + 3.8416 * s.a_sq)), 1) AS access_high,
  round(s.latency / nullif(s.measured, 0), 1) AS latency,
  iif(s.least IS NULL, NULL, round(100 * s.remote / (s.local + s.remote), 1)) AS remote_pct,
  round(max(0, 100 * (s.least + 1.9208 * s.e - 1.96 * sqrt(s.least * (1 - s.least) * s.e + 0.9604 * s.e * s.e)) / (1 + 3.8416 * s.e)), 1) AS remote_low,
  iif(s.least IS NULL, NULL, round(min(100, 100 * (s.most + 1.9208 * s.e + 1.96 * sqrt(s.most * (1 - s.most) * s.e + 0.9604 * s.e * s.e)) / (1 + 3.8416 * s.e)), 1)) AS remote_high,
  iif(s.least IS NULL, NULL, round(100 * (s.local + s.remote) / s.estimate, 1)) AS home_pct
FROM share AS s
CROSS JOIN extent AS e
WHERE s.place <= 3
ORDER BY s.slice, s.place;
