-- SPDX-License-Identifier: GPL-2.0-or-later
-- So many samples of `scattered` that only a part of them is drawn: the hint compares drawn samples with drawn samples.
.read object_hints.pages/rows.sql
INSERT INTO sample_data (id, time, thread_id, cpu, instruction_id, kind_id, address, object_id, allocation_id, object_offset, period)
SELECT 100000 + n.value, s.time + 100000 * n.value, s.thread_id, s.cpu, s.instruction_id, s.kind_id, (1 << 30) + (((n.value * n.value * 2654435761 >> 9) % 16384) << 12), s.object_id,
  s.allocation_id, ((n.value * n.value * 2654435761 >> 9) % 16384) << 12, s.period
FROM sample_data AS s, generate_series(1, 70000) AS n
WHERE s.id = 1;
