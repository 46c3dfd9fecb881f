-- SPDX-License-Identifier: GPL-2.0-or-later
-- Stores the drawn samples, so that views need not read a page of sample_data for each of them. For a recording of less than a million samples,
-- it stores nothing: the view drawn_samples then draws the samples each time, which takes less time than storing them. Counts are always stored,
-- because drawing them takes two passes over all counts. Counted instructions (kinds without a row in kind_measures) are no accesses, so they are
-- not drawn. The tables totals and kind_measures must have been computed.
DELETE FROM drawn_data;
INSERT INTO drawn_data
WITH
  extent AS MATERIALIZED ( -- by_count: 1 if samples are counts and too many
    SELECT n, n > 32768 AND all_counted() AS by_count FROM (SELECT (SELECT max(id) FROM sample_data) AS n)
  ),
  large AS (
    SELECT n FROM extent WHERE n >= 1000000 AND NOT by_count
  ),
  bound AS MATERIALIZED ( -- `least`: counts of at least a 32,768th of all accesses are always drawn; least is the number of accesses of all other counts, divided by the number of these counts that may be drawn
    SELECT CAST(max(1, (t.estimate - total(s.period)) / (32769 - count(s.id))) + 0.999 AS INTEGER) AS least
    FROM extent AS e
    CROSS JOIN totals AS t ON t.scope = 'run'
    LEFT JOIN sample_data AS s ON s.period >= t.estimate / 32768 AND s.kind_id IN (SELECT id FROM kind_measures) -- LEFT, because all counts may be smaller
    WHERE e.by_count
  )
SELECT drawn_columns(s), d.one_in, 0 FROM draw_samples(large) AS d CROSS JOIN sample_data AS s ON s.id = d.id
UNION ALL -- 2654435761 is 2^32 divided by the golden ratio, so its multiples are spread evenly
SELECT drawn_columns(s), 1, b.least
FROM extent AS e
CROSS JOIN bound AS b
CROSS JOIN sample_data AS s ON s.period >= b.least OR (s.id * 2654435761 & 4294967295) * b.least < s.period * 4294967296
WHERE e.by_count AND s.kind_id IN (SELECT id FROM kind_measures);
