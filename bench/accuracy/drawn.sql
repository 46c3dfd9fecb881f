-- SPDX-License-Identifier: GPL-2.0-or-later
-- Compares shares computed from accesses drawn at random with the exact shares. The table `truth` has one run that counts
-- all accesses. The table `drawn` has many runs of n samples each. By chance alone, shares p of n samples have a total
-- variation distance of about sum(sqrt(2 p (1 - p) / (pi n))) / 2 from the exact shares: the column "by chance". Prints a
-- row for the program :name, and if :objects is not 0, before that a row for each object with at least 1 % of the accesses.
-- An object whose name others have as well has no interval.
CREATE TABLE held AS
SELECT t.object AS object, t.share AS share, d.share AS drawn, t.share BETWEEN d.low AND d.high AS holds
FROM truth AS t
JOIN drawn AS d USING (object)
WHERE t.share >= 1 AND t.low <> '' AND d.low <> '';

SELECT
  object AS object,
  round(share, 2) AS "share counted, %",
  round(avg(drawn), 2) AS "mean of the shares drawn, %",
  sum(holds) || ' of ' || count(*) AS "intervals that hold it"
FROM held
WHERE :objects
GROUP BY object, share
ORDER BY share DESC;

CREATE TABLE shares AS
SELECT row_number() OVER () AS k, share / total AS p, sum(share) OVER (ROWS UNBOUNDED PRECEDING) / total AS upto
FROM truth, (SELECT sum(share) AS total FROM truth);
CREATE INDEX shares_by_upto ON shares (upto, k);

CREATE TABLE by_chance AS
WITH RECURSIVE
  size AS (SELECT CAST(avg(n) AS INTEGER) AS n FROM drawn),
  times (time) AS (SELECT 1 UNION ALL SELECT time + 1 FROM times WHERE time < 1000),
  draws (draw) AS (SELECT 1 UNION ALL SELECT draw + 1 FROM draws WHERE draw < (SELECT n FROM size)),
  points AS MATERIALIZED (SELECT time, random() / 18446744073709551616.0 + 0.5 AS point FROM times CROSS JOIN draws),
  hits AS (
    SELECT time, coalesce((SELECT k FROM shares WHERE upto >= point ORDER BY upto LIMIT 1), (SELECT max(k) FROM shares)) AS k, count(*) AS n
    FROM points
    GROUP BY 1, 2
  ),
  distances AS ( -- a share that was not drawn has the distance p
    SELECT h.time AS time, (1 + sum(abs(1.0 * h.n / z.n - s.p) - s.p)) / 2 AS distance
    FROM hits AS h
    JOIN shares AS s USING (k)
    CROSS JOIN size AS z
    GROUP BY h.time
  )
SELECT 100 * distance AS distance, 100 * (SELECT sum(sqrt(2 * p * (1 - p) / pi() / size.n)) / 2 FROM shares, size) AS mean
FROM distances;

WITH
  runs AS (SELECT DISTINCT run, n FROM drawn),
  distances AS (
    SELECT
      r.run AS run, r.n AS n, sum(abs(coalesce(d.share, 0) - t.share)) / 2 AS distance,
      sum(100 * sqrt(2 * t.share / 100 * (1 - t.share / 100) / pi() / r.n)) / 2 AS chance
    FROM runs AS r
    CROSS JOIN truth AS t
    LEFT JOIN drawn AS d ON d.run = r.run AND d.object = t.object
    GROUP BY r.run
  )
SELECT
  :name AS program,
  count(*) AS runs,
  :every AS "one in",
  CAST(avg(n) AS INTEGER) AS samples,
  (SELECT count(DISTINCT object) FROM held) AS objects,
  (SELECT sum(holds) || ' of ' || count(*) FROM held) AS intervals,
  (SELECT round(100.0 * sum(holds) / count(*), 1) FROM held) AS "hold, %",
  round(avg(distance), 2) AS "mean distance, %",
  round(max(distance), 2) AS "largest, %",
  round(avg(chance), 2) AS "by chance, %",
  sum(distance <= max(1, 2 * chance)) AS "runs within",
  (SELECT round(count(*) * (SELECT avg(b.distance <= max(1, 2 * b.mean)) FROM by_chance AS b), 1) FROM runs) AS "as many by chance"
FROM distances;
