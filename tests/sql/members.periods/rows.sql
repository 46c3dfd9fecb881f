-- SPDX-License-Identifier: GPL-2.0-or-later
-- As member_costs.periods, by type.
.read member_costs.periods/rows.sql
