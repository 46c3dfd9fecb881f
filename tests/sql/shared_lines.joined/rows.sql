-- SPDX-License-Identifier: GPL-2.0-or-later
-- Every access was counted. main writes "counter" 30 times. Each time, it starts a thread that reads "counter" once, and waits until this thread
-- ends. The line moves to main 29 times, because another thread has read it, and once to each other thread.
.read data/program.sql
UPDATE runs SET sampler = 'exact';
UPDATE selected_events SET sample_period = 1 WHERE id = 3;
INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, memory_snoop, access_bytes) VALUES (1, 3, 1, 2, NULL, 8), (2, 3, 1, 2, 7, 8), (3, 3, 1, 1, 7, 8);
INSERT INTO instructions (id, ip) VALUES (1, 4210);
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
INSERT INTO threads SELECT 2 + i, 1, 200 + i, 200 + i, 'reader', 1500000000 + i, NULL FROM n;
INSERT INTO sample_data (id, time, thread_id, instruction_id, kind_id, address, object_id, object_offset, period) VALUES
  (1, 1500000000, 1, 1, 1, 65536, 2, 0, 1),
  (2, 1500000000, 1, 1, 2, 65536, 2, 0, 29);
INSERT INTO sample_data (id, time, thread_id, instruction_id, kind_id, address, object_id, object_offset, period)
SELECT id, 1500000000 + id, id, 1, 3, 65536, 2, 0, 1 FROM threads WHERE id > 2;
