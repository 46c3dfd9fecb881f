-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_latency
-- summary: What memory costs at each object.
-- grain:   one row per object with a sample
-- source:  Helm & Taura 2017, listing 3, by object instead of allocation
-- note:    samples without an object are in the view coverage, not here
-- note:    cost_pct is a share of everything, as in the report; wait_pct and weight_pct are shares of what all objects have
-- column:  object_id       INTEGER  objects.id
-- column:  object          TEXT     its name
-- column:  kind            TEXT     "heap", "static", "stack", "mapping"
-- column:  size_bytes      INTEGER  its size; heap: the largest sum of its blocks alive at one time
-- column:  allocations     INTEGER  heap: number of blocks
-- column:  estimated       INTEGER  1: size and number are estimates, of the small blocks one in N was recorded (and of the accesses to them)
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
-- column:  cost_pct        REAL     share of all cost, also that whose address or object is not known, 0-100: waiting time (timer), waits (cycles) or weights (hardware); NULL: none was measured
-- column:  cost_low_pct    REAL     lower end of its 95 % Wilson interval, by count of waits; NULL: of weights
-- column:  cost_high_pct   REAL     upper end
-- column:  time_pct        REAL     waiting time as a share of all thread time, 0-100; NULL: none was measured
-- column:  time_low_pct    REAL     lower end of its 95 % Wilson interval, by count
-- column:  time_high_pct   REAL     upper end
-- column:  weighted        INTEGER  accesses with a weight (count, hardware)
-- column:  weight_sum      INTEGER  sum of the weights, core cycles (hardware)
-- column:  weight_avg      REAL     mean weight, core cycles; NULL: none was measured
-- column:  weight_pct      REAL     share of all weights, 0-100 (a sum of weights is no proportion: no interval); NULL: none was measured
-- column:  local           INTEGER  accesses to the CPU's own node (count)
-- column:  remote          INTEGER  accesses to another node (count)
-- column:  remote_pct      REAL     remote of local and remote, 0-100; NULL: no home is known
-- column:  remote_low_pct  REAL     lower end of its 95 % Wilson interval
-- column:  remote_high_pct REAL     upper end
-- column:  home_pct        REAL     coverage of remote_pct: local and remote of all accesses, 0-100
CREATE VIEW object_latency AS
WITH
  total AS MATERIALIZED (
    SELECT timed, time_ns, waits + lost_waits AS waits, wait_ns + lost_wait_ns AS wait_ns, weight FROM thing_sums WHERE of = 'run'
  )
SELECT
  h.object_id AS object_id,
  o.name AS object,
  o.kind AS kind,
  o.size_bytes AS size_bytes,
  o.allocations AS allocations,
  o.estimated AS estimated,
  h.threads AS threads,
  h.writers AS writers,
  h.samples AS samples,
  h.accesses AS accesses,
  h.loads AS loads,
  h.stores AS stores,
  h.waits AS waits,
  h.wait_ns AS wait_ns,
  h.wait_pct AS wait_pct,
  h.wait_low_pct AS wait_low_pct,
  h.wait_high_pct AS wait_high_pct,
  CASE WHEN t.wait_ns > 0 THEN 100.0 * h.wait_ns / t.wait_ns WHEN t.waits > 0 THEN 100.0 * h.waits / t.waits WHEN t.weight > 0 THEN 100.0 * h.weight_sum / t.weight END AS cost_pct,
  wilson_low(h.waits, t.waits) AS cost_low_pct,
  wilson_high(h.waits, t.waits) AS cost_high_pct,
  100.0 * h.wait_ns / nullif(t.time_ns, 0) AS time_pct,
  iif(t.time_ns > 0, wilson_low(h.waits, t.timed), NULL) AS time_low_pct,
  iif(t.time_ns > 0, wilson_high(h.waits, t.timed), NULL) AS time_high_pct,
  h.weighted AS weighted,
  h.weight_sum AS weight_sum,
  h.weight_avg AS weight_avg,
  h.weight_pct AS weight_pct,
  h.local AS local,
  h.remote AS remote,
  h.remote_pct AS remote_pct,
  h.remote_low_pct AS remote_low_pct,
  h.remote_high_pct AS remote_high_pct,
  h.home_pct AS home_pct
FROM shares AS h
CROSS JOIN total AS t
LEFT JOIN objects AS o ON o.id = h.object_id
WHERE h.of = 'object';
