-- SPDX-License-Identifier: GPL-2.0-or-later
-- Thirteen timer samples: waits for `table` (1 MiB, so they are waits for memory), for `counter` (8 bytes that one
-- thread writes while another uses them, so they are also waits for memory) and for `buf` (64 bytes, which stay
-- cached), and samples in an atomic instruction, a spin loop, code of an unknown file, and a page fault.
.read data/timer.sql
UPDATE access_kinds SET time_kind = CASE
  WHEN id <= 9 THEN 1 WHEN id = 10 THEN 5 WHEN id = 11 THEN 6 WHEN id = 12 THEN 0 WHEN id = 13 THEN 8 END
WHERE id <= 13;
UPDATE objects SET size_bytes = 1 << 20 WHERE id = 1;
UPDATE sample_data SET object_id = 3, allocation_id = 3 WHERE id = 8;
UPDATE access_kinds SET time_kind = 2, missed = 0 WHERE id = (SELECT kind_id FROM sample_data WHERE id = 8);
