-- SPDX-License-Identifier: GPL-2.0-or-later
SELECT o.name, l.sharing, count(*) > 100 AS many FROM shared_lines AS l JOIN objects AS o ON o.id = l.object_id GROUP BY 1, 2;
