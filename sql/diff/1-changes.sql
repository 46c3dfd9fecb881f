-- SPDX-License-Identifier: GPL-2.0-or-later
-- Compares the costs of two runs, in total and by thread name, kind of time, object, member, function, line and pair of nodes, and judges whether each change
-- exceeds chance. `main` is the database of the first run, `after` that of the second. Rows of diff_side with the same key become one row, whose name shows
-- both names if they differ. Lines match by function and text, so that they and their file may move; if the text of a line of the function is unknown, by
-- number. An object that is named by the line of its allocation matches by that line if both runs have it, otherwise without the number. Costs are counts of
-- accesses if neither run measured time or latency. If the runs have different units, there are only the rows that both have: wall time, perhaps thread time.
-- Chance has two parts: the sampling error (from the sums of the squares of the periods in both runs; larger for time that depends on which threads run
-- together, see diff_bunches), and :noise percent of each value, because two runs of the same program differ by so much. If nothing has changed, then in
-- 19 of 20 comparisons every row of a part has an interval (low to high) that contains 0 (Bonferroni correction, with exp(-z²/2) for the normal
-- tail). A change exceeds chance if its interval, as printed, does not contain 0.
WITH
  units AS MATERIALIZED (
    SELECT iif(diff_clock(main) = diff_clock(after), diff_clock(main), NULL) AS clock, iif(diff_unit(main) = diff_unit(after), diff_unit(main), NULL) AS cost,
      diff_on_cpu(main) + diff_on_cpu(after) IS NOT NULL AS lived
  ),
  bunches AS MATERIALIZED (
    diff_bunches(main, 0)
    UNION ALL
    diff_bunches(after, 1)
  ),
  sides AS (
    diff_side(main, after, 0, units, bunches)
    UNION ALL
    diff_side(after, main, 1, units, bunches)
  ),
  keyed AS (
    SELECT
      side, part, name, place, unit, value, sq,
      CASE
        WHEN part = 'line' AND min(place IS NULL OR text IS NOT NULL) OVER (PARTITION BY part, key) THEN key || char(10) || coalesce(text, '')
        WHEN part = 'line' THEN key || char(10) || coalesce(place, '')
        WHEN moved IS NOT NULL AND min(side) OVER (PARTITION BY part, key) = max(side) OVER (PARTITION BY part, key) THEN moved
        ELSE key
      END AS key
    FROM sides
  ),
  summed AS (
    SELECT
      part, max(iif(side = 0, name, NULL)) AS name_before, max(iif(side = 1, name, NULL)) AS name_after,
      min(iif(side = 0, place, NULL)) AS place_before, min(iif(side = 1, place, NULL)) AS place_after,
      unit, total(iif(side = 0, value, 0)) AS before, total(iif(side = 1, value, 0)) AS after, sum(sq) AS sq
    FROM keyed
    GROUP BY part, key, unit
    HAVING total(value) > 0
  ),
  named AS (
    SELECT
      part, coalesce(iif(name_before <> name_after, name_before || ' → ' || name_after, NULL), name_before, name_after) AS name,
      coalesce(iif(place_before <> place_after, place_before || ' → ' || place_after, NULL), place_before, place_after) AS place,
      unit, before, after, sq
    FROM summed
  ),
  whole AS ( -- the total cost of each run, to which shares refer
    SELECT
      max(iif(name IN ('waits for memory', 'accesses'), before, 0)) AS before, max(iif(name IN ('waits for memory', 'accesses'), after, 0)) AS after
    FROM named
    WHERE part = 'run'
  ),
  judged AS (
    SELECT
      s.part, s.name, s.place, s.unit, s.before, s.after, s.after - s.before AS change, s.sq IS NOT NULL AS known,
      iif(s.part IN ('run', 'thread', 'kind of time'), NULL, 100.0 * s.before / nullif(w.before, 0)) AS before_pct,
      iif(s.part IN ('run', 'thread', 'kind of time'), NULL, 100.0 * s.after / nullif(w.after, 0)) AS after_pct,
      sqrt(s.sq + (s.before * s.before + s.after * s.after) * :noise * :noise / 10000.0) AS error,
      sqrt(2 * ln(20.0 * count(s.sq) OVER (PARTITION BY s.part))) AS z
    FROM named AS s, whole AS w
  ),
  bounded AS (
    SELECT *, iif(known, round(change - z * error, 1), NULL) AS low, iif(known, round(change + z * error, 1), NULL) AS high
    FROM judged
  )
SELECT
  part, name, place,
  round(before, 1) AS before, round(after, 1) AS after,
  round(before_pct, 1) AS before_pct, round(after_pct, 1) AS after_pct,
  round(change, 1) AS change,
  low, high,
  CASE
    WHEN NOT known THEN 'not sampled'
    WHEN high < 0 THEN 'less'
    WHEN low > 0 THEN 'more'
    ELSE 'within chance'
  END AS verdict,
  unit
FROM bounded
ORDER BY CASE part WHEN 'run' THEN 0 WHEN 'kind of time' THEN 1 WHEN 'thread' THEN 2 WHEN 'object' THEN 3 WHEN 'member' THEN 4 WHEN 'function' THEN 5 WHEN 'line' THEN 6 ELSE 7 END,
  CASE WHEN part <> 'run' THEN low <= 0 AND high >= 0 WHEN name = 'wall time' THEN 2 WHEN name = 'time off the CPU' THEN 3 WHEN name = 'thread time' THEN 0 ELSE 1 END,
  abs(change) DESC, name, place;
