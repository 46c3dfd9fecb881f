-- SPDX-License-Identifier: GPL-2.0-or-later
-- An object whose size is not known, as of an anonymous mapping of another process: no bins, but its cost.
.read data/numa.sql
UPDATE objects SET size_bytes = 0 WHERE id = 11;
