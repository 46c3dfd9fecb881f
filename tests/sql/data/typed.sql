-- SPDX-License-Identifier: GPL-2.0-or-later
-- The objects of timer.sql with types. `table` has nodes of 32 bytes with padding, `counter` is a number, and `buf`
-- has no samples.
.read data/timer.sql
INSERT INTO types VALUES (1, 'struct node', 'struct', 32), (2, 'long', 'scalar', 8);
INSERT INTO members VALUES
  (1, 1, 'key', 0, 8, 'long'), (2, 1, 'next', 8, 8, 'struct node *'), (3, 1, 'flag', 16, 1, 'char'), (4, 1, NULL, 17, 7, NULL),
  (5, 1, 'weight', 24, 8, 'double'), (6, 2, '', 0, 8, 'long');
UPDATE objects SET type_id = 1, type_source = 'assigned', type_start = 0, type_repeats = 1 WHERE id = 1;
UPDATE objects SET type_id = 2, type_source = 'declared', type_start = 0, type_repeats = 1 WHERE id = 2;
