-- SPDX-License-Identifier: GPL-2.0-or-later
.read first_touches.huge/rows.sql
UPDATE objects SET first_fault_id = 1 WHERE id = 1;
