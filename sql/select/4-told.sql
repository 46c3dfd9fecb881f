-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns figures about the selection: its number of samples (of accesses, if every access was counted) and its share of the run's cost. unknown:
-- number of others in the selected time that may also be in :function, because their outer callers are not known. counted: 1 if every access was
-- counted.
SELECT
  coalesce(t.samples, 0) AS samples,
  coalesce(w.samples, 0) AS all_samples,
  100.0 * (t.cost + t.lost_cost) / nullif(w.cost + w.lost_cost, 0) AS cost_pct,
  iif(:function IS NULL, 0, (
    WITH RECURSIVE
      cut (id) AS (
        SELECT id FROM call_paths WHERE kind = 'truncated'
        UNION
        SELECT p.id FROM cut AS c CROSS JOIN call_paths AS p ON p.parent_id = c.id
      )
    SELECT iif(has_counts(), coalesce(sum(s.period), 0), count(*))
    FROM main.sample_data AS s
    CROSS JOIN runs AS r
    JOIN kind_measures AS m ON m.id = s.kind_id
    WHERE (:from IS NULL OR s.time >= r.start_ns + :from * 1e9)
      AND (:to IS NULL OR s.time < r.start_ns + :to * 1e9)
      AND (s.call_path_id IS NULL OR s.call_path_id IN (SELECT id FROM cut))
      AND s.id NOT IN (SELECT id FROM temp.sample_data)
  )) AS unknown,
  (r.end_ns - r.start_ns) / 1e9 AS seconds,
  (SELECT count(DISTINCT substr(function || '(', 1, min(instr(function || '(', '('), instr(function || ' [', ' [')) - 1)) FROM location_frames WHERE is_function(function, :function)) AS functions,
  has_counts() AS counted
FROM runs AS r
LEFT JOIN totals AS t ON t.scope = 'run'
LEFT JOIN main.totals AS w ON w.scope = 'run';
