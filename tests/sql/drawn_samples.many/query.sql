-- SPDX-License-Identifier: GPL-2.0-or-later
-- Of every four successive samples one is drawn, and rows are in order. Each of the four accesses of the loop
-- must have about a quarter of the drawn samples.
SELECT count(*) AS samples, min(one_in) AS least, max(one_in) AS most, count(DISTINCT (id - 1) / 4) AS runs, sum(id <= before) AS back
FROM (SELECT id, one_in, lag(id) OVER () AS before FROM drawn_samples);
SELECT object_offset, count(*) BETWEEN 12150 AND 12850 AS even FROM drawn_samples GROUP BY object_offset;
