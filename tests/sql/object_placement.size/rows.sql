-- SPDX-License-Identifier: GPL-2.0-or-later
-- If the size of an object is not known, it is not known how often it was placed.
.read object_placement.faults/rows.sql
UPDATE objects SET size_bytes = 0;
