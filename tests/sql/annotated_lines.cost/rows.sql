-- SPDX-License-Identifier: GPL-2.0-or-later
-- In line 10, the pointer (object 2) has half of the samples and little of the cost. The line must show each
-- object's share of the cost.
.read report.twins/rows.sql
UPDATE objects SET name = 'pointer' WHERE id = 2;
