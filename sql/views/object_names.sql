-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_names
-- summary: What memory costs at all objects of one name and place together.
-- grain:   one row per name, kind, function, file and line with an object
-- note:    blocks of one line are as many objects as call paths lead there (the nodes of a container, a pool that everybody
--          takes from), a static variable is one in each process: here they count together
-- column:  object_id       INTEGER  objects.id of the first of them
-- column:  object          TEXT     the name
-- column:  kind            TEXT     "heap", "static", "stack", "mapping"
-- column:  function        TEXT     where they come from, as in objects: the function
-- column:  file            TEXT     source file
-- column:  line            INTEGER  source line
-- column:  objects         INTEGER  number of objects (count)
-- column:  sampled         INTEGER  those with a sample (count)
-- column:  size_bytes      INTEGER  sum of their sizes; heap: of the most bytes alive at one time, which may have been at different times
-- column:  allocations     INTEGER  heap: number of blocks
-- column:  estimated       INTEGER  1: size and number are estimates, of the small blocks one in N was recorded (and of the accesses to them)
-- column:  threads         INTEGER  threads that accessed them (count)
-- column:  writers         INTEGER  threads that wrote to them (count)
-- column:  samples         INTEGER  samples (count)
-- column:  accesses        INTEGER  samples with a data address (count)
-- column:  waits           INTEGER  samples that waited for their address (count, timer or cycles)
-- column:  wait_ns         INTEGER  waiting time, ns (timer)
-- column:  cost_pct        REAL     share of all cost, as in object_latency, 0-100; NULL: none was measured
-- column:  cost_low_pct    REAL     lower end of its 95 % Wilson interval, by count of waits; NULL: of weights
-- column:  cost_high_pct   REAL     upper end
-- column:  weighted        INTEGER  accesses with a weight (count, hardware)
-- column:  weight_sum      INTEGER  sum of the weights, core cycles (hardware)
-- column:  weight_avg      REAL     mean weight, core cycles; NULL: none was measured
-- column:  local           INTEGER  accesses to the CPU's own node (count)
-- column:  remote          INTEGER  accesses to another node (count)
-- column:  remote_pct      REAL     remote of local and remote, 0-100; NULL: no home is known
-- column:  remote_low_pct  REAL     lower end of its 95 % Wilson interval
-- column:  remote_high_pct REAL     upper end
CREATE VIEW object_names AS
WITH
  total AS MATERIALIZED (
    SELECT sum(waits + lost_waits) AS waits, sum(wait_ns + lost_wait_ns) AS wait_ns, sum(weight) AS weight FROM thing_sums WHERE of = 'run'
  ),
  member AS MATERIALIZED (
    SELECT id, size_bytes, allocations, estimated, min(id) OVER (PARTITION BY name, kind, function, file_id, line) AS first_id
    FROM objects
  ),
  made AS (
    SELECT first_id, count(*) AS objects, sum(size_bytes) AS size_bytes, sum(allocations) AS allocations, max(estimated) AS estimated
    FROM member
    GROUP BY first_id
  ),
  used AS (
    SELECT
      m.first_id AS first_id, count(DISTINCT m.id) AS sampled, count(DISTINCT a.thread_id) AS threads,
      count(DISTINCT iif(a.stores > 0, a.thread_id, NULL)) AS writers, sum(a.samples) AS samples, sum(a.accesses) AS accesses,
      sum(a.waits) AS waits, sum(a.wait_ns) AS wait_ns, sum(a.weighted) AS weighted, sum(a.weight) AS weight, sum(a.local) AS local,
      sum(a.remote) AS remote
    FROM thing_sums AS a
    JOIN member AS m ON m.id = a.object_id
    WHERE a.of = 'object_thread'
    GROUP BY m.first_id
  )
SELECT
  o.id AS object_id,
  o.name AS object,
  o.kind AS kind,
  o.function AS function,
  f.path AS file,
  o.line AS line,
  m.objects AS objects,
  coalesce(u.sampled, 0) AS sampled,
  m.size_bytes AS size_bytes,
  m.allocations AS allocations,
  m.estimated AS estimated,
  coalesce(u.threads, 0) AS threads,
  coalesce(u.writers, 0) AS writers,
  coalesce(u.samples, 0) AS samples,
  coalesce(u.accesses, 0) AS accesses,
  coalesce(u.waits, 0) AS waits,
  coalesce(u.wait_ns, 0) AS wait_ns,
  CASE
    WHEN t.wait_ns > 0 THEN 100.0 * coalesce(u.wait_ns, 0) / t.wait_ns
    WHEN t.waits > 0 THEN 100.0 * coalesce(u.waits, 0) / t.waits
    WHEN t.weight > 0 THEN 100.0 * coalesce(u.weight, 0) / t.weight
  END AS cost_pct,
  wilson_low(coalesce(u.waits, 0), t.waits) AS cost_low_pct,
  wilson_high(coalesce(u.waits, 0), t.waits) AS cost_high_pct,
  coalesce(u.weighted, 0) AS weighted,
  coalesce(u.weight, 0) AS weight_sum,
  1.0 * u.weight / u.weighted AS weight_avg,
  coalesce(u.local, 0) AS local,
  coalesce(u.remote, 0) AS remote,
  100.0 * u.remote / (u.local + u.remote) AS remote_pct,
  wilson_low(u.remote, (u.local + u.remote)) AS remote_low_pct,
  wilson_high(u.remote, (u.local + u.remote)) AS remote_high_pct
FROM made AS m
JOIN objects AS o ON o.id = m.first_id
CROSS JOIN total AS t
LEFT JOIN used AS u ON u.first_id = m.first_id
LEFT JOIN files AS f ON f.id = o.file_id;
