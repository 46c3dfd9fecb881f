-- SPDX-License-Identifier: GPL-2.0-or-later
SELECT o.name, l.sharing, l.together, l.threads, l.writers FROM shared_lines AS l JOIN objects AS o ON o.id = l.object_id ORDER BY 1, l.address;
