-- SPDX-License-Identifier: GPL-2.0-or-later
-- The kernel was not sampled, so it is not known how long page faults took: NULL, not 0.
.read data/timer.sql
INSERT INTO losses (source, what, count, detail) VALUES ('perf', 'kernel mode', 1, NULL);
