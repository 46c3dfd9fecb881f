-- SPDX-License-Identifier: GPL-2.0-or-later
-- An operator of C++ wrote the pages: it is inlined into std::fill, which is inlined into worker (line 21). Another one is not inlined.
.read first_touches.library/rows.sql
INSERT INTO files VALUES (2, '/usr/include/c++/12/bits/stl_algobase.h');
UPDATE locations SET function = 'vec::operator=', line = 7 WHERE id = 6;
UPDATE locations SET function = 'vec::operator+=', line = 8 WHERE id = 1;
DELETE FROM inlined_frames WHERE location_id = 6;
INSERT INTO inlined_frames VALUES (3, 6, 1, 'std::fill', 2, 910), (4, 6, 2, 'worker', 1, 21);
