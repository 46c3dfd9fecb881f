-- SPDX-License-Identifier: GPL-2.0-or-later
-- The node of a CPU is not known, so that whether "0-1" spans nodes is not either.
.read moves/rows.sql
DELETE FROM tracepoints WHERE name NOT LIKE 'sched:sched_switch';
UPDATE cpus SET node_id = NULL WHERE id = 1;
