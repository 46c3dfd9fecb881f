-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples of 1 ms of thread 2 on node 1; for many waits only the object is known. Expected results, computed by hand:
--
-- tree     200 waits: 12 have an address on node 0, 188 have no address (20 of the 188 are in block 10). tree has 200 of
--     270 ms of cost. The home of 6 % of the waits is known, and is remote, so 6 to 100 % are remote. There is no advice,
--     because 94 % are unknown. One page is known; the other waits are in a row "unknown"
-- local    60 waits on node 1, and 30 samples on node 0 that hit the first-level cache (missed 0), so they cost nothing
-- flag     ten waits; 50 ms of waits for other objects may have been for flag (other_waits)
--
-- 20 further samples are in page faults of tree: they are part of the thread time of 320 ms, but are not accesses. 12 of
-- 320 ms are known to be waits for remote pages, and 188 more ms may be. The lower bound is 0, because 50 ms that count
-- for other objects may have been waits for flag, whose page is local.
.read data/program.sql
INSERT INTO objects (id, name, kind, process_id, size_bytes, allocations, allocated_bytes, function, file_id, line) VALUES
  (20, 'tree', 'heap', 1, 40960, 2, 40960, 'grow', 1, 30), (21, 'local', 'heap', 1, 65536, 1, 65536, 'grow', 1, 31);
INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (22, 'flag', 'static', 1, 1, 131072, 64, 0, 0);
INSERT INTO allocations VALUES
  (10, 20, 1, 1, NULL, 1, 1200000000, NULL, 16777216, 16797696, 20480, NULL, NULL, NULL, 0, NULL, 1),
  (11, 20, 1, 1, NULL, 1, 1200000000, NULL, 20971520, 20992000, 20480, NULL, NULL, NULL, 0, NULL, 1),
  (12, 21, 1, 1, NULL, 1, 1200000000, NULL, 33554432, 33619968, 65536, NULL, NULL, NULL, 0, NULL, 1);
CREATE TEMP TABLE gone (n, object_id, allocation_id, start, addr_source, home, missed);
INSERT INTO gone VALUES
  (12, 20, 10, 16777216, 6, 0, 1), (20, 20, 10, NULL, 9, NULL, 1), (168, 20, NULL, NULL, 9, NULL, 1),
  (30, 21, 12, 33554432, 2, 1, 1), (20, 21, 12, 33558528, 8, 1, 1), (10, 21, 12, 33562624, 7, 1, 1), (30, 21, 12, 33554432, 2, 0, 0),
  (10, 22, NULL, 131072, 2, 1, 1), (20, 20, 10, 16777216, 5, 0, NULL);
CREATE TEMP TABLE one AS
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
SELECT g.*, n.i AS i FROM gone AS g JOIN n ON n.i <= g.n ORDER BY n.i, g.rowid;
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, addr_reason, period, memory_opcode, access_bytes, object_id, allocation_id, object_offset, cpu_node_id, home_node_id, home_source, waited,
  time_kind, missed)
SELECT rowid, 1, 2, 1, 1500000000 + rowid * 1000000, 4210, 3, 2, 1, 3, start, addr_source, iif(addr_source = 9, 2, NULL), 1000000, 1, 8, object_id,
  allocation_id, iif(start IS NULL, NULL, start & 65535), 1, home, iif(home IS NULL, 0, 2), addr_source <> 5, iif(addr_source = 5, 8, 1), missed
FROM one;
INSERT INTO other_waits (object_id, period) VALUES (22, 50000000);
DROP TABLE gone;
DROP TABLE one;
