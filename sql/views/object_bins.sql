-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_bins AS
-- view:    object_bins
-- summary: Which thread uses which part of an object: its extent in five bins.
-- grain:   one row per object, bin and thread with a sample; an object of up to five pages has one bin
-- source:  Liu & Mellor-Crummey 2014, 5.2: bins of large variables; per thread, lowest and highest offset
-- note:    from drawn_samples. Blocks of one object lie on top of each other: a bin is a part of each block. The query bins cuts
--          into any number, and says which bins are hot
WITH
  extent AS ( -- of a heap object the mean of its blocks
    SELECT
      o.id AS id,
      iif(coalesce(o.allocated_bytes / nullif(o.allocations, 0), nullif(o.size_bytes, 0)) <= 5 * r.page_bytes, 1, 5) AS bins
    FROM objects AS o, runs AS r
  ),
  part AS (
    SELECT
      s.object_id AS object_id, max(0, min(s.object_offset * e.bins / s.extent_bytes, e.bins - 1)) AS bin, e.bins AS bins,
      s.thread_id AS thread_id, min(s.place) AS low, max(s.place) AS high, count(*) AS drawn, sum(s.stores) AS drawn_stores,
      sum(s.estimate) AS estimate, sum(s.cost) AS cost, total(s.home_node_id = s.cpu_node_id) AS local,
      total(s.home_node_id <> s.cpu_node_id) AS remote
    FROM drawn_samples AS s
    JOIN extent AS e ON e.id = s.object_id
    WHERE s.extent_bytes > 0
    GROUP BY 1, 2, 4
  )
SELECT
  object_id AS object_id,       -- objects.id
  bin AS bin,                   -- number of the bin, from 0
  bins AS bins,                 -- number of bins: 5 or 1
  thread_id AS thread_id,       -- threads.id; NULL: not known
  low AS low,                   -- lowest offset that the thread accesses in the bin, as a part of the object's extent, in [0, 1]
  high AS high,                 -- highest offset
  drawn AS drawn,               -- drawn samples (count)
  drawn_stores AS drawn_stores, -- of these, that write (count)
  100.0 * estimate / sum(estimate) OVER (PARTITION BY object_id) AS share_pct, -- share of the object's samples, 0-100
  100.0 * cost / nullif(sum(cost) OVER (PARTITION BY object_id), 0) AS cost_pct, -- share of the object's cost, 0-100; NULL: not measured
  CAST(local AS INTEGER) AS local, -- drawn samples of a page on the CPU's own node (count)
  CAST(remote AS INTEGER) AS remote -- of a page on another node (count)
FROM part;
