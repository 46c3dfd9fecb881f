-- SPDX-License-Identifier: GPL-2.0-or-later
-- The node of one CPU is not known, so "0-1" may span several nodes.
.read moves/rows.sql
DELETE FROM tracepoints WHERE name NOT LIKE 'sched:sched_switch';
UPDATE cpus SET node_id = NULL WHERE id = 1;
