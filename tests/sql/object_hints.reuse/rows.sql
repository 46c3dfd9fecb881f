-- SPDX-License-Identifier: GPL-2.0-or-later
-- The memory of `table` is placed again and again, and the page faults take most of the time.
.read object_hints.few/rows.sql
INSERT INTO sample_data (id, time, thread_id, cpu, instruction_id, kind_id, address, object_id, allocation_id, object_offset, period)
SELECT 1000 + n.value, s.time + n.value, s.thread_id, s.cpu, s.instruction_id, s.kind_id, s.address, s.object_id, s.allocation_id, s.object_offset, s.period
FROM sample_data AS s, generate_series(1, 20) AS n
WHERE s.id = 22;
