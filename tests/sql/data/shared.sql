-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of timer.sql, and waits whose address was found in other ways (addr_source):
-- counter  two waits for an operand of an earlier instruction. Waits of 3 ms that count for other objects may have been
--     for counter (other_waits)
-- table    one wait known from the next access of the same load, one known from a copy of the address register, and
--     one of which only the object is known
-- Nothing is known about one more wait.
.read data/timer.sql
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address,
  addr_source, addr_reason, period, memory_opcode, access_bytes, object_id, object_reason, allocation_id, object_offset,
  cpu_node_id, home_node_id, home_source, waited, missed) VALUES
  (15, 1, 2, 1, 1500000015, 4204, 2, 2, 1, 3, 8192, 8, NULL, 1000000, 1, 8, 2, NULL, NULL, 0, 1, 0, 2, 1, 1),
  (16, 1, 2, 1, 1500000016, 4204, 2, 2, 1, 3, 8192, 8, NULL, 1000000, 1, 8, 2, NULL, NULL, 0, 1, 0, 2, 1, 1),
  (17, 1, 2, 1, 1500000017, 4204, 2, 2, 1, 3, 1048592, 6, NULL, 1000000, 1, 8, 1, NULL, 1, 16, 1, 0, 2, 1, 1),
  (18, 1, 2, 1, 1500000018, 4204, 2, 2, 1, 3, 1048600, 7, NULL, 1000000, 1, 8, 1, NULL, 1, 24, 1, 0, 2, 1, 1),
  (19, 1, 1, 0, 1500000019, 4100, 1, 1, 1, 2, NULL, 9, NULL, 1000000, 1, 8, 1, NULL, NULL, NULL, 0, NULL, 0, 1, 0),
  (20, 1, 1, 0, 1500000020, 4100, 1, 1, 1, 2, NULL, 0, 2, 1000000, NULL, NULL, NULL, 1, NULL, NULL, 0, NULL, 0, 1, 1);
INSERT INTO other_waits (object_id, period) VALUES (2, 3000000);
