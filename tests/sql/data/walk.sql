-- SPDX-License-Identifier: GPL-2.0-or-later
-- A program follows a list: the addresses of 996 waits are lost, and 4 waits are for `table` on the CPU's own node.
-- No wait is known to be remote, but few are known at all: 0 to 99.8 % of the time may have been waits for other nodes.
.read data/program.sql
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, addr_reason, period, memory_opcode, access_bytes, object_id, object_reason, allocation_id, object_offset,
  cpu_node_id, home_node_id, home_source, waited)
SELECT i, 1, 2, 1, 1500000000 + i, 4210, 3, 2, 1, 3, iif(i <= 4, 1048576, NULL), iif(i <= 4, 2, 0), iif(i <= 4, NULL, 2), 1000000, 1, 8,
  iif(i <= 4, 1, NULL), iif(i <= 4, NULL, 1), iif(i <= 4, 1, NULL), iif(i <= 4, 0, NULL), 1, iif(i <= 4, 1, NULL), 2, 1
FROM n;
