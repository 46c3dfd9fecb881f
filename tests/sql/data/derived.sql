-- SPDX-License-Identifier: GPL-2.0-or-later
-- Computes the sums that the importer computes while it writes samples and faults; `sqltool totals`
-- computes all other sums.
.read ../../sql/derived/sample_cells.sql
.read ../../sql/derived/fault_cells.sql
.read ../../sql/derived/allocation_cells.sql
