-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    loss_summary
-- summary: What did not get in, by who lost it and what it was.
-- grain:   one row per source and kind of loss
-- column:  source          TEXT     "perf", "tracker", "follower", "symbols", "import"
-- column:  what            TEXT     what was lost
-- column:  places          INTEGER  rows of the table losses
-- column:  count           INTEGER  how many were lost in all
-- column:  example         TEXT     the detail of the largest
CREATE VIEW loss_summary AS
SELECT
  source,
  what,
  count(*) AS places,
  CAST(total(count) AS INTEGER) AS count, -- a damaged file may claim any count: sum() would overflow
  (SELECT detail FROM losses AS x WHERE x.source = l.source AND x.what = l.what ORDER BY x.count DESC, x.id LIMIT 1)
    AS example
FROM losses AS l
GROUP BY source, what;
