-- SPDX-License-Identifier: GPL-2.0-or-later
-- The timer measures no latency, so perf writes weights of 0, which must be NULL here. The view leaves out the
-- sample that counts instructions.
SELECT count(*) AS samples, count(weight) AS measured, avg(weight) AS mean FROM samples;
