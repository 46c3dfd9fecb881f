-- SPDX-License-Identifier: GPL-2.0-or-later
-- Sums what the drawn samples of one object (:id) represent, by thread and by part, with :bins equal parts of the object's extent.
-- Rows in which id and thread are NULL are sums over all threads.
SELECT id, thread, bin, total(estimate) AS estimate
FROM (
  SELECT NULL AS id, NULL AS thread, estimate, min(CAST(place * :bins AS INTEGER), :bins - 1) AS bin FROM drawn_samples WHERE object_id = :id AND place IS NOT NULL
  UNION ALL
  SELECT coalesce(d.thread_id, 0), coalesce(t.tid, '?'), d.estimate, min(CAST(d.place * :bins AS INTEGER), :bins - 1)
  FROM drawn_samples AS d LEFT JOIN threads AS t ON t.id = d.thread_id
  WHERE d.object_id = :id AND d.place IS NOT NULL
)
GROUP BY id, bin
ORDER BY id IS NOT NULL, thread, id, bin;
