-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two objects come from one wrapper.
.read data/timer.sql
UPDATE objects SET wrapper = 'pool_get' WHERE id IN (1, 2);
