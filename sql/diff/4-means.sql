-- SPDX-License-Identifier: GPL-2.0-or-later
-- Joins the comparisons of several pairs of runs, in temp.pairs, to one with the columns of 1-changes.sql. Values are means of the runs.
--
-- The totals of three or more pairs are judged by Student's t test: their interval comes from how much the runs before the change differ among
-- each other, and those after it. It needs no assumption about the noise of the machine, and wall time has a verdict, too. `t` is the 99.17 %
-- quantile for 2 (pairs - 1) degrees of freedom: 5 % for three totals together, on two sides.
--
-- The runs are too few to do this for each of many rows. The interval of a row is the mean of its intervals in the pairs, divided by the square
-- root of their number, because both the sampling and the noise of a run are independent of those of other runs.
WITH
  student (pairs, t) AS (
    VALUES (3, 3.961), (4, 3.287), (5, 3.016), (6, 2.870), (7, 2.779), (8, 2.718), (9, 2.673), (10, 2.639), (11, 2.613)
  ),
  number AS (
    SELECT k, (SELECT t FROM student WHERE pairs <= k ORDER BY pairs DESC LIMIT 1) AS t FROM (SELECT count(DISTINCT pair) AS k FROM temp.pairs)
  ),
  means AS (
    SELECT
      part, name, place, unit, total(before) / k AS before, total(after) / k AS after, sum(before_pct) / k AS before_pct, sum(after_pct) / k AS after_pct,
      total(change) / k AS change, avg((high - low) / 2) / sqrt(k) AS half,
      iif(part = 'run' AND unit <> '%' AND count(*) = k,
        t * sqrt(max(0, sum(before * before) - sum(before) * sum(before) / k + sum(after * after) - sum(after) * sum(after) / k) / (k - 1) / k), NULL) AS spread
    FROM temp.pairs, number
    GROUP BY part, name, place, unit
  ),
  bounded AS (
    SELECT *, round(change - coalesce(spread, half), 1) AS low, round(change + coalesce(spread, half), 1) AS high FROM means
  )
SELECT
  part, name, place, round(before, 1) AS before, round(after, 1) AS after, round(before_pct, 1) AS before_pct, round(after_pct, 1) AS after_pct,
  round(change, 1) AS change, low, high, NULL AS noise,
  CASE
    WHEN low IS NULL THEN 'not sampled'
    WHEN high < 0 THEN 'less'
    WHEN low > 0 THEN 'more'
    WHEN low = high THEN 'equal'
    ELSE 'within chance'
  END AS verdict,
  unit
FROM bounded
ORDER BY diff_order();
