-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   losses
-- summary: Data that is missing or incomplete in the recording.
-- keep:    200 rows at most
SELECT
  source AS source,       -- component that lost the data, such as "perf" or "tracker"
  what AS what,           -- what was lost, such as "lost samples"
  sum(count) AS count,    -- number of lost items, such as samples or bytes
  count(*) AS places,     -- number of rows in the database that report such a loss
  own_cost(what) AS own,  -- 1: what the recording itself cost, which is in no figure; 0: a loss
  min(detail) AS example  -- the explanation of one of these losses
FROM losses
GROUP BY source, what
ORDER BY sum(count) DESC, source, what;
