-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of nodes.sql as counts of accesses, without times and latencies. A sample represents
-- as many accesses as its period: 1 for "grid", which has the most samples, and 1,000 for "table".
-- The page must rank by the shares of accesses, not by the numbers of samples.
.read ../browser/nodes.sql
UPDATE runs SET sampler = 'exact';
UPDATE selected_events SET sample_period = 1 WHERE id = 1;
UPDATE sample_data SET weight = NULL, period = iif(object_id = 2, 1000, 1);
