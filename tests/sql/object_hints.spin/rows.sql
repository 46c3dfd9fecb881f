-- SPDX-License-Identifier: GPL-2.0-or-later
-- More samples of "counter": two threads write and read the same bytes of one line. Thread 1 waited
-- for the line, thread 2 spins on a word of it.
.read data/numa.sql
INSERT INTO sample_data (id, time, thread_id, cpu, instruction_id, kind_id, address, object_id, allocation_id, object_offset, period)
SELECT 1000 + 10 * n.value + s.id % 10, s.time + n.value, s.thread_id, s.cpu, s.instruction_id, s.kind_id, s.address, s.object_id, s.allocation_id, s.object_offset, s.period
FROM sample_data AS s, generate_series(1, 20) AS n
WHERE s.object_id = 13;
UPDATE access_kinds SET time_kind = 10 WHERE id IN (SELECT kind_id FROM sample_data WHERE object_id = 13 AND thread_id <> 2);
UPDATE access_kinds SET time_kind = 6 WHERE id IN (SELECT kind_id FROM sample_data WHERE object_id = 13 AND thread_id = 2);
