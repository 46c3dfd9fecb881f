-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/program.sql
DELETE FROM allocations;
-- For rows "thread" of the view: the worker runs on the CPUs 0, 0, 1, 0, 7, unknown, 1; main stays on CPU 0. The
-- rows are not ordered by time.
INSERT INTO tracepoints (id, evsel_id, thread_id, cpu, time, name, fields) VALUES
  (1, 1, 2, 0, 1200000000, 'sched:sched_switch', '{}'),
  (2, 1, 2, 0, 1300000000, 'sched:sched_switch', '{}'),
  (3, 1, 2, 0, 1500000000, 'sched:sched_switch', NULL),
  (4, 1, 2, 1, 1400000000, 'sched:sched_switch', '{}'),
  (5, 1, 2, 7, 1600000000, 'sched:sched_switch', '{}'),
  (6, 1, 2, NULL, 1700000000, 'sched:sched_switch', '{}'),
  (7, 1, 2, 1, 1800000000, 'sched:sched_switch', '{}'),
  (8, 1, 1, 0, 1200000000, 'sched:sched_switch', '{}'),
  (9, 1, 1, 0, 1300000000, 'sched:sched_switch', '{}'),
  (10, 1, NULL, 0, 1350000000, 'sched:sched_switch', '{}'),
  (11, 1, NULL, 1, 1360000000, 'sched:sched_switch', '{}');
-- For rows "migrate": an earlier thread had the worker's number. CPU 7 is in no table. One event has no fields, and in
-- one event the thread's name looks like a key.
INSERT INTO threads VALUES (3, 1, 100, 101, 'before', 1010000000, 1090000000);
INSERT INTO tracepoints (id, evsel_id, thread_id, cpu, time, name, fields) VALUES
  (21, 1, 1, 0, 1200000000, 'sched:sched_migrate_task', '{"comm":"worker","pid":101,"prio":120,"orig_cpu":0,"dest_cpu":1}'),
  (22, 1, 1, 0, 1300000000, 'sched:sched_migrate_task', '{"comm":"worker","pid":101,"prio":120,"orig_cpu":1,"dest_cpu":0}'),
  (23, 1, NULL, 0, 1050000000, 'sched:sched_migrate_task', '{"comm":"before","pid":101,"prio":120,"orig_cpu":0,"dest_cpu":1}'),
  (24, 1, 1, 0, 1400000000, 'sched:sched_migrate_task', '{"comm":"cc1","pid":999,"prio":120,"orig_cpu":0,"dest_cpu":7}'),
  (25, 1, 1, 0, 1500000000, 'sched:sched_migrate_task', NULL),
  (26, 1, 1, 0, 1600000000, 'sched:sched_migrate_task', '{"comm":"\"pid\":7","pid":100,"prio":120,"orig_cpu":0,"dest_cpu":0}'),
  (27, 1, 1, 0, 1700000000, 'sched:sched_migrate_task', '{"comm":"worker","pid":101,"prio":120,"orig_cpu":0,"dest_cpu":1}');
-- For rows "affinity": the worker's affinity was seen twice without a change and once with a change. main is always
-- on one node.
INSERT INTO thread_affinities (thread_id, time, cpus, node_id, source) VALUES (1, NULL, '0', 0, 'follower'),
  (2, 1100000000, '0-1', NULL, 'follower'), (2, 1300000000, '0-1', NULL, 'follower'), (2, 1600000000, '1', 1, 'pthread_setaffinity_np');
-- For rows "pages": two batches of one thread and reason, one of no thread, one reason of an old kernel and one of a
-- newer kernel, one event that was not decoded.
INSERT INTO tracepoints (id, evsel_id, thread_id, cpu, time, name, fields, call_path_id) VALUES
  (31, 1, 2, 0, 1200000000, 'migrate:mm_migrate_pages', '{"succeeded":10,"failed":1,"thp_succeeded":2,"mode":2,"reason":4}', 3),
  (32, 1, 2, 0, 1300000000, 'migrate:mm_migrate_pages', '{"succeeded":5,"failed":0,"thp_succeeded":0,"mode":2,"reason":4}', 3),
  (33, 1, NULL, 0, 1400000000, 'migrate:mm_migrate_pages', '{"succeeded":1,"failed":0,"thp_succeeded":0,"mode":0,"reason":5}', NULL),
  (34, 1, 1, 0, 1500000000, 'migrate:mm_migrate_pages', '{"succeeded":3,"failed":2,"mode":1,"reason":0}', NULL),
  (35, 1, 1, NULL, 1600000000, 'migrate:mm_migrate_pages', '{"succeeded":0,"failed":7,"thp_succeeded":0,"mode":3,"reason":42}', NULL),
  (36, 1, 1, 0, 1700000000, 'migrate:mm_migrate_pages', NULL, NULL),
  (37, 1, 1, 0, 1800000000, 'migrate:mm_migrate_pages_start', '{"mode":2,"reason":4}', NULL);
