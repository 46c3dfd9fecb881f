-- SPDX-License-Identifier: GPL-2.0-or-later
-- Compares the costs of two runs, in total and by thread name, object, function and line, and judges whether each change exceeds chance. `main` is
-- the first run, `after` the second. Objects match by name, kind and allocating function, not by type, because only sampled objects have
-- a type. Lines match by function, file and number. Rows with the same name are summed. Chance is the sampling error (Σ period² of both runs)
-- and :noise percent of each value, by which two runs of the same program differ. A change exceeds chance if, without a real change, any row of
-- its part would exceed this limit in at most 1 of 20 comparisons (Bonferroni, with exp(-z²/2) for the normal tail).
WITH
  sides AS (
    diff_side(main, 0)
    UNION ALL
    diff_side(after, 1)
  ),
  summed AS (
    SELECT part, name, place, total(iif(side = 0, value, 0)) AS before, total(iif(side = 1, value, 0)) AS after, total(sq) AS sq
    FROM sides
    GROUP BY part, name, place
    HAVING total(value) > 0
  ),
  whole AS ( -- the total cost of each run; shares refer to it
    SELECT
      max(iif(name = 'waits for memory', before, 0)) AS before, max(iif(name = 'waits for memory', after, 0)) AS after
    FROM summed
    WHERE part = 'run'
  ),
  judged AS (
    SELECT
      s.part, s.name, s.place, s.before, s.after, s.after - s.before AS change, s.sq IS NOT NULL AND s.name <> 'wall time' AS known,
      iif(s.part IN ('run', 'thread'), NULL, 100.0 * s.before / nullif(w.before, 0)) AS before_pct,
      iif(s.part IN ('run', 'thread'), NULL, 100.0 * s.after / nullif(w.after, 0)) AS after_pct,
      sqrt(s.sq + (s.before * s.before + s.after * s.after) * :noise * :noise / 10000.0) AS error,
      sqrt(2 * ln(20.0 * count(*) OVER (PARTITION BY s.part))) AS z
    FROM summed AS s, whole AS w
  )
SELECT
  part, name, place,
  round(before / 1e6, 1) AS before, round(after / 1e6, 1) AS after,
  round(before_pct, 1) AS before_pct, round(after_pct, 1) AS after_pct,
  round(change / 1e6, 1) AS change,
  iif(known, round((change - 1.96 * error) / 1e6, 1), NULL) AS low,
  iif(known, round((change + 1.96 * error) / 1e6, 1), NULL) AS high,
  CASE
    WHEN NOT known THEN 'not sampled'
    WHEN abs(change) <= z * error THEN 'within chance'
    WHEN change < 0 THEN 'less'
    ELSE 'more'
  END AS verdict
FROM judged
ORDER BY CASE part WHEN 'run' THEN 0 WHEN 'thread' THEN 1 WHEN 'object' THEN 2 WHEN 'function' THEN 3 ELSE 4 END,
  CASE WHEN part <> 'run' THEN abs(change) <= z * error WHEN name = 'wall time' THEN 0 WHEN name = 'thread time' THEN 1 ELSE 2 END,
  abs(change) DESC, name, place;
