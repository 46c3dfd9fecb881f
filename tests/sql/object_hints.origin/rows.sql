-- SPDX-License-Identifier: GPL-2.0-or-later
-- Only one of 200 first touches of "serial" is known, and one of the 400 samples of "moved" is on reused memory. So
-- the advice for these two objects must not name the code that placed the pages. All first touches of "nearly" are known.
.read data/advice.sql
DELETE FROM fault_data WHERE object_id = 20 AND id > (SELECT min(id) FROM fault_data WHERE object_id = 20);
UPDATE access_kinds SET reused = 1 WHERE id = (SELECT min(kind_id) FROM sample_data WHERE object_id = 22);
