-- SPDX-License-Identifier: GPL-2.0-or-later
-- The worker runs on CPUs 0, 0, 1, 0, 7, not known, 1; main stays. Rows are not in the order of time.
.read data/program.sql
INSERT INTO tracepoints (id, evsel_id, thread_id, cpu, time, name, fields) VALUES
  (1, 1, 2, 0, 1200000000, 'sched:sched_switch', '{}'),
  (2, 1, 2, 0, 1300000000, 'sched:sched_switch', '{}'),
  (3, 1, 2, 0, 1500000000, 'sched:sched_switch', NULL),
  (4, 1, 2, 1, 1400000000, 'sched:sched_switch', '{}'),
  (5, 1, 2, 7, 1600000000, 'sched:sched_switch', '{}'),
  (6, 1, 2, NULL, 1700000000, 'sched:sched_switch', '{}'),
  (7, 1, 2, 1, 1800000000, 'sched:sched_switch', '{}'),
  (8, 1, 1, 1, 1200000000, 'sched:sched_switch', '{}'),
  (9, 1, 1, 1, 1300000000, 'sched:sched_switch', '{}'),
  (10, 1, 1, 0, 1350000000, 'sched:sched_migrate_task', '{}'),
  (11, 1, NULL, 0, 1350000000, 'sched:sched_switch', '{}'),
  (12, 1, NULL, 1, 1360000000, 'sched:sched_switch', '{}');
