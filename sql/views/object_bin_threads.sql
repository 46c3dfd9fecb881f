-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_bin_threads
-- summary: Which thread uses which part of an object.
-- grain:   one row per object, bin and thread with an access; an object of up to five pages has one bin
-- source:  Liu & Mellor-Crummey 2014, 5.2: per thread, lowest and highest offset
-- note:    from drawn_samples; bins as in object_bins
-- column:  object_id       INTEGER  objects.id
-- column:  bin             INTEGER  number of the bin, from 0
-- column:  bins            INTEGER  number of bins: 5 or 1
-- column:  thread_id       INTEGER  threads.id; NULL: not known
-- column:  low             REAL     lowest offset that the thread accesses in the bin, as a part of the object's extent, in [0, 1]
-- column:  high            REAL     highest offset
-- column:  accesses        INTEGER  accesses (count)
-- column:  stores          INTEGER  those that write (count)
-- column:  waits           INTEGER  samples that waited for their address (count, timer or cycles)
-- column:  wait_ns         INTEGER  their time, ns (timer)
-- column:  weighted        INTEGER  accesses with a weight (count, hardware)
-- column:  weight          INTEGER  sum of the weights, core cycles
-- column:  local           INTEGER  accesses to the CPU's own node (count)
-- column:  remote          INTEGER  accesses to another node (count)
CREATE VIEW object_bin_threads AS
WITH
  extent AS ( -- of a heap object the mean of its blocks
    SELECT
      o.id AS id,
      iif(coalesce(o.allocated_bytes / nullif(o.allocations, 0), nullif(o.size_bytes, 0)) <= 5 * r.page_bytes, 1, 5) AS bins
    FROM objects AS o, runs AS r
  )
SELECT
  s.object_id AS object_id,
  max(0, min(s.object_offset * e.bins / s.extent_bytes, e.bins - 1)) AS bin,
  e.bins AS bins,
  s.thread_id AS thread_id,
  max(0.0, min(min(1.0 * s.object_offset / s.extent_bytes), 1.0)) AS low,
  max(0.0, min(max(1.0 * s.object_offset / s.extent_bytes), 1.0)) AS high,
  count(*) AS accesses,
  sum(s.writes) AS stores,
  sum(s.waits) AS waits,
  sum(s.wait_ns) AS wait_ns,
  sum(s.weighted) AS weighted,
  sum(s.weight) AS weight,
  coalesce(sum(s.home_node_id = s.cpu_node_id), 0) AS local,
  coalesce(sum(s.home_node_id <> s.cpu_node_id), 0) AS remote
FROM drawn_samples AS s
JOIN extent AS e ON e.id = s.object_id
WHERE s.extent_bytes > 0
GROUP BY 1, 2, 4;
