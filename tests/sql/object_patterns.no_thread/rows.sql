-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples of unknown threads do not show how threads share an object, so there are no rows.
.read data/gone.sql
UPDATE sample_data SET thread_id = NULL;
