-- SPDX-License-Identifier: GPL-2.0-or-later
-- Prints the cost of the objects whose names match one of :globs, in functions that match :function, in percent of the
-- thread time in these functions. Also prints an upper bound, which includes all waits that may have been for these
-- objects (other_waits), even those that are attributed to arithmetic or to no object, as the views' time_most_pct does for the
-- entire run.
WITH
  named AS (
    SELECT o.id AS id
    FROM objects AS o
    JOIN json_each('["' || replace(:globs, ' ', '","') || '"]') AS g ON o.name GLOB g.value OR o.name GLOB '*::' || g.value -- a variable of a Fortran module
  ),
  places AS (
    SELECT coalesce(symbol, '') GLOB :function AS here, object_id IN (SELECT id FROM named) AS is_named, cost, thread_time FROM function_object_costs
  ),
  sums AS (
    SELECT total(iif(here AND is_named, cost, 0)) AS cost, sum(iif(here, thread_time, 0)) AS thread_time FROM places
  ),
  bound AS (
    SELECT total(period) + (SELECT cost * lost_cost_pct / 100 FROM run_costs) AS other FROM other_waits WHERE object_id IN (SELECT id FROM named)
  )
SELECT round(100.0 * s.cost / s.thread_time, 2) AS share, round(min(100, 100.0 * (s.cost + b.other) / s.thread_time), 2) AS most
FROM sums AS s, bound AS b;
