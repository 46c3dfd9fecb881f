-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two static objects have the same name (20 + 10 of 44 waits). An object of a different kind also has this name, and
-- one object has no samples.
.read data/numa.sql
UPDATE objects SET name = 'pool' WHERE id IN (3, 10, 11, 12);
UPDATE objects SET kind = 'mapping' WHERE id = 12;
