-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two static objects of one name (20 + 10 waits of 44), one of that name but another kind, and one that nobody was sampled in.
.read data/numa.sql
UPDATE objects SET name = 'pool' WHERE id IN (3, 10, 11, 12);
UPDATE objects SET kind = 'mapping' WHERE id = 12;
