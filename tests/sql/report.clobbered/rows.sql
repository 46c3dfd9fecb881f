-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of data/gone.sql, and 60 more waits for which not even the object is known: the report says where they are, and what may find them.
.read data/gone.sql
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, addr_source, addr_reason, period, cpu_node_id, home_source, waited, time_kind, missed)
SELECT 1000 + value, 1, 2, 1, 2000000000 + value * 1000000, 4210, 3, 2, 1, 3, 0, 2, 1000000, 1, 0, 1, 1, 1 FROM generate_series(1, 60);
