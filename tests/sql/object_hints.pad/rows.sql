-- SPDX-License-Identifier: GPL-2.0-or-later
-- More samples of "flags": two threads write to different bytes of one line. There must be two hints: one about
-- its pages, and one about the line.
.read data/numa.sql
INSERT INTO sample_data (id, time, thread_id, cpu, instruction_id, kind_id, address, object_id, allocation_id, object_offset, period)
SELECT 1000 + 10 * n.value + s.id % 10, s.time + n.value, s.thread_id, s.cpu, s.instruction_id, s.kind_id, s.address, s.object_id, s.allocation_id, s.object_offset, s.period
FROM sample_data AS s, generate_series(1, 20) AS n
WHERE s.object_id = 12;
