-- SPDX-License-Identifier: GPL-2.0-or-later
-- The worker's number was another thread's before; CPU 7 is in no table; one has no fields, one a name like a key.
.read data/program.sql
INSERT INTO threads VALUES (3, 1, 100, 101, 'before', 1010000000, 1090000000);
INSERT INTO tracepoints (id, evsel_id, thread_id, cpu, time, name, fields) VALUES
  (1, 1, 1, 0, 1200000000, 'sched:sched_migrate_task', '{"comm":"worker","pid":101,"prio":120,"orig_cpu":0,"dest_cpu":1}'),
  (2, 1, 1, 0, 1300000000, 'sched:sched_migrate_task', '{"comm":"worker","pid":101,"prio":120,"orig_cpu":1,"dest_cpu":0}'),
  (3, 1, NULL, 0, 1050000000, 'sched:sched_migrate_task', '{"comm":"before","pid":101,"prio":120,"orig_cpu":0,"dest_cpu":1}'),
  (4, 1, 1, 0, 1400000000, 'sched:sched_migrate_task', '{"comm":"cc1","pid":999,"prio":120,"orig_cpu":0,"dest_cpu":7}'),
  (5, 1, 1, 0, 1500000000, 'sched:sched_migrate_task', NULL),
  (6, 1, 2, 1, 1600000000, 'sched:sched_migrate_task', '{"comm":"\"pid\":7","pid":100,"prio":120,"orig_cpu":0,"dest_cpu":0}'),
  (7, 1, 2, 1, 1700000000, 'sched:sched_migrate_task', '{"comm":"worker","pid":101,"prio":120,"orig_cpu":0,"dest_cpu":1}'),
  (8, 1, 2, 1, 1800000000, 'sched:sched_switch', '{"prev_pid":101}');
