-- SPDX-License-Identifier: GPL-2.0-or-later
INSERT INTO losses VALUES
  (1, 'perf', 'lost samples', 5, NULL),
  (2, 'tracker', 'lost events', 100, 'alloc.100.log'),
  (3, 'perf', 'lost samples', 7, 'near the end'),
  (4, 'perf', 'huge', 9223372036854775807, NULL),
  (5, 'perf', 'huge', 9223372036854775807, 'again');
