-- SPDX-License-Identifier: GPL-2.0-or-later
-- Like report.read_first, but each of the 512 pages is a huge page of 2 MiB.
.read report.read_first/rows.sql
UPDATE objects SET size_bytes = 512 * 2097152 WHERE id = 1;
UPDATE access_kinds SET page_bytes = 2097152 WHERE page_bytes = 4096;
