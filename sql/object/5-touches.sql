-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the threads and code that first touched the pages of one object (:id).
SELECT
  printf('%.0f %%', sum(bytes_pct)) AS placed, sum(pages) AS pages, home_node_id AS home, tid,
  iif(line IS NULL OR count(*) OVER (PARTITION BY home_node_id, thread_id, source_code(function), file, line, inside) > 1, short_code(function), source_code(function)) AS function,
  file_name(file) || ':' || line AS line, inside
FROM first_touches
WHERE object_id = :id
GROUP BY home_node_id, thread_id, function, file, line, inside
ORDER BY sum(bytes) DESC, function, line
LIMIT 8;
