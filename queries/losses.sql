-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   losses
-- summary: What did not get into the database, or only in part. No rows: nothing is known to be missing.
-- column:  source   who lost it
-- column:  what     what was lost
-- column:  count    how many
-- column:  places   times it happened
-- column:  example  more about the largest
SELECT
  source,
  what,
  count,
  places,
  example
FROM loss_summary
ORDER BY count DESC, source, what;
