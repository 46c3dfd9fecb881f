-- SPDX-License-Identifier: GPL-2.0-or-later
-- No sample has a thread: there are samples all the same, and nobody can say that one thread uses an object.
.read data/gone.sql
UPDATE sample_data SET thread_id = NULL;
