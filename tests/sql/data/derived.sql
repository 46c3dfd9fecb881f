-- SPDX-License-Identifier: GPL-2.0-or-later
-- What the importer sums up while it writes the facts; sqltool totals does the rest.
.read ../../sql/derived/sample_cells.sql
.read ../../sql/derived/fault_cells.sql
.read ../../sql/derived/allocation_cells.sql
