-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples in page faults of `table` are not accesses to `table`, so their rows have no object.
.read object_placement.faults/rows.sql
