-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    allocation_latency
-- summary: What memory costs at each allocated block.
-- grain:   one row per allocation with a sample
-- source:  Helm & Taura 2017, listing 3
-- column:  allocation_id   INTEGER  allocations.id
-- column:  object_id       INTEGER  objects.id
-- column:  object          TEXT     the object's name
-- column:  allocator       TEXT     the function that was called, as "malloc"
-- column:  address_start   INTEGER  first byte
-- column:  address_end     INTEGER  one past the last byte
-- column:  size_bytes      INTEGER  size asked for, bytes
-- column:  tid             INTEGER  the thread that allocated it, the kernel's number
-- column:  life_ns         INTEGER  from birth to death, ns; NULL: lived to the end
-- column:  accesses        INTEGER  samples with an address in it (count)
-- column:  waits           INTEGER  samples that waited for their address (count, timer)
-- column:  wait_ns         INTEGER  waiting time, ns (timer)
-- column:  wait_pct        REAL     share of all waiting time at blocks, 0-100; NULL: none was measured
-- column:  wait_low_pct    REAL     lower end of the 95 % Wilson interval of wait_pct, by count
-- column:  wait_high_pct   REAL     upper end
-- column:  weighted        INTEGER  accesses with a weight (count, hardware)
-- column:  weight_sum      INTEGER  sum of the weights, core cycles (hardware)
-- column:  weight_avg      REAL     mean weight, core cycles; NULL: none was measured
-- column:  weight_pct      REAL     share of all weights at blocks, 0-100 (a sum of weights is no proportion: no interval); NULL: none was measured
CREATE VIEW allocation_latency AS
WITH
  part AS (
    SELECT
      c.allocation_id AS id,
      sum(c.samples) AS accesses,
      sum(iif(e.role = 'time' AND c.addr_source = 2, c.samples, 0)) AS waits,
      sum(iif(e.role = 'time' AND c.addr_source = 2, c.period, 0)) AS wait_ns,
      sum(iif(c.addr_source = 1, c.weighted, 0)) AS weighted,
      sum(iif(c.addr_source = 1, c.weight, 0)) AS weight
    FROM allocation_cells AS c
    LEFT JOIN selected_events AS e ON e.id = c.evsel_id
    GROUP BY c.allocation_id
  ),
  total AS (
    SELECT sum(waits) AS waits, sum(wait_ns) AS wait_ns, sum(weight) AS weight FROM part
  )
SELECT
  p.id AS allocation_id,
  a.object_id AS object_id,
  o.name AS object,
  f.name AS allocator,
  a.address_start AS address_start,
  a.address_end AS address_end,
  a.size_bytes AS size_bytes,
  th.tid AS tid,
  a.end_time - a.time AS life_ns,
  p.accesses AS accesses,
  p.waits AS waits,
  p.wait_ns AS wait_ns,
  100.0 * p.wait_ns / t.wait_ns AS wait_pct,
  wilson_low(p.waits, t.waits) AS wait_low_pct,
  wilson_high(p.waits, t.waits) AS wait_high_pct,
  p.weighted AS weighted,
  p.weight AS weight_sum,
  1.0 * p.weight / p.weighted AS weight_avg,
  100.0 * p.weight / t.weight AS weight_pct
FROM part AS p, total AS t
LEFT JOIN allocations AS a ON a.id = p.id
LEFT JOIN objects AS o ON o.id = a.object_id
LEFT JOIN allocation_functions AS f ON f.id = a.function
LEFT JOIN threads AS th ON th.id = a.thread_id;
