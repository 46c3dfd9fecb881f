-- SPDX-License-Identifier: GPL-2.0-or-later
-- As report.dealt, but the two objects are call paths of one pool, which is one row of the report. So its waits were divided only between parts of it.
.read report.dealt/rows.sql
UPDATE objects SET name = 'pool', kind = 'heap', dso_id = NULL, function = 'make', file_id = 1, line = 12 WHERE id IN (20, 21);
