-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   losses
-- summary: What did not get into the recording, or only in part.
-- keep:    200
SELECT
  source AS source,       -- who lost it
  what AS what,           -- what was lost
  sum(count) AS count,    -- how many
  count(*) AS places,     -- times it happened
  min(detail) AS example  -- more about one of them
FROM losses
GROUP BY source, what
ORDER BY sum(count) DESC, source, what;
