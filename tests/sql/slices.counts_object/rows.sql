-- SPDX-License-Identifier: GPL-2.0-or-later
-- The intervals of one object are those that it has beside the other objects.
.read slices.counts/rows.sql
