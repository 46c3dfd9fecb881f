-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   object_placement
-- summary: How much of an object lies on pages that were placed before it was born; its first known access.
-- param:   top 20 rows at most
-- param:   object - only this object: its id or name
-- column:  object_id   objects.id
-- column:  object      the object's name
-- column:  source      "fault": its page was not there before; "sample": it was
-- column:  cpu_node    node of the CPU
-- column:  tid         thread
-- column:  comm        the thread's name
-- column:  function    the accessing code of the program; of no standard library where the caller is known
-- column:  file        source file
-- column:  line        source line
-- column:  inside      the library function called there that made the access, as memset or read
-- column:  touches     pages that were first touched as part of this object
-- column:  samples     samples of whose page it is known when it was placed
-- column:  reused      of these, on pages that were placed before their block was born
-- column:  reused_pct  reused in samples, 0-100
-- column:  low         lower end of its 95 % interval
-- column:  high        upper end
SELECT
  object_id,
  object,
  source,
  cpu_node_id AS cpu_node,
  tid,
  comm,
  function,
  file,
  line,
  inside,
  touches,
  samples,
  reused,
  round(reused_pct, 1) AS reused_pct,
  round(reused_low_pct, 1) AS low,
  round(reused_high_pct, 1) AS high
FROM object_placement
WHERE :object IS NULL OR object_id = :object OR object = :object
ORDER BY samples + touches DESC, object_id
LIMIT coalesce(:top, 20);
