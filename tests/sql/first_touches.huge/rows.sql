-- SPDX-License-Identifier: GPL-2.0-or-later
-- Thread 1 has 60 faults of 2 MiB pages, and thread 2 has 2,048 faults of 4 KiB pages. So thread 1 touched 120 of 128
-- MiB, 93.75 %.
.read data/program.sql
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2108)
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, object_id,
  object_offset, cpu_node_id, home_node_id, home_source, first, page_bytes)
SELECT i, 2, iif(i <= 60, 1, 2), iif(i <= 60, 0, 1), 1100000000 + i, 4100, 1, 1, 1, i * 4096, 1, i * 4096, iif(i <= 60, 0, 1), iif(i <= 60, 0, 1), 3, 1,
  iif(i <= 60, 2097152, NULL)
FROM n;
