-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples in page faults of table are not accesses of table, so they are not drawn.
.read object_placement.faults/rows.sql
