-- SPDX-License-Identifier: GPL-2.0-or-later
-- The samples of data/gone.sql. Of the waits of tree and local, many may as well have been for the other of the two (other_waits.dealt), so the report says that their
-- costs are estimates. Waits for flag may have been dealt to others, too, but flag is small.
.read data/gone.sql
UPDATE other_waits SET dealt = 50000000 WHERE object_id = 22;
INSERT INTO other_waits (object_id, period, dealt) VALUES (20, 60000000, 60000000), (21, 80000000, 80000000);
