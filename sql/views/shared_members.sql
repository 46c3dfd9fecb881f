-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW shared_members AS
-- view:    shared_members
-- summary: The members in shared cache lines, with the threads that write and read them.
-- grain: one row for each member (or offset, if no member is known) with a sample, of each object in each cache line that has a sampled store and
--        samples of at least two threads of a process. shared_lines shows which of these lines threads use at the same time
-- note:    from drawn_samples. An access that crosses into the next line counts in the line in which it starts
WITH
  lines AS MATERIALIZED (
    SELECT process_id, address & -64 AS address
    FROM drawn_samples
    WHERE address IS NOT NULL
    GROUP BY 1, 2
    HAVING min(thread_id) < max(thread_id) AND max(stores) = 1
  ),
  moving AS MATERIALIZED moving_lines(),
  used AS (
    SELECT
      l.process_id AS process_id, l.address AS address, d.address - l.address AS byte, d.object_id AS object_id,
      coalesce(d.element_expression, o.name || '+' || d.object_offset, '[no object]') AS place, d.stores AS stores, t.tid AS tid, certain_access(d) AS certain
    FROM drawn_samples AS d
    -- CROSS JOIN, because otherwise SQLite would read drawn_samples once for each line
    CROSS JOIN lines AS l ON l.address = d.address & -64 AND l.process_id IS d.process_id
    LEFT JOIN objects AS o ON o.id = d.object_id
    LEFT JOIN threads AS t ON t.id = d.thread_id
    WHERE EXISTS (SELECT 1 FROM lines) -- SQLite evaluates this condition once; if there are no lines, it reads no sample
      AND (NOT has_counts() OR (coalesce(d.process_id, 0), d.address >> 6, d.thread_id) IN (SELECT process, line, thread_id FROM moving))
    ORDER BY tid
  )
SELECT
  process_id AS process_id, -- processes.id; NULL: not known
  address AS address,       -- address of the first byte of the line
  object_id AS object_id,   -- objects.id; NULL: no object
  min(byte) AS byte,        -- offset in the line of the first byte with a sample
  place AS place,           -- the member as in source code ("nodes[3].next"), else the object's name and the offset in it; "[no object]"
  group_concat(DISTINCT iif(stores, tid, NULL)) AS written_by, -- threads (tid) that write it; NULL: no sampled write
  group_concat(DISTINCT iif(stores, NULL, tid)) AS read_by     -- threads (tid) that read it; NULL: no sampled read
FROM used
WHERE certain
GROUP BY process_id, address, object_id, place;
