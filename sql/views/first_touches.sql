-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW first_touches AS
-- view:    first_touches
-- summary: The first touches that placed an object's pages: node, thread and code.
-- grain:   one row for each combination of object, home node, CPU node, thread, location and called function that has a first touch
-- source:  Liu & Mellor-Crummey 2014, 4.3
-- note:    while many processes start at once, no page faults are recorded (see losses): pages that were placed then have no row, and the
--          next fault of such a page looks like its first touch
-- note:    if malloc reuses memory, the pages are already placed, so the new block has no first touches there
-- note:    an operator of C++ that was inlined, such as operator=, is not the code, but the function around it
-- note:    the code is the program's own code if known, such as the caller of memset instead of memset. It is known if the recording has a copy
--          of the stack for each page fault, which memdb record makes
WITH
  part AS (
    SELECT
      c.object_id AS object_id, k.home_node_id AS home_node_id, k.cpu_node_id AS cpu_node_id,
      c.thread_id AS thread_id, iif(i.called_id IS NULL, i.location_id, i.caller_id) AS location_id, i.called_id AS called_id,
      sum(c.samples) AS pages, sum(c.samples * coalesce(k.page_bytes, r.page_bytes)) AS bytes,
      sum(iif(k.thread_pinned = 0, c.samples * coalesce(k.page_bytes, r.page_bytes), 0)) AS unpinned_bytes
    FROM fault_cells AS c
    CROSS JOIN runs AS r
    JOIN access_kinds AS k ON k.id = c.kind_id
    LEFT JOIN instructions AS i ON i.id = c.instruction_id
    WHERE k.first = 1 AND c.object_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6
  )
SELECT
  p.object_id AS object_id,     -- objects.id
  o.name AS object,             -- objects.name, such as the name of the variable
  p.home_node_id AS home_node_id, -- node on which the pages were placed; NULL: not known
  p.cpu_node_id AS cpu_node_id, -- node of the CPU that touched the pages; NULL: not known
  p.thread_id AS thread_id,     -- threads.id; NULL: not known
  h.tid AS tid,                 -- the kernel's thread number
  h.comm AS comm,               -- the thread's name
  p.location_id AS location_id, -- locations.id of the touching code, or of the program's call that led to the page fault; NULL: not known
  iif(l.id IS NULL, '[unknown]', code_name(coalesce(w.function, l.function, y.name), d.short_name)) AS function, -- innermost function at location_id outside the standard libraries; [file] if there is no symbol
  f.path AS file,               -- source file; NULL: not known
  iif(w.id IS NULL, l.line, nullif(w.line, 0)) AS line, -- source line; NULL: not known
  coalesce(s.name, inlined_library(l)) AS inside, -- library function called there that touched the page, such as "memset", "read", "std::…"; NULL: the code itself touched the page
  p.pages AS pages,             -- number of first touches; each placed one page, of any size
  p.bytes AS bytes,             -- sum of the sizes of these pages, bytes; a page of unknown size counts with the system's page size
  p.unpinned_bytes AS unpinned_bytes, -- the part of `bytes` that unpinned threads (threads that may run on several nodes) touched; unless a policy chose the node of these pages, the node may differ in the next run
  100.0 * p.bytes / sum(p.bytes) OVER (PARTITION BY p.object_id) AS bytes_pct -- share of the bytes that all first touches of the object placed, 0-100; every recorded first touch was counted, so there is no interval. The table losses has page faults that were not recorded: who placed those pages cannot be told
FROM part AS p
LEFT JOIN objects AS o ON o.id = p.object_id
LEFT JOIN threads AS h ON h.id = p.thread_id
LEFT JOIN locations AS l ON l.id = p.location_id
LEFT JOIN symbols AS y ON y.id = l.symbol_id
LEFT JOIN dsos AS d ON d.id = l.dso_id
LEFT JOIN inlined_frames AS w ON is_operator(l.function) AND w.id = (SELECT n.id FROM inlined_frames AS n LEFT JOIN files AS x ON x.id = n.file_id WHERE n.location_id = l.id AND n.depth > 0 AND NOT is_operator(n.function) AND NOT library_code(x.path, d) ORDER BY n.depth LIMIT 1)
LEFT JOIN files AS f ON f.id = iif(w.id IS NULL, l.file_id, w.file_id)
LEFT JOIN symbols AS s ON s.id = p.called_id;
