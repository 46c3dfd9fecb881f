-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/typed.sql
-- Of some accesses, only the object is known. In `counter`, which consists of numbers, any byte belongs to a number. In `table`, it may be of any member.
UPDATE sample_data SET address = NULL, object_offset = NULL WHERE id % 2 = 0;
