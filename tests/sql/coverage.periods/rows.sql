-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/periods.sql
UPDATE access_kinds SET home_node_id = NULL, home_source = 0 WHERE memory_opcode = 1;
