-- SPDX-License-Identifier: GPL-2.0-or-later
-- The pointer, renamed, has half of the samples of line 10 and little of its cost: the shares of the objects there are of the cost.
.read report.twins/rows.sql
UPDATE objects SET name = 'pointer' WHERE id = 2;
