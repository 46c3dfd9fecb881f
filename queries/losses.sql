-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   losses
-- summary: Data that is missing or incomplete in the database, and what the recording itself cost ("in no figure"). No other rows: nothing is known to be missing.
-- column:  source   component that lost the data
-- column:  what     what was lost
-- column:  count    number of lost items, such as samples or bytes
-- column:  places   number of rows of the table losses that this row sums up
-- column:  example  detail of the row with the largest count
SELECT
  l.source AS source,
  l.what AS what,
  CAST(total(l.count) AS INTEGER) AS count, -- a damaged file may contain any count, and sum() would overflow
  count(*) AS places,
  (SELECT x.detail FROM losses AS x WHERE x.source = l.source AND x.what = l.what ORDER BY x.count DESC, x.id LIMIT 1) AS example
FROM losses AS l
GROUP BY l.source, l.what
ORDER BY 3 DESC, l.source, l.what;
