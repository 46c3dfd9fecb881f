-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/timer.sql
-- the main thread was not pinned, the worker was pinned to node 1
UPDATE access_kinds SET thread_pinned = cpu_node_id WHERE first = 1;
