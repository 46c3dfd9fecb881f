-- SPDX-License-Identifier: GPL-2.0-or-later
-- The rows of the test member_costs.periods. This test checks the sums by type.
.read member_costs.periods/rows.sql
