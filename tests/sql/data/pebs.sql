-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of hardware.sql, and counted instructions: 3 samples of 1,000,000 in worker, 1 in main. By home, 4
-- accesses are remote: three have the latencies 10, 20 and 500, and one was not measured. Eq. 3 gives 530/3 · 4000 /
-- 4000000 = 0.1767 for the run, which is worth fixing, and 530/3 · 4000 / 3000000 = 0.2356 for worker. By data
-- source, one access is remote, with the latency 500: 500 · 1000 / 4000000 = 0.125.
.read data/hardware.sql
INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, addr_source, period)
SELECT column1, 4, 2, 1, 1600000000, 4000 + column2, column2, column2, 1, 0, 1000000
FROM (VALUES (101, 2), (102, 2), (103, 2), (104, 1));
