-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns figures about the selection: its number of samples (of accesses, if every access was counted) and its share of the
-- run's cost. unknown: number of other samples in the selected time that may also be in :function, because their outer
-- callers are not known. words: index in words_of[] of select.c of the words for the unknown ones: 1 if every access was
-- counted, 2 if most of the unknown ones are in parallel regions.
SELECT
  coalesce(t.samples, 0) AS samples,
  coalesce(w.samples, 0) AS all_samples,
  100.0 * (t.cost + t.lost_cost) / nullif(w.cost + w.lost_cost, 0) AS cost_pct,
  coalesce(u.samples, 0) AS unknown,
  (r.end_ns - r.start_ns) / 1e9 AS seconds,
  (
    SELECT count(DISTINCT substr(name || '(', 1, min(instr(name || '(', '('), instr(name || ' [', ' [')) - 1))
    FROM (SELECT coalesce(region_owner(function), function) AS name FROM location_frames WHERE is_function(function, :function))
  ) AS functions,
  iif(has_counts(), 1, iif(2 * u.open > u.samples, 2, 0)) AS words
FROM runs AS r
LEFT JOIN totals AS t ON t.scope = 'run'
LEFT JOIN main.totals AS w ON w.scope = 'run'
LEFT JOIN (
  SELECT sum(n.samples) AS samples, sum(n.samples * coalesce(p.open, 0)) AS open
  FROM (
    SELECT s.call_path_id, iif(has_counts(), sum(s.period), count(*)) AS samples
    FROM main.sample_data AS s
    CROSS JOIN runs AS r
    JOIN kind_measures AS m ON m.id = s.kind_id
    WHERE :function IS NOT NULL
      AND (:from IS NULL OR s.time >= r.start_ns + :from * 1e9)
      AND (:to IS NULL OR s.time < r.start_ns + :to * 1e9)
      AND s.id NOT IN (SELECT id FROM temp.sample_data)
    GROUP BY s.call_path_id
  ) AS n
  LEFT JOIN temp.selected_paths AS p ON p.id = n.call_path_id
  WHERE n.call_path_id IS NULL OR p.id IS NOT NULL
) AS u;
