-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the changes of one part of the comparison in temp.change: the first :rows rows beyond chance, the first :rows rows within chance that are at
-- least 5 % of the run's time, and a row with the sums of all others. So the columns add up to the sums of the part.
WITH
  whole AS (
    SELECT max(max(before, after)) AS cost FROM temp.change WHERE part = 'run' AND name IN ('thread time', 'waits for memory', 'accesses')
  ),
  ranked AS (
    SELECT *, verdict IN ('less', 'more') AS beyond, row_number() OVER (PARTITION BY verdict IN ('less', 'more') ORDER BY rowid) AS n
    FROM temp.change
    WHERE part = :part
  ),
  marked AS (
    SELECT r.*, n <= :rows AND (beyond OR abs(change) >= 0.05 * cost) AS shown FROM ranked AS r, whole
  ),
  listed AS (
    SELECT beyond, n, diff_short(name) AS name, diff_short(place) AS place, before, after, change, low, high, before_pct, after_pct, verdict, unit
    FROM marked
    WHERE shown
    UNION ALL
    SELECT -1, 1, counted(count(*), 'other'), NULL, sum(before), sum(after), sum(change), NULL, NULL, NULL, NULL, NULL, max(unit)
    FROM marked
    WHERE NOT shown
    HAVING count(*) > 0 AND (SELECT max(shown) FROM marked)
  )
SELECT
  name, place,
  iif(unit = 'accesses', CAST(before AS INTEGER), round(before, 1)) AS before,
  iif(unit = 'accesses', CAST(after AS INTEGER), round(after, 1)) AS after,
  iif(unit = 'accesses', CAST(change AS INTEGER), round(change, 1)) AS change,
  iif(low < high, printf('%.1f to %.1f', low, high), NULL) AS "95 %",
  iif(before_pct IS NULL, NULL, printf('%.1f %%', before_pct)) AS was,
  iif(after_pct IS NULL, NULL, printf('%.1f %%', after_pct)) AS "is",
  verdict
FROM listed
ORDER BY beyond DESC, n;
