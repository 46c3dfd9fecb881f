-- SPDX-License-Identifier: GPL-2.0-or-later
SELECT object, type, element, member IS NOT NULL AS has_member, address IS NOT NULL AS known, count(*) AS samples FROM access_samples WHERE object IN ('counter', 'table') GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 3, 4, 5;
