-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples in page faults of table are not accesses of table.
.read object_placement.faults/rows.sql
