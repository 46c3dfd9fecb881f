-- SPDX-License-Identifier: GPL-2.0-or-later
.read first_touches.huge/rows.sql
