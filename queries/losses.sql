-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   losses
-- summary: What did not get into the database, or only in part. No rows: nothing is known to be missing.
-- column:  source   who lost it
-- column:  what     what was lost
-- column:  count    how many
-- column:  places   times it happened
-- column:  example  more about the largest
SELECT
  l.source AS source,
  l.what AS what,
  CAST(total(l.count) AS INTEGER) AS count, -- a damaged file may claim any count: sum() would overflow
  count(*) AS places,
  (SELECT x.detail FROM losses AS x WHERE x.source = l.source AND x.what = l.what ORDER BY x.count DESC, x.id LIMIT 1) AS example
FROM losses AS l
GROUP BY l.source, l.what
ORDER BY 3 DESC, l.source, l.what;
