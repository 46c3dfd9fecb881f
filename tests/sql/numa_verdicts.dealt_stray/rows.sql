-- SPDX-License-Identifier: GPL-2.0-or-later
-- 901 of 1,000 waits were attributed to remote memory. But 890 of them may have been for an object of which only one
-- sample in a hundred is remote, so 881 may have been for local pages. So the verdict must not be "worth it".
.read data/program.sql
UPDATE objects SET size_bytes = 1048576;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, period, memory_opcode, access_bytes, object_id, allocation_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
SELECT i, 1, 2, 1, 1500000000 + i, 4210, 3, 2, 1, 3, iif(i <= 900, 1048576, 65536), 2, 1000000, 1, 8, iif(i <= 900, 1, 2), iif(i <= 900, 1, NULL),
  0, 1, iif(i <= 900 OR i = 1000, 0, 1), 2, 1
FROM n;
INSERT INTO other_waits (object_id, period) VALUES (2, 890000000);
