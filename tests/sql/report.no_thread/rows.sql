-- SPDX-License-Identifier: GPL-2.0-or-later
-- No sample has a thread. The report still shows the samples, but it must not say that one thread uses an object.
.read data/gone.sql
UPDATE sample_data SET thread_id = NULL;
