-- SPDX-License-Identifier: GPL-2.0-or-later
-- The size of this object is not known, as for an anonymous mapping of another process. It has a cost, but no bins.
.read data/numa.sql
UPDATE objects SET size_bytes = 0 WHERE id = 11;
