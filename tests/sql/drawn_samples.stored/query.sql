-- SPDX-License-Identifier: GPL-2.0-or-later
-- One of every 31 samples is stored in drawn_data. The view must have the same rows if nothing is stored.
CREATE TEMP TABLE stored AS SELECT * FROM drawn_samples;
SELECT (SELECT count(*) FROM drawn_data) AS stored, count(*) AS drawn, min(one_in) AS least, max(one_in) AS most FROM stored;
DELETE FROM drawn_data;
SELECT count(*) AS same FROM (SELECT * FROM stored INTERSECT SELECT * FROM drawn_samples);
