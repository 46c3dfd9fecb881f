-- SPDX-License-Identifier: GPL-2.0-or-later
-- Compares the costs of two runs and judges whether each change exceeds chance. `main` is the database of the first run, `after`
-- that of the second. It compares the total, and the costs by thread name, kind of time, object, member, function, line and pair
-- of nodes.
--
-- Which rows are compared: rows of diff_side with the same key become one row. If their names differ, the row shows both.
--  - A function is matched by its name. If its parameters or template arguments have changed, as after a change of a type, it is matched without
--    them, if each run has one function of this name (diff_retyped). So are its lines, and the objects that it allocates.
--  - A line is matched by its function and text, so it may move. If the text of a line of a function is unknown, the lines of
--    this function are matched by number.
--  - An object that is named after the line of its allocation is matched by that line if both runs have it, otherwise without the
--    line's number.
--  - An object with the name of the program, such as a mapping of its file, is matched by this name if both runs have it, otherwise
--    with the object that has the name of the other program.
--  - A heap object whose name only one run has, as if the source text was not used in the other run, is matched by where it is
--    allocated (diff_site), if only one object of each run is allocated there.
--
-- Units: costs are counts of accesses if neither run measured time or latency. If the units of the runs differ, only rows in a
-- common unit are compared: wall time, and perhaps thread time.
--
-- Chance has four parts:
--  1. The sampling error. It is computed in two ways, and the larger result is used. The first way uses the sums of the squares
--     of the periods in both runs; diff_bunches increases it for time that depends on which threads run together. The second way
--     assumes that both values are equal: the score interval of the difference of two Poisson counts (Ng & Tang 2005). It yields
--     an error for 0 samples, too.
--  2. :noise percent of the larger value, because two runs of the same program may differ by that much (diff_noise). This is a
--     limit, not a standard deviation: a busy machine slows many rows down together, so the number of rows does not widen it.
--  3. Time that may have changed because the scheduler ran the threads differently. `tied` is time that depends on which threads
--     run together. If threads ran together more often in one run (diff_overlap), the same share of this time may have come or
--     gone. `open` is time of code for which it is not certain which object, or which kind of time, it waits for.
--  4. Time that counts as a wait in one run and as computing in the other. For each run, memdb decides anew which operands it
--     expects in the cache. So the same time of the same code may count as a wait in one run only. `doubt` is the time that counts
--     as no wait but might (diff_doubted). If the cost of a row grows while its doubtful time shrinks, as much of the growth as
--     the doubtful time has lost is within chance; likewise if the cost shrinks while the doubtful time grows. If both shrink, as
--     when accesses are removed, nothing is within chance for this reason.
--
-- If both runs counted every access, sums have no error unless :noise is given, so low and high equal the change. Only members
-- with few accesses come from a random draw.
--
-- A change exceeds chance if its interval (low to high), as printed, does not contain 0. If nothing has changed between the runs,
-- then in at least 19 of 20 comparisons the intervals of all rows contain 0. There are two groups of rows: those of the part
-- `run`, and all others. For each group, the Bonferroni correction with the bound exp(-z²/2) for the normal tail gives an error
-- rate of at most 1 in 20. The true tail is less than half of this bound, so the rate of both groups together is below 1 in 20.
--
-- noise: the smallest :noise for which the interval contains 0, rounded up.
WITH
  units AS MATERIALIZED (
    SELECT iif(diff_clock(main) = diff_clock(after), diff_clock(main), NULL) AS clock, iif(diff_unit(main) = diff_unit(after), diff_unit(main), NULL) AS cost,
      diff_on_cpu(main) + diff_on_cpu(after) IS NOT NULL AS lived
  ),
  bunches AS MATERIALIZED (
    diff_bunches(main, 0)
    UNION ALL
    diff_bunches(after, 1)
  ),
  retyped AS MATERIALIZED (diff_retyped(main, after)),
  weights AS MATERIALIZED ( -- the weight is 0 for a run that counted every access. If the other run has samples, it is very small instead, so that the formula below holds
    SELECT unit, max(before, after * 1e-9) AS before, max(after, before * 1e-9) AS after
    FROM (
      SELECT unit, diff_weight(main, unit) AS before, diff_weight(after, unit) AS after
      FROM (SELECT clock AS unit FROM units UNION SELECT cost FROM units)
      WHERE unit IS NOT NULL
    )
  ),
  sides AS MATERIALIZED (
    diff_side(main, after, 0, units, bunches, retyped)
    UNION ALL
    diff_side(after, main, 1, units, bunches, retyped)
  ),
  overlaps AS MATERIALIZED ( -- by how much the two runs differ in the share of time in which threads ran at the same time, relative to the larger share
    SELECT iif(count(*) = 2, coalesce((max(value) - min(value)) / nullif(max(value), 0), 0), 0) AS differ FROM sides WHERE name = 'threads at the same time' AND part = 'run'
  ),
  known AS ( -- alone: 1 if only one run has the key. lined: 1 if the object is named after a line
    SELECT *, min(side) OVER (PARTITION BY part, key) = max(side) OVER (PARTITION BY part, key) AS alone, diff_lined(name) AS lined FROM sides
  ),
  placed AS ( -- here: 1 if both runs have one key each at the site, which the other run does not have. They are then the same object, if its address is known or one of the names is from source text
    SELECT *,
      site IS NOT NULL AND min(alone) OVER w AND min(side) OVER w < max(side) OVER w AND (instr(site, char(10)) OR min(lined) OVER w < max(lined) OVER w)
        AND min(iif(side = 0, key, NULL)) OVER w = max(iif(side = 0, key, NULL)) OVER w AND min(iif(side = 1, key, NULL)) OVER w = max(iif(side = 1, key, NULL)) OVER w AS here
    FROM known
    WINDOW w AS (PARTITION BY part, site)
  ),
  keyed AS (
    SELECT
      side, part, name, place, unit, value, sq, tied, open, doubt,
      CASE
        WHEN here THEN 'at ' || site
        WHEN part = 'line' AND min(place IS NULL OR text IS NOT NULL) OVER (PARTITION BY part, key) THEN key || char(10) || coalesce(text, '')
        WHEN part = 'line' THEN key || char(10) || coalesce(place, '')
        WHEN moved IS NOT NULL AND alone THEN moved
        ELSE key
      END AS key
    FROM placed
  ),
  summed AS (
    SELECT
      part, max(iif(side = 0, name, NULL)) AS name_before, max(iif(side = 1, name, NULL)) AS name_after,
      min(iif(side = 0, place, NULL)) AS place_before, min(iif(side = 1, place, NULL)) AS place_after,
      unit, total(iif(side = 0, value, 0)) AS before, total(iif(side = 1, value, 0)) AS after, sum(sq) AS sq,
      max(total(iif(side = 0, tied, 0)), total(iif(side = 1, tied, 0))) AS tied, max(total(iif(side = 0, open, 0)), total(iif(side = 1, open, 0))) AS open,
      total(iif(side = 1, doubt, -doubt)) AS doubt
    FROM keyed
    GROUP BY part, key, unit
    HAVING total(value) > 0
  ),
  named AS (
    SELECT
      part, coalesce(iif(name_before <> name_after, name_before || ' → ' || name_after, NULL), name_before, name_after) AS name,
      coalesce(iif(place_before <> place_after, place_before || ' → ' || place_after, NULL), place_before, place_after) AS place,
      unit, before, after, sq, tied, open, doubt
    FROM summed
  ),
  whole AS ( -- the total cost of each run; shares are percentages of it
    SELECT
      max(iif(name IN ('waits for memory', 'accesses'), before, 0)) AS before, max(iif(name IN ('waits for memory', 'accesses'), after, 0)) AS after
    FROM named
    WHERE part = 'run'
  ),
  judged AS (
    SELECT
      s.part, s.name, s.place, s.unit, s.before, s.after, s.after - s.before AS change, s.sq IS NOT NULL AS known,
      iif(s.part IN ('run', 'thread', 'kind of time'), NULL, 100.0 * s.before / nullif(w.before, 0)) AS before_pct,
      iif(s.part IN ('run', 'thread', 'kind of time'), NULL, 100.0 * s.after / nullif(w.after, 0)) AS after_pct,
      max(s.sq, coalesce((s.before / g.before + s.after / g.after) / (1 / g.before + 1 / g.after) * (g.before + g.after), 0)) AS sq,
      max(s.before, s.after) AS larger,
      coalesce(s.tied, 0) * o.differ + coalesce(s.open, 0) + max(0, min(abs(s.after - s.before), s.doubt * sign(s.before - s.after))) AS scheduled,
      sqrt(2 * ln(20.0 * count(s.sq) OVER (PARTITION BY s.part = 'run'))) AS z
    FROM named AS s
    CROSS JOIN whole AS w
    CROSS JOIN overlaps AS o
    LEFT JOIN weights AS g ON g.unit = s.unit
  ),
  bounded AS (
    SELECT *, iif(known, round(change - half, 1), NULL) AS low, iif(known, round(change + half, 1), NULL) AS high
    FROM (SELECT *, z * sqrt(sq) + scheduled + larger * :noise / 100 AS half FROM judged)
  )
SELECT
  part, name, place,
  round(before, 1) AS before, round(after, 1) AS after,
  round(before_pct, 1) AS before_pct, round(after_pct, 1) AS after_pct,
  round(change, 1) AS change,
  low, high,
  iif(known, ceil(1000 * max(0, abs(change) - scheduled - z * sqrt(sq)) / larger) / 10, NULL) AS noise,
  CASE
    WHEN low IS NULL OR high IS NULL THEN 'not sampled'
    WHEN high < 0 THEN 'less'
    WHEN low > 0 THEN 'more'
    WHEN low = high AND diff_counted(main) AND diff_counted(after) THEN 'equal'
    ELSE 'within chance'
  END AS verdict,
  unit
FROM bounded
ORDER BY diff_order();
