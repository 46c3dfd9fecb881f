-- SPDX-License-Identifier: GPL-2.0-or-later
-- No size is known, and a local variable is larger than the cache: nothing of it is cached.
.read data/timekinds.sql
UPDATE objects SET size_bytes = 0;
UPDATE objects SET kind = 'stack', name = 'main::grid', size_bytes = 1 << 20 WHERE id = 1;
