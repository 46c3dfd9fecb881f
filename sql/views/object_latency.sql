-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_latency
-- summary: What memory costs at each object.
-- grain:   one row per object with a sample
-- source:  Helm & Taura 2017, listing 3, by object instead of allocation
-- note:    samples without an object are in the view coverage, not here; shares are of all objects
-- column:  object_id       INTEGER  objects.id
-- column:  object          TEXT     its name
-- column:  kind            TEXT     "heap", "static", "stack", "mapping"
-- column:  size_bytes      INTEGER  its size; heap: the largest sum of its blocks alive at one time
-- column:  allocations     INTEGER  heap: number of blocks
-- column:  threads         INTEGER  threads that accessed it (count)
-- column:  writers         INTEGER  threads that wrote to it (count)
-- column:  samples         INTEGER  samples (count)
-- column:  accesses        INTEGER  samples with a data address (count)
-- column:  loads           INTEGER  accesses that read (count)
-- column:  stores          INTEGER  accesses that write (count)
-- column:  waits           INTEGER  samples that waited for their address (count, timer)
-- column:  wait_ns         INTEGER  waiting time, ns (timer)
-- column:  wait_pct        REAL     share of the waiting time at all objects, 0-100; NULL: none was measured
-- column:  wait_low_pct    REAL     lower end of the 95 % Wilson interval of wait_pct, by count
-- column:  wait_high_pct   REAL     upper end
-- column:  wait_of_all_pct REAL     share of all waiting time, also that whose address or object is not known, 0-100; NULL: none was measured
-- column:  weighted        INTEGER  accesses with a weight (count, hardware)
-- column:  weight_sum      INTEGER  sum of the weights, core cycles (hardware)
-- column:  weight_avg      REAL     mean weight, core cycles; NULL: none was measured
-- column:  weight_pct      REAL     share of all weights, 0-100; NULL: none was measured
-- column:  local           INTEGER  accesses to the CPU's own node (count)
-- column:  remote          INTEGER  accesses to another node (count)
-- column:  remote_pct      REAL     remote of local and remote, 0-100; NULL: no home is known
CREATE VIEW object_latency AS
WITH
  part AS (
    SELECT object_id, count(DISTINCT thread_id) AS threads,
    count(DISTINCT iif(stores > 0, thread_id, NULL)) AS writers,
    sum(samples) AS samples, sum(accesses) AS accesses, sum(loads) AS loads, sum(stores) AS stores,
    sum(waits) AS waits, sum(wait_ns) AS wait_ns, sum(weighted) AS weighted, sum(weight) AS weight,
    sum(local) AS local, sum(remote) AS remote
    FROM accesses
    WHERE object_id IS NOT NULL
    GROUP BY object_id
  ),
  total AS (
    SELECT sum(waits) AS n, sum(wait_ns) AS wait_ns, sum(weight) AS weight FROM part
  ),
  everywhere AS (
    SELECT sum(wait_ns + lost_wait_ns) AS wait_ns FROM accesses
  )
SELECT
  p.object_id AS object_id,
  o.name AS object,
  o.kind AS kind,
  o.size_bytes AS size_bytes,
  o.allocations AS allocations,
  p.threads AS threads,
  p.writers AS writers,
  p.samples AS samples,
  p.accesses AS accesses,
  p.loads AS loads,
  p.stores AS stores,
  p.waits AS waits,
  p.wait_ns AS wait_ns,
  100.0 * p.wait_ns / t.wait_ns AS wait_pct,
  round(max(0, 100.0 * (p.waits + 1.9208 - 1.96 * sqrt(1.0 * p.waits * (t.n - p.waits) / t.n + 0.9604)) / (t.n + 3.8416)), 6)
    AS wait_low_pct,
  round(min(100, 100.0 * (p.waits + 1.9208 + 1.96 * sqrt(1.0 * p.waits * (t.n - p.waits) / t.n + 0.9604)) / (t.n + 3.8416)), 6)
    AS wait_high_pct,
  100.0 * p.wait_ns / e.wait_ns AS wait_of_all_pct,
  p.weighted AS weighted,
  p.weight AS weight_sum,
  1.0 * p.weight / p.weighted AS weight_avg,
  100.0 * p.weight / t.weight AS weight_pct,
  p.local AS local,
  p.remote AS remote,
  100.0 * p.remote / (p.local + p.remote) AS remote_pct
FROM part AS p, total AS t, everywhere AS e
LEFT JOIN objects AS o ON o.id = p.object_id;
