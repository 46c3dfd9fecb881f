-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the allocations and deallocations of all blocks that have a row in the table allocations, sorted by thread and time. The columns are those of
-- 4-samples.sql, with size in bytes (below 0: a deallocation) and address instead of cost.
SELECT coalesce(a.thread_id, 0) AS thread_id, (a.time - r.start_ns) / 1e6 AS time_ms, a.call_path_id, NULL AS instruction_id, NULL AS leaf, a.size_bytes, a.address_start
FROM allocations AS a, runs AS r
UNION ALL
SELECT coalesce(a.end_thread_id, 0), (a.end_time - r.start_ns) / 1e6, a.end_call_path_id, NULL, NULL, -a.size_bytes, a.address_start
FROM allocations AS a, runs AS r
WHERE a.end_time IS NOT NULL
ORDER BY thread_id, time_ms;
