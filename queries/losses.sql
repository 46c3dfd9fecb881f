-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   losses
-- summary: What did not get into the database, or only in part.
-- column:  source  who lost it
-- column:  what    what was lost
-- column:  count   how many of it
-- column:  detail  more about it
SELECT source, what, count, detail
FROM losses
ORDER BY count DESC, id;
