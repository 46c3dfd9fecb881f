-- SPDX-License-Identifier: GPL-2.0-or-later
-- The node of one CPU is not known, so it is not known whether "0-1" spans nodes.
.read moves/rows.sql
DELETE FROM tracepoints WHERE name NOT LIKE 'sched:sched_switch';
UPDATE cpus SET node_id = NULL WHERE id = 1;
