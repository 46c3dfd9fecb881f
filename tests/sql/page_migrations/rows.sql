-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two batches of one thread and reason, one of no thread, an old kernel's and a newer kernel's reason, one undecoded.
.read data/program.sql
INSERT INTO tracepoints (id, evsel_id, thread_id, cpu, time, name, fields, call_path_id) VALUES
  (1, 1, 2, 1, 1200000000, 'migrate:mm_migrate_pages', '{"succeeded":10,"failed":1,"thp_succeeded":2,"mode":2,"reason":4}', 3),
  (2, 1, 2, 1, 1300000000, 'migrate:mm_migrate_pages', '{"succeeded":5,"failed":0,"thp_succeeded":0,"mode":2,"reason":4}', 3),
  (3, 1, NULL, 0, 1400000000, 'migrate:mm_migrate_pages', '{"succeeded":1,"failed":0,"thp_succeeded":0,"mode":0,"reason":5}', NULL),
  (4, 1, 1, 7, 1500000000, 'migrate:mm_migrate_pages', '{"succeeded":3,"failed":2,"mode":1,"reason":0}', NULL),
  (5, 1, 1, NULL, 1600000000, 'migrate:mm_migrate_pages', '{"succeeded":0,"failed":7,"thp_succeeded":0,"mode":3,"reason":42}', NULL),
  (6, 1, 1, 0, 1700000000, 'migrate:mm_migrate_pages', NULL, NULL),
  (7, 1, 1, 0, 1800000000, 'migrate:mm_migrate_pages_start', '{"mode":2,"reason":4}', NULL);
