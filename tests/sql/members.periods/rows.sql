-- SPDX-License-Identifier: GPL-2.0-or-later
-- The rows of member_costs.periods, here summed by type.
.read member_costs.periods/rows.sql
