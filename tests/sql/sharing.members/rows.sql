-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/numa.sql
-- flags is an array of struct pair; one thread writes `ready` of each pair, the other `hits`
INSERT INTO types VALUES (1, 'struct pair', 'struct', 16);
INSERT INTO members VALUES (1, 1, 'ready', 0, 4, 'int'), (2, 1, NULL, 4, 4, NULL), (3, 1, 'hits', 8, 8, 'long');
UPDATE objects SET type_id = 1, type_source = 'declared', type_start = 0, type_repeats = 1 WHERE name = 'flags';
