-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples in page faults of table are no accesses of it.
.read object_placement.faults/rows.sql
