-- SPDX-License-Identifier: GPL-2.0-or-later
-- The sizes of objects are not known, and the size of the local variable exceeds the cache. So no sample counts as
-- cached.
.read data/timekinds.sql
UPDATE objects SET size_bytes = 0;
UPDATE objects SET kind = 'stack', name = 'main::grid', size_bytes = 1 << 20 WHERE id = 1;
