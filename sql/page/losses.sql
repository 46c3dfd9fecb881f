-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   losses
-- summary: Data that is missing or incomplete in the recording.
-- keep:    200 rows at most
SELECT
  source AS source,       -- component that lost the data
  what AS what,           -- what was lost
  sum(count) AS count,    -- number lost
  count(*) AS places,     -- number of losses of this kind
  min(detail) AS example  -- detail of one of these losses
FROM losses
GROUP BY source, what
ORDER BY sum(count) DESC, source, what;
