-- SPDX-License-Identifier: GPL-2.0-or-later
-- What the objects with names like one of :globs cost in the functions like :function: percent of the thread time there, and at most.
WITH
  named AS (
    SELECT o.id AS id
    FROM objects AS o
    JOIN json_each('["' || replace(:globs, ' ', '","') || '"]') AS g ON o.name GLOB g.value OR o.name GLOB '*::' || g.value -- a Fortran module's
  ),
  here AS (
    SELECT * FROM function_object_costs WHERE coalesce(symbol, '') GLOB :function
  )
SELECT
  round(100.0 * total(iif(object_id IN (SELECT id FROM named), cost, 0)) / sum(thread_time), 2) AS share,
  round(100.0 * total(iif(object_id IN (SELECT id FROM named), cost, 0)) / sum(thread_time), 2) AS most
FROM here;
