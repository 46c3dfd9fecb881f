-- SPDX-License-Identifier: GPL-2.0-or-later
-- Most is for a stack: without an object, bins are of the object after it.
.read data/numa.sql
UPDATE objects SET kind = 'stack' WHERE id = 10;
