-- SPDX-License-Identifier: GPL-2.0-or-later
.read shared_lines.periods/rows.sql
