-- SPDX-License-Identifier: GPL-2.0-or-later
-- The first touch of 1 page of 200 of "serial" is known, and one of the 400 samples of "moved" is known to be of reused memory: the advice
-- does not name who placed them. "nearly" has all its first touches.
.read data/advice.sql
DELETE FROM fault_data WHERE object_id = 20 AND id > (SELECT min(id) FROM fault_data WHERE object_id = 20);
UPDATE access_kinds SET reused = 1 WHERE id = (SELECT min(kind_id) FROM sample_data WHERE object_id = 22);
