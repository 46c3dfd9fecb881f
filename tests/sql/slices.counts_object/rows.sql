-- SPDX-License-Identifier: GPL-2.0-or-later
-- If the query is restricted to one object, its intervals are the same as those in the list of all
-- objects.
.read slices.counts/rows.sql
