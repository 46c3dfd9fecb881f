-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples that represent different numbers of accesses:
-- heavy    thread 1 has 100 samples of 100,000 accesses each, thread 2 has 300 samples of 100 accesses each. By accesses,
--     the object is private to thread 1 (99.7 %); by samples, thread 2 would have 75 %
-- counted  an event that counts every access (period 1): each of two threads has two rows of a million accesses in its
--     own half, so four rows are enough for the pattern "blocks"
-- thin     400 samples of four threads, but one sample represents almost all accesses. The effective sample size is 1, so
--     there is no pattern
.read data/program.sql
INSERT INTO threads VALUES (3, 1, 100, 102, 'worker', 1100000000, NULL), (4, 1, 100, 103, 'worker', 1100000000, NULL);
INSERT INTO selected_events VALUES (5, 'accesses', 'access', 4, 0, 0, 1, NULL, 'software', NULL);
INSERT INTO objects (id, name, kind, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (21, 'heavy', 'static', 1 << 24, 65536, 0, 0), (22, 'counted', 'static', 2 << 24, 65536, 0, 0), (23, 'thin', 'static', 3 << 24, 65536, 0, 0);
CREATE TEMP TABLE uses (object_id, k, thread_id, evsel_id, place, period);
WITH RECURSIVE n (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < 399)
INSERT INTO uses
SELECT 21, k, iif(k % 4, 2, 1), 3, k * 26783 % 65536 & ~7, iif(k % 4, 100, 100000) FROM n
UNION ALL
SELECT 22, k, 1 + k / 2, 5, k / 2 * 32768 + k % 2 * 64, 1000000 FROM n WHERE k < 4
UNION ALL
SELECT 23, k, 1 + k % 4, 3, k * 26783 % 65536 & ~7, iif(k = 200, 1000000000, 1000) FROM n;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, addr_source, period,
  memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source)
SELECT row_number() OVER (ORDER BY k, object_id), evsel_id, thread_id, 1, 1200000000 + k * 1000000, 4210, 3, 2, 1, ((object_id - 20) << 24) + place, 1, period,
  1, 8, object_id, place, 1, 0, 2
FROM uses;
