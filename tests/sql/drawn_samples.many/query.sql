-- SPDX-License-Identifier: GPL-2.0-or-later
-- One of every four successive samples must be drawn, and the rows must be in order. Each of the four accesses of the
-- loop must have about a quarter of the drawn samples.
SELECT count(*) AS samples, min(one_in) AS least, max(one_in) AS most, count(DISTINCT (id - 1) / 4) AS runs, sum(id <= before) AS back
FROM (SELECT id, one_in, lag(id) OVER () AS before FROM drawn_samples);
SELECT object_offset, count(*) BETWEEN 6000 AND 6500 AS even FROM drawn_samples GROUP BY object_offset;
