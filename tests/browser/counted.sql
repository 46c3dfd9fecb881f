-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of nodes.sql as counts: no time and no latency, and each sample represents as many accesses as its period, which is 1 for "grid" (the
-- most samples) and 1,000 for "table". Shares of accesses, not numbers of samples, rank what the page shows.
.read ../browser/nodes.sql
UPDATE runs SET sampler = 'exact';
UPDATE selected_events SET sample_period = 1 WHERE id = 1;
UPDATE sample_data SET weight = NULL, period = iif(object_id = 2, 1000, 1);
