-- SPDX-License-Identifier: GPL-2.0-or-later
-- The memory is placed again and again. But only three samples are in page faults, so they do not show how much time
-- the page faults take.
.read object_placement.faults/rows.sql
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  object_id, object_reason, allocation_id, object_offset, cpu_node_id, home_node_id, home_source, first)
SELECT 100 + value, 2, 1, 0, 1261000000 + value, 4100, 1, 1, 1, 2, 1048576 + 4096 * (value % 4), 1, NULL, 1, 4096 * (value % 4), 0, 0, 3, 1
FROM generate_series(0, 59);
