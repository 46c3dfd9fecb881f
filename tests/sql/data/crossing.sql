-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two threads use three cache lines by turns, twice. Thread 1 writes 16 bytes: 8 in line 0, which only this thread
-- uses, and 8 in line 1, where thread 2 writes the same bytes (true sharing). Thread 2 also writes 64 bytes that begin
-- at the last byte of line 1, and thread 1 writes the last byte of line 2 (false sharing). 4 of 8 accesses cross a
-- line, so there are 12 uses of lines: 6 of line 1 and 4 of line 2.
.read data/program.sql
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (20, 'unaligned', 'static', 1, 1, 8388608, 192, 0, 0);
CREATE TEMP TABLE crossing (thread_id, object_offset, access_bytes);
INSERT INTO crossing VALUES (1, 56, 16), (2, 64, 8), (2, 127, 64), (1, 191, 1), (1, 56, 16), (2, 64, 8), (2, 127, 64), (1, 191, 1);
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, home_source, waited)
SELECT rowid, 1, thread_id, thread_id - 1, 1500000000 + rowid * 1000000, 4210, 3, 2, 1, 3, 8388608 + object_offset,
  2, 1000000, 2, access_bytes, 20, object_offset, 2, 1
FROM crossing;
DROP TABLE crossing;
