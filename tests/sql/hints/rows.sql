-- SPDX-License-Identifier: GPL-2.0-or-later
-- The hints of the objects on two nodes, the object with the highest cost first.
.read object_hints/rows.sql
