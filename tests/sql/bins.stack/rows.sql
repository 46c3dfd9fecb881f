-- SPDX-License-Identifier: GPL-2.0-or-later
-- A stack has the largest cost. Without the parameter `object`, the query must show the costliest object that is not
-- a stack.
.read data/numa.sql
UPDATE objects SET kind = 'stack' WHERE id = 10;
