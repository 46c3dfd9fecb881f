-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   allocation_latency
-- summary: What memory costs at each allocated block.
-- param:   top 20 rows at most
-- param:   object - only this object: its id or name
-- column:  allocation_id  allocations.id
-- column:  object_id      objects.id
-- column:  object         the object's name
-- column:  allocator      the function that was called
-- column:  address        first byte, hexadecimal
-- column:  size_bytes     size asked for
-- column:  tid            the thread that allocated it
-- column:  life_ms        from birth to death, ms; empty: lived to the end
-- column:  accesses       samples with an address in it
-- column:  wait_ms        waiting time, ms (timer)
-- column:  wait_pct       share of all waiting time at blocks, 0-100
-- column:  wait_low       lower end of its 95 % interval
-- column:  wait_high      upper end
-- column:  weight_sum     sum of latencies, core cycles (hardware)
-- column:  weight_avg     mean latency, core cycles
-- column:  weight_pct     share of all latency at blocks, 0-100; a share of a sum, not of a count: no interval
SELECT
  allocation_id,
  object_id,
  object,
  allocator,
  printf('%x', address_start) AS address,
  size_bytes,
  tid,
  round(life_ns / 1e6, 3) AS life_ms,
  accesses,
  nullif(round(wait_ns / 1e6, 3), 0) AS wait_ms,
  round(wait_pct, 1) AS wait_pct,
  round(wait_low_pct, 1) AS wait_low,
  round(wait_high_pct, 1) AS wait_high,
  nullif(weight_sum, 0) AS weight_sum,
  round(weight_avg, 1) AS weight_avg,
  round(weight_pct, 1) AS weight_pct
FROM allocation_latency
WHERE :object IS NULL OR object_id = :object OR object = :object
ORDER BY wait_ns DESC, weight_sum DESC, accesses DESC, allocation_id
LIMIT coalesce(:top, 20);
