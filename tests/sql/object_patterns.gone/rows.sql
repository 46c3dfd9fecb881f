-- SPDX-License-Identifier: GPL-2.0-or-later
-- Most samples of these objects have lost their addresses (addr_source 9: only the object is known), so nothing is known of the order and of the parts:
-- pass    one thread: 60 samples with growing addresses, then 340 without. "private", not "growing"
-- halves  two threads, each in its own half in 190 samples with an address, and 210 without. "cannot tell", not "blocks"
-- known   like "halves", but with 280 addresses and 120 without: "blocks"
.read data/program.sql
INSERT INTO objects (id, name, kind, address_start, size_bytes, allocations, allocated_bytes) VALUES
  (21, 'pass', 'static', 1 << 24, 65536, 0, 0), (22, 'halves', 'static', 2 << 24, 65536, 0, 0), (23, 'known', 'static', 3 << 24, 65536, 0, 0);
CREATE TEMP TABLE uses (object_id, k, thread_id, place);
WITH RECURSIVE n (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM n WHERE k < 399)
INSERT INTO uses
SELECT 21, k, 1, iif(k < 60, k * 1024, NULL) FROM n
UNION ALL
SELECT o.id, k, 1 + k % 2, iif(k < iif(o.id = 22, 190, 280), k % 2 * 32768 + (k * 26783 % 32768 & ~7), NULL) FROM n, objects AS o WHERE o.id IN (22, 23);
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, addr_source, period,
  memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT row_number() OVER (ORDER BY k, object_id), 1, thread_id, 1, 1200000000 + k * 1000000, 4210, 3, 2, 1, ((object_id - 20) << 24) + place, iif(place IS NULL, 9, 2), 1000000,
  1, 8, object_id, place, 1, 0, 2, 1
FROM uses;
