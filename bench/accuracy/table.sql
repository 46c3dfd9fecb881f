-- SPDX-License-Identifier: GPL-2.0-or-later
-- Compares the saved times (truth) with the costs in the databases, for each object at the highest rate: `baseline`
-- is the stored result, `now` is the new one. Then prints the mean errors, and in how many programs the object that
-- memdb ranks first saves most. All numbers are percent of the CPU time in kernel().
CREATE TABLE objects AS
WITH
  said AS (
    SELECT program, flags, object, rate, max(iif(side = 'now', share, NULL)) AS now, max(iif(side = 'now', most, NULL)) AS most, max(iif(side = 'old', share, NULL)) AS old,
      max(iif(side = 'old', most, NULL)) AS old_most
    FROM (SELECT *, 'now' AS side FROM now UNION ALL SELECT *, 'old' FROM baseline)
    GROUP BY program, flags, object, rate
  )
SELECT
  s.*, max(0, 100.0 * (b.ms - t.ms) / b.ms) AS saved, b.ms AS ms
FROM said AS s
JOIN truth AS b ON b.program = s.program AND b.flags = s.flags AND b.object = ''
JOIN truth AS t ON t.program = s.program AND t.flags = s.flags AND t.object = s.object
WHERE EXISTS (SELECT 1 FROM now AS n WHERE n.program = s.program AND n.flags = s.flags AND n.rate = s.rate);

.mode markdown
SELECT
  program, object, flags, round(saved, 1) AS "saved, %", round(old, 1) AS "before, %", round(now, 1) AS "now, %", round(most, 1) AS "at most, %",
  iif(saved > most + 5, 'above', '') AS bound
FROM objects
WHERE rate = (SELECT max(rate) FROM now)
ORDER BY program, flags, saved DESC;

.print
CREATE TABLE ranked AS
WITH
  best AS (
    SELECT program, flags, rate, max(saved) AS saved, max(now) AS now, max(old) AS old FROM objects GROUP BY program, flags, rate
  )
SELECT
  b.program, b.flags, b.rate,
  max(o.now = b.now AND b.now > 0 AND o.saved >= b.saved - 5) AS now, max(o.old = b.old AND b.old > 0 AND o.saved >= b.saved - 5) AS old
FROM best AS b
JOIN objects AS o USING (program, flags, rate)
GROUP BY b.program, b.flags, b.rate;

WITH
  firsts AS (
    SELECT flags, rate, program IN (SELECT program FROM held) AS held, sum(old) || ' of ' || count(*) AS old, sum(now) || ' of ' || count(*) AS now
    FROM ranked
    GROUP BY 1, 2, 3
  )
SELECT
  iif(o.program IN (SELECT program FROM held), 'held out', 'seen') AS programs, o.flags, o.rate AS "samples/s", count(*) AS objects,
  round(avg(abs(o.old - saved)), 1) AS "error before, points", round(avg(abs(o.now - saved)), 1) AS "error now",
  f.old AS "first right before", f.now AS "first right now",
  sum(saved <= old_most + 5) || ' of ' || count(*) AS "within at most before",
  sum(saved <= most + 5) || ' of ' || count(*) AS "within at most now"
FROM objects AS o
JOIN firsts AS f ON f.flags = o.flags AND f.rate = o.rate AND f.held = (o.program IN (SELECT program FROM held))
GROUP BY f.held, o.flags, o.rate
ORDER BY f.held, o.flags, o.rate DESC;

.print
SELECT program || ' ' || flags AS "wrong object first" FROM ranked WHERE now = 0 AND rate = (SELECT max(rate) FROM now) ORDER BY 1;
