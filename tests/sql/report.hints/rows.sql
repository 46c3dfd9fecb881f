-- SPDX-License-Identifier: GPL-2.0-or-later
-- Loops along the columns of `matrix`, whose samples are far apart, too: the ranking names both hints.
.read object_hints.swap/rows.sql
DELETE FROM sample_data WHERE object_id <> 20;
INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  object_id, object_reason, object_offset, cpu_node_id, home_node_id, home_source, first)
SELECT 1 + value, 2, 1, 0, 1261000000 + value, 4100, 1, 1, 1, 2, (1 << 30) + 4096 * value, 20, NULL, 4096 * value, 0, 0, 3, 1
FROM generate_series(0, 16383);
UPDATE sample_data SET object_offset = ((id * id * 2654435761 >> 9) % 8191) * 8200, address = (1 << 30) + ((id * id * 2654435761 >> 9) % 8191) * 8200;
