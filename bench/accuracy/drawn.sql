-- SPDX-License-Identifier: GPL-2.0-or-later
-- Compares shares computed from accesses drawn at random with the exact shares. The table `truth` has one run that counts
-- all accesses. The table `drawn` has many runs of n samples each. By chance alone, shares p of n samples have a total
-- variation distance of about sum(sqrt(2 p (1 - p) / (pi n))) / 2 from the exact shares: the column "by chance".
CREATE TABLE held AS
SELECT t.object AS object, t.share AS share, d.share AS drawn, t.share BETWEEN d.low AND d.high AS holds
FROM truth AS t
JOIN drawn AS d USING (object)
WHERE t.share >= 1;

SELECT
  object AS object,
  round(share, 2) AS "share counted, %",
  round(avg(drawn), 2) AS "mean of the shares drawn, %",
  sum(holds) || ' of ' || count(*) AS "intervals that hold it"
FROM held
GROUP BY object, share
ORDER BY share DESC;

WITH
  runs AS (SELECT DISTINCT run, n FROM drawn),
  distances AS (
    SELECT
      r.run AS run, sum(abs(coalesce(d.share, 0) - t.share)) / 2 AS distance,
      sum(100 * sqrt(2 * t.share / 100 * (1 - t.share / 100) / pi() / r.n)) / 2 AS chance
    FROM runs AS r
    CROSS JOIN truth AS t
    LEFT JOIN drawn AS d ON d.run = r.run AND d.object = t.object
    GROUP BY r.run
  )
SELECT
  count(*) AS runs,
  (SELECT round(100.0 * sum(holds) / count(*), 1) FROM held) AS "intervals that hold, %",
  round(avg(distance), 2) AS "mean total variation distance, %",
  round(max(distance), 2) AS "largest, %",
  round(avg(chance), 2) AS "by chance, %",
  sum(distance <= max(1, 2 * chance)) AS "runs within 1 % or twice chance"
FROM distances;
