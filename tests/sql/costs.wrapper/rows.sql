-- SPDX-License-Identifier: GPL-2.0-or-later
-- The same wrapper allocated two objects, so they must be in one row.
.read data/timer.sql
UPDATE objects SET wrapper = 'pool_get' WHERE id IN (1, 2);
