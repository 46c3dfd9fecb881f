-- SPDX-License-Identifier: GPL-2.0-or-later
-- 120 of 200 samples are in functions that allocate and free: two of libc, and the global operator new, which is linked in.
-- 10 are in the program's own operator new of a class, and 10 in malloc_usable_size, which do not count.
-- The program allocates 3,000,000 blocks at one line, on two call paths, 1,000,000 at another line, and few elsewhere.
.read data/program.sql
INSERT INTO symbols VALUES (10, 2, '_int_free', '_int_free', 600, 700), (11, 2, 'malloc', '__libc_malloc', 700, 800),
  (12, 1, 'operator new(unsigned long)', '_Znwm', 4300, 4400), (13, 1, 'Pool::operator new(unsigned long)', '_ZN4PoolnwEm', 4400, 4500),
  (14, 2, 'malloc_usable_size', 'malloc_usable_size', 800, 900);
INSERT INTO files VALUES (2, 'malloc.c');
INSERT INTO locations VALUES
  (10, 2, 10, 2, 610, 4, 4000, 3, '_int_free'),
  (11, 2, 11, 2, 710, 4, 3000, 3, 'tcache_get'),
  (12, 1, 12, NULL, 4310, 4, NULL, NULL, 'operator new(unsigned long)'),
  (13, 1, 13, NULL, 4410, 4, NULL, NULL, 'Pool::operator new(unsigned long)'),
  (14, 2, 14, NULL, 810, 4, NULL, NULL, 'malloc_usable_size');
INSERT INTO objects (id, name, kind, dso_id, symbol_id, call_path_id, location_id, thread_id, process_id,
  address_start, size_bytes, allocations, allocated_bytes, function, file_id, line) VALUES
  (90, 'node', 'heap', NULL, NULL, 3, 3, NULL, 1, NULL, 48, 2000000, 48000000, 'work', 1, 12),
  (91, 'node', 'heap', NULL, NULL, 2, 3, NULL, 1, NULL, 48, 1000000, 24000000, 'work', 1, 12),
  (92, 'main (app.c:30)', 'heap', NULL, NULL, 2, 3, NULL, 1, NULL, 48, 1000000, 24000000, 'main', 1, 30);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200),
  place (first, last, location_id, symbol_id, dso_id, ip) AS (
    VALUES (1, 60, 10, 10, 2, 610), (61, 100, 11, 11, 2, 710), (101, 120, 12, 12, 1, 4310), (121, 130, 13, 13, 1, 4410),
      (131, 140, 14, 14, 2, 810), (141, 200, 1, 1, 1, 4100))
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, addr_reason, period, waited, missed, time_kind)
SELECT i, 1, 1, 0, 1500000000 + 500000 * i, ip, location_id, symbol_id, dso_id, 1, 1000000, 0, 0, 2
FROM n JOIN place ON i BETWEEN first AND last;
