-- SPDX-License-Identifier: GPL-2.0-or-later
-- The rows of object_hints.split, but every access was counted, and each row counts three. The evidence must name accesses, not rows,
-- and the array with 567 accesses gets the hint, too.
.read object_hints.split/rows.sql
UPDATE runs SET sampler = 'exact';
UPDATE selected_events SET role = 'access', sample_period = 1 WHERE id = 1;
UPDATE sample_data SET period = 3;
