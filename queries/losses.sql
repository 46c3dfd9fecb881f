-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   losses
-- summary: Data that is missing or incomplete in the database. No rows: nothing is known to be missing.
-- column:  source   component that lost the data
-- column:  what     what was lost
-- column:  count    number lost
-- column:  places   number of rows in losses
-- column:  example  detail of the largest of these rows
SELECT
  l.source AS source,
  l.what AS what,
  CAST(total(l.count) AS INTEGER) AS count, -- a damaged file may contain any count, and sum() would overflow
  count(*) AS places,
  (SELECT x.detail FROM losses AS x WHERE x.source = l.source AND x.what = l.what ORDER BY x.count DESC, x.id LIMIT 1) AS example
FROM losses AS l
GROUP BY l.source, l.what
ORDER BY 3 DESC, l.source, l.what;
