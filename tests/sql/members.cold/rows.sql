-- SPDX-License-Identifier: GPL-2.0-or-later
-- A type of four cache lines, of which the first and the last are used: members in the other lines are left out
-- unless the query names the object.
.read data/typed.sql
UPDATE types SET size_bytes = 256 WHERE id = 1;
INSERT INTO members VALUES (7, 1, 'cold', 32, 32, 'char[]'), (8, 1, 'far', 64, 128, 'char[]'), (9, 1, 'last', 192, 64, 'char[]');
