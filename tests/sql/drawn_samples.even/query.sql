-- SPDX-License-Identifier: GPL-2.0-or-later
-- No count is so large that it is drawn with certainty. Still, a count is drawn with a probability proportional to its accesses, and stands for `least` = 5 of them.
SELECT (SELECT count(*) FROM drawn_data) BETWEEN 28000 AND 32768 AS stored, count(*) BETWEEN 28000 AND 32768 AS drawn, sum(estimate) BETWEEN 148000 AND 152000 AS estimate,
  min(estimate) AS least, max(estimate) AS most, max(one_in) AS one_in
FROM drawn_samples;
