-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples whose thread is not known say nothing of how threads share an object: no rows.
.read data/gone.sql
UPDATE sample_data SET thread_id = NULL;
