-- SPDX-License-Identifier: GPL-2.0-or-later
-- Rebuilds fault_cells from the page faults.
DELETE FROM fault_cells;
INSERT INTO fault_cells (instruction_id, kind_id, thread_id, object_id, samples)
SELECT instruction_id, kind_id, thread_id, object_id, count(*)
FROM fault_data
GROUP BY instruction_id, kind_id, thread_id, object_id;
