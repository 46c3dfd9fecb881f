-- SPDX-License-Identifier: GPL-2.0-or-later
-- The rows of object_hints.split, sampled by hardware, which samples each access alike: the hint says what the used members take.
.read object_hints.split/rows.sql
UPDATE runs SET sampler = 'ibs';
