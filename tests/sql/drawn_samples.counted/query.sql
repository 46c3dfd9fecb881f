-- SPDX-License-Identifier: GPL-2.0-or-later
-- All counts of "pair" are drawn. The others are drawn with a probability proportional to their accesses.
SELECT o.name, sum(d.estimate >= 200000) = 10 AS ten, count(*) BETWEEN 28000 AND 32768 AS drawn, sum(d.estimate) / 1000000 = 8 AS millions, sum(d.estimate) BETWEEN 396000 AND 404000 AS estimate, min(d.estimate) AS least,
  sum(d.estimate_sq) = 0 AS certain, max(d.one_in) AS one_in
FROM drawn_samples AS d
JOIN objects AS o ON o.id = d.object_id
WHERE d.loads = 0 OR o.name = 'table'
GROUP BY 1;
