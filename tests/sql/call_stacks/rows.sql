-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/timer.sql
-- of the second caller only the function is known, so its location is the function's start; a sample may also be there
INSERT INTO locations VALUES (6, 1, 2, 1, 4200, 0, 18, 1, 'worker');
INSERT INTO call_paths VALUES (6, 2, 6, 2, 2, 'user'), (7, 6, 4, NULL, 3, 'user');
