-- SPDX-License-Identifier: GPL-2.0-or-later
-- Objects with fewer pages than nodes use them, all on node 0. `serial` has two pages that are only read: a copy for each node. In `nearly`, each
-- thread writes its own quarter of a page: these parts in pages of their own. All threads write all of `moved`: no placement helps. `other`
-- is used by one node only: move it. `unknown` and the others have no remote pages, or are spread.
.read data/advice.sql
UPDATE objects SET size_bytes = CASE id WHEN 20 THEN 8192 WHEN 24 THEN 512 ELSE 4096 END WHERE id IN (20, 21, 22, 24);
UPDATE sample_data SET object_offset = object_offset % 8192, address = (20 << 24) + object_offset % 8192 WHERE object_id = 20;
UPDATE sample_data SET object_offset = 64, address = (24 << 24) + 64 WHERE object_id = 24;
DELETE FROM sample_data WHERE object_id IN (21, 22);
WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 399)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT 10000 + 400 * o.id + i, 1, i % 4 + 1, i % 4, 9500000000 + i * 1000000, 4210, 3, 2, 1, 3, o.address_start + iif(o.id = 21, i % 4 * 1024 + i / 4 * 8 % 1024, i * 8 % 4096),
  2, 1000000, 2, 8, o.id, iif(o.id = 21, i % 4 * 1024 + i / 4 * 8 % 1024, i * 8 % 4096), i % 4, 0, 2, 1
FROM n, objects AS o WHERE o.id IN (21, 22) ORDER BY 1;
