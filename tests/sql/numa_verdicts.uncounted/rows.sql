-- SPDX-License-Identifier: GPL-2.0-or-later
-- The same where no instructions were counted: nobody can tell.
.read numa_verdicts.none/rows.sql
DELETE FROM sample_data WHERE id = 2001;
