-- SPDX-License-Identifier: GPL-2.0-or-later
-- Counts the drawn samples of one object (:id) by thread and by part, with :bins equal parts of the object's extent. thread NULL: all threads.
SELECT thread, bin, count(*) AS drawn
FROM (
  SELECT NULL AS thread, min(CAST(place * :bins AS INTEGER), :bins - 1) AS bin FROM drawn_samples WHERE object_id = :id AND place IS NOT NULL
  UNION ALL
  SELECT coalesce(t.tid, 0), min(CAST(d.place * :bins AS INTEGER), :bins - 1)
  FROM drawn_samples AS d LEFT JOIN threads AS t ON t.id = d.thread_id
  WHERE d.object_id = :id AND d.place IS NOT NULL
)
GROUP BY thread, bin
ORDER BY thread, bin;
