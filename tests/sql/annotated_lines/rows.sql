-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/typed.sql
INSERT INTO source_lines VALUES (1, 1, 5, char(9) || 'sum += table[i].key;');
