-- SPDX-License-Identifier: GPL-2.0-or-later
.read members.cold/rows.sql
