-- SPDX-License-Identifier: GPL-2.0-or-later
-- Like report.allocator, but the tracker recorded only 100 blocks (as with --min-size): so few blocks cannot
-- take this time.
.read report.allocator/rows.sql
UPDATE objects SET allocations = 100 WHERE id = 90;
DELETE FROM objects WHERE id IN (91, 92);
