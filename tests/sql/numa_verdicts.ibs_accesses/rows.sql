-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of ibs.sql without the operations that access no memory, as in a selection of samples. The number of operations
-- is unknown then, so there can be no verdict.
.read data/ibs.sql
DELETE FROM operation_cells;
UPDATE selected_events SET name = 'ibs_op//' WHERE role = 'access';
