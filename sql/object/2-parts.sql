-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns, by thread and by part of the object, sums of what the drawn samples of one object (:id) represent. The blocks of an object are overlaid:
-- each part stands for the same part of all blocks. There are :bins equal parts, or fewer if parts would be smaller than 8 bytes. If there would be
-- only one part, there are no rows. Rows in which id and thread are NULL are sums over all threads. bins: number of parts; title: what is
-- shown, the same in all rows.
WITH
  hit AS MATERIALIZED (
    SELECT coalesce(d.thread_id, 0) AS id, coalesce(t.tid, '?') AS thread, d.estimate AS estimate, d.place AS place, d.extent_bytes AS extent_bytes
    FROM drawn_samples AS d LEFT JOIN threads AS t ON t.id = d.thread_id
    WHERE d.object_id = :id AND d.place IS NOT NULL
  ),
  size AS MATERIALIZED (
    SELECT min(:bins, max(extent_bytes) / 8) AS n, max(extent_bytes) AS most, min(extent_bytes) AS least FROM hit
  )
SELECT
  h.id AS id, h.thread AS thread, min(CAST(h.place * s.n AS INTEGER), s.n - 1) AS bin, total(h.estimate) AS estimate, s.n AS bins,
  iif(o.kind = 'heap' AND o.allocations > 1,
    printf('parts of a block, from its begin to its end, all %d blocks of %s bytes in one, by thread', o.allocations, iif(s.least = s.most, '', s.least || ' to ') || s.most),
    'parts, from its begin to its end, by thread') AS title
FROM (
  SELECT NULL AS id, NULL AS thread, estimate, place FROM hit
  UNION ALL
  SELECT id, thread, estimate, place FROM hit
) AS h
CROSS JOIN size AS s
JOIN objects AS o ON o.id = :id
WHERE s.n > 1
GROUP BY h.id, bin
ORDER BY h.id IS NOT NULL, thread, h.id, bin;
