-- SPDX-License-Identifier: GPL-2.0-or-later
-- Computes those sums that the importer computes while it writes samples and faults; `sqltool totals`
-- computes all others.
.read ../../sql/derived/sample_cells.sql
.read ../../sql/derived/fault_cells.sql
.read ../../sql/derived/allocation_cells.sql
