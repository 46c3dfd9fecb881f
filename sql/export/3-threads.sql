-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns one row per thread, plus one row with id 0 for samples and blocks whose thread is unknown: name, pid, tid, start and end. Times are
-- milliseconds since the start of the recording.
SELECT t.id, coalesce(t.comm, '[unknown]') AS name, t.pid, t.tid, max((coalesce(t.start_ns, r.start_ns) - r.start_ns) / 1e6, 0.0) AS start_ms, (t.end_ns - r.start_ns) / 1e6 AS end_ms
FROM threads AS t, runs AS r
UNION ALL
SELECT 0, '[unknown]', 0, 0, 0.0, NULL
ORDER BY 1;
