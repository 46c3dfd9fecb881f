-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns one row. unit: the unit of the compared costs; NULL if the two runs have different units. reason: why unit is NULL. counted: 1 if both runs
-- counted every access. noise: default of :noise, percent.
SELECT
  iif(a = b, a, NULL) AS unit,
  CASE
    WHEN a = b THEN NULL
    WHEN a IS NULL OR b IS NULL THEN 'the run ' || iif(a IS NULL, 'before', 'after') || ' has no samples'
    ELSE printf('one run counts %s, the other %s; record both with the same sampler', a, b)
  END AS reason,
  counted, iif(counted, 0, diff_noise(diff_displaced(main), diff_displaced(after))) AS noise
FROM (
  SELECT a, b, coalesce(a = 'accesses' AND b = 'accesses' AND diff_counted(main) AND diff_counted(after), 0) AS counted
  FROM (SELECT diff_unit(main) AS a, diff_unit(after) AS b)
);
