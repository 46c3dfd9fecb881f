-- SPDX-License-Identifier: GPL-2.0-or-later
-- The rows of numa_verdicts.none, but no instructions were counted. Then there can be no verdict.
.read numa_verdicts.none/rows.sql
DELETE FROM sample_data WHERE id = 2001;
