-- SPDX-License-Identifier: GPL-2.0-or-later
-- As report.allocator, but the tracker recorded 100 blocks only (--min-size): they cannot be what takes the time.
.read report.allocator/rows.sql
UPDATE objects SET allocations = 100 WHERE id = 90;
DELETE FROM objects WHERE id IN (91, 92);
