-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/hardware.sql
UPDATE objects SET name = 'table', kind = 'heap', dso_id = NULL, function = 'work', file_id = 1, line = 12;
