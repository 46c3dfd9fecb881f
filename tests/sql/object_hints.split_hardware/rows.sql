-- SPDX-License-Identifier: GPL-2.0-or-later
-- The rows of object_hints.split, but sampled by hardware, which samples all accesses alike. The hint must name the size of the
-- used members.
.read object_hints.split/rows.sql
UPDATE runs SET sampler = 'ibs';
