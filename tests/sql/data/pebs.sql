-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of hardware.sql, and instructions counted: 3 samples of 1,000,000 in worker, 1 in main. By home, 4 accesses
-- are remote, with latencies 10, 20, 500 and one that was not measured: eq. 3 gives 530/3 · 4000 / 4000000 = 0.1767 for the run, worth
-- fixing, and 530/3 · 4000 / 3000000 = 0.2356 for worker. By the data source one is, with 500: 500 · 1000 / 4000000 = 0.125.
.read data/hardware.sql
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, addr_source, period)
SELECT column1, 4, 2, 1, 1600000000, 4000 + column2, column2, column2, 1, 0, 1000000
FROM (VALUES (101, 2), (102, 2), (103, 2), (104, 1));
