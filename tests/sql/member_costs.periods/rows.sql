-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of periods.sql in an object with two members. Each member has half of the samples, but "key" has 100 of
-- 101 accesses. Computed by hand: key has 50 of 50.5 million accesses, 99.01 %, with an effective sample size of
-- 509.97.
.read data/periods.sql
INSERT INTO types VALUES (1, 'struct node', 'struct', 16);
INSERT INTO members VALUES (1, 1, 'key', 0, 8, 'long'), (2, 1, 'next', 8, 8, 'struct node *');
UPDATE objects SET type_id = 1, type_source = 'assigned', type_start = 0, type_repeats = 1 WHERE id = 1;
