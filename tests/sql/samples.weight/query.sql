-- SPDX-License-Identifier: GPL-2.0-or-later
-- The timer measures no latency: perf writes a weight of 0. The sample that counted instructions is not there.
SELECT count(*) AS samples, count(weight) AS measured, avg(weight) AS mean FROM samples;
