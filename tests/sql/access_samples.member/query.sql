-- SPDX-License-Identifier: GPL-2.0-or-later
SELECT object, type, element, member, object_offset, count(*) AS samples FROM access_samples GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 5;
