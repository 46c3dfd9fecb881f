-- SPDX-License-Identifier: GPL-2.0-or-later
-- The timer measures no latency, so perf writes a weight of 0. The sample that counts instructions is not in the
-- view.
SELECT count(*) AS samples, count(weight) AS measured, avg(weight) AS mean FROM samples;
