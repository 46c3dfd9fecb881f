-- SPDX-License-Identifier: GPL-2.0-or-later
-- Every access was counted, and the nodes of the CPUs are not known. "interleaved" gets no hint, because its even
-- shares cannot be due to chance.
.read data/advice.sql
UPDATE selected_events SET role = 'access', sample_period = 1 WHERE id = 1;
UPDATE sample_data SET period = 1;
UPDATE nodes SET cpus = NULL;
