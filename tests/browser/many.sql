-- SPDX-License-Identifier: GPL-2.0-or-later
-- 13 times as many samples as nodes.sql. A page has room for fewer points, so it draws only some of them.
.read ../browser/nodes.sql
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
INSERT INTO sample_data
SELECT s.id + n.i * 24000, s.time + n.i * 2400000000, s.thread_id, s.cpu, s.instruction_id, s.kind_id, s.call_path_id, s.address, s.object_id,
  s.allocation_id, s.object_offset, s.period, s.weight, s.ins_lat, s.phys_address
FROM n CROSS JOIN sample_data AS s
ORDER BY n.i, s.id;
UPDATE runs SET end_ns = start_ns + 13 * 2400000000;
