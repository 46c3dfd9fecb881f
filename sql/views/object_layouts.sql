-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_layouts AS
-- view:    object_layouts
-- summary: A layout of an object's type that ends the false sharing: which members to move to cache lines of their own.
-- grain: one row for each member of the type of each object that has false sharing and a known type, in the order of the new layout. A nested struct
--        has one row if all its members belong to one part
-- source:  Torrellas, Lam & Hennessy 1994: a line contains only what one thread writes, or what no thread writes; layout as pahole shows it (Carvalho de Melo 2007)
-- note: computed from drawn_samples. An object has rows if at least 50 of its drawn samples (of its accesses, if every access was counted) are in
--       cache lines in which another thread writes other bytes at the same time. Writes without a sample are not known, so look for them in the
--       source before you move a member. The samplers exact and soft see all writes
-- note: the layout has parts, each of which begins at a cache line: members that only one thread uses; members that one thread writes and others use;
--       members that several threads write (a lock stays next to its data); members that no thread writes. If there are many elements or blocks, the
--       threads of each single element decide. Members without samples are a part of their own, because their writers are not known. If every access was
--       counted, they have no writers and are in another part
-- note:    a union, and an array of structs inside the type, stay together, because their members cannot be moved apart. If threads use different
--          elements, each element begins a cache line
-- note: all drawn samples of the object decide to which part a member belongs, even if it is not certain that the thread made the access. A write
--       while no other thread uses the block counts only if the writer is the only thread that uses the member
-- note: a write counts as false sharing only if another thread uses the block in the same period, so initialisation does not count. If every access
--       was counted, times are not known. Then threads count for a line if the line moves to them again and again (see shared_lines), and a thread's
--       writes to a member count if there are at least 4 and they are at least one in 1000 accesses to the member
-- note:    allocate such types at multiples of 64 bytes: aligned_alloc(64, …), or new of C++17
-- note:    SQLite expands a CTE at each place that names it, so most steps here are window functions instead of joins
WITH
  moving AS MATERIALIZED moving_lines(),
  drawn AS ( -- block: address of the object's first byte
    SELECT
      coalesce(process_id, 0) AS process, address >> 6 AS line, object_id, address - object_offset AS block, object_offset, thread_id, cpu, stores,
      iif(has_counts(), 0, time) AS time, time AS until, observed_accesses(d) AS observed, d.accesses AS accesses, certain_access(d) AS certain
    FROM drawn_samples AS d
    WHERE address IS NOT NULL AND object_id IS NOT NULL AND thread_id IS NOT NULL
  ),
  seen AS MATERIALIZED ( -- base: address of the element's first byte. The bytes before the first element count as an element, too
    SELECT
      d.*, d.block + iif(d.object_offset < o.type_start, 0, o.type_start + coalesce(element_at(o, t, d.object_offset), 0) * t.size_bytes) AS base,
      iif(d.object_offset < o.type_start, o.type_start, t.size_bytes) AS size, element_at(o, t, d.object_offset) > 0 AS later, member_at(o, t, d.object_offset) AS member_id,
      iif(has_counts(), (d.process, d.line, d.thread_id) IN (SELECT process, line, thread_id FROM moving),
        min(d.thread_id) OVER w < max(d.thread_id) OVER w AND max(d.stores) OVER w AND (min(d.cpu) OVER w IS NULL OR min(d.cpu) OVER w < max(d.cpu) OVER w)) AND d.certain AS shared
    FROM drawn AS d
    JOIN objects AS o ON o.id = d.object_id
    JOIN types AS t ON t.id = o.type_id
    WINDOW w AS (PARTITION BY d.process, d.line, d.certain)
  ),
  uses AS ( -- which thread uses which member, in lines that several threads on several CPUs use and at least one of them writes. first_before, last_before: first and last use of the line by threads with a smaller id; first_after, last_after: by threads with a greater id
    SELECT
      *, min(first) OVER w AS first_before, min(first) OVER v AS first_after, max(last) OVER w AS last_before, max(last) OVER v AS last_after
    FROM (
      SELECT process, line, object_id, base, size, member_id, thread_id, stores, sum(accesses) AS drawn, sum(observed) AS observed, min(time) AS first, max(until) AS last,
        sum(sum(observed)) OVER (PARTITION BY process, line, object_id, base, member_id) AS of_member
      FROM seen
      WHERE shared
      GROUP BY process, line, object_id, base, size, member_id, thread_id, stores
    )
    WHERE NOT initialises(stores, observed, of_member)
    WINDOW
      w AS (PARTITION BY process, line ORDER BY thread_id GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
      v AS (PARTITION BY process, line ORDER BY thread_id GROUPS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
  ),
  spots AS MATERIALIZED ( -- members (in a line) that a thread uses during the period in which another thread uses the line
    SELECT
      process, line, object_id, base, size, member_id, sum(drawn) AS drawn, sum(observed) AS observed, min(thread_id) AS first_thread, max(thread_id) AS last_thread,
      min(iif(stores, thread_id, NULL)) AS first_writer, max(iif(stores, thread_id, NULL)) AS last_writer, min(first) AS first, max(last) AS last
    FROM uses
    WHERE first <= coalesce(max(last_before, last_after), last_before, last_after) AND last >= coalesce(min(first_before, first_after), first_before, first_after)
    GROUP BY process, line, object_id, base, size, member_id
  ),
  paddable AS MATERIALIZED ( -- elements each of whose members at most one thread writes
    SELECT
      process, line, base, size, min(first_thread) AS first_thread, max(last_thread) AS last_thread, min(first_writer) AS first_writer, max(last_writer) AS last_writer, min(first) AS first, max(last) AS last
    FROM spots
    WHERE coalesce(first_writer = last_writer, 1)
    GROUP BY process, line, base, size
  ),
  clashes AS ( -- members (spots) that share a line with another member of the same element (among_elements 0) or with another element (1), of which a different thread writes one in the same period. Elements that lie at the same address do not clash, because one replaced the other. Neighbours that threads use in different periods do not clash either
    SELECT x.*, 0 AS among_elements
    FROM spots AS x
    JOIN spots AS y ON y.process = x.process AND y.line = x.line AND y.object_id = x.object_id AND y.base = x.base AND y.member_id IS NOT x.member_id AND y.first <= x.last AND x.first <= y.last
    WHERE writes_beside(x, y) OR writes_beside(y, x)
    UNION ALL
    SELECT x.*, 1
    FROM spots AS x
    JOIN paddable AS y ON y.process = x.process AND y.line = x.line AND (y.base >= x.base + x.size OR x.base >= y.base + y.size) AND y.first <= x.last AND x.first <= y.last
    WHERE coalesce(x.first_writer = x.last_writer, 1) AND (writes_beside(x, y) OR writes_beside(y, x))
  ),
  found AS MATERIALIZED ( -- many: 1 if there are too many elements to pad each of them
    SELECT
      object_id, sum(drawn) AS drawn, max(members) AS members, max(elements) AS elements,
      count(DISTINCT iif(elements, process || ' ' || base, NULL)) > 4 * count(DISTINCT thread_id) AS many
    FROM (
      SELECT object_id, process, base, drawn, observed, first_thread AS thread_id, NOT min(among_elements) AS members, max(among_elements) AS elements
      FROM clashes
      GROUP BY process, line, object_id, base, member_id
    )
    GROUP BY object_id
    HAVING sum(observed) >= 50
  ),
  turns AS ( -- all accesses to these objects, including those that are not certain, and the first and the last time at which other threads use the block
    SELECT
      *, min(first) OVER w AS first_before, min(first) OVER v AS first_after, max(last) OVER w AS last_before, max(last) OVER v AS last_after
    FROM (
      SELECT process, object_id, block, base, member_id, thread_id, stores, certain, max(later) AS later, sum(observed) AS observed, min(time) AS first, max(until) AS last,
        sum(sum(observed)) OVER (PARTITION BY process, object_id, block, base, member_id) AS of_member
      FROM seen
      WHERE object_id IN (SELECT object_id FROM found) AND (NOT has_counts() OR (object_id, thread_id) IN (SELECT object_id, thread_id FROM seen WHERE shared))
      GROUP BY process, object_id, block, base, member_id, thread_id, stores, certain
    )
    WHERE NOT initialises(stores, observed, of_member)
    WINDOW
      w AS (PARTITION BY process, block ORDER BY thread_id GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
      v AS (PARTITION BY process, block ORDER BY thread_id GROUPS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
  ),
  periods AS ( -- during: 1 if the thread uses the member while other threads use the block
    SELECT
      *, coalesce(first <= coalesce(max(last_before, last_after), last_before, last_after)
        AND last >= coalesce(min(first_before, first_after), first_before, first_after), 0) AS during
    FROM turns
    WHERE member_id IS NOT NULL
  ),
  known AS ( -- first_user, last_user: the smallest and largest id of a thread that uses the member while others use the block. takes_part: 1 if the thread uses any member of the block during that time
    SELECT
      *, max(during AND certain) OVER w AS is_certain, max(during AND certain AND stores) OVER w AS store_is_certain,
      min(iif(during, thread_id, NULL)) OVER w AS first_user, max(iif(during, thread_id, NULL)) OVER w AS last_user,
      max(during) OVER (PARTITION BY process, object_id, block, thread_id) AS takes_part
    FROM periods
    WINDOW w AS (PARTITION BY process, object_id, base, member_id)
  ),
  counted AS ( -- the accesses that decide to which part a member belongs. An access that is not certain counts only if no certain access shows the same. A write at another time counts only if its thread also uses the block during that time and no other thread uses the member then; other such writes initialise the member
    SELECT *
    FROM known
    WHERE iif(during, certain OR NOT is_certain OR stores AND NOT store_is_certain, stores AND takes_part AND coalesce(first_user = thread_id AND last_user = thread_id, 1))
  ),
  roles AS ( -- which threads write and use a member of one element; NULL: no sample shows a writer
    SELECT
      *,
      CASE
        WHEN min(iif(stores, thread_id, NULL)) OVER w < max(iif(stores, thread_id, NULL)) OVER w THEN 'several ' || min(iif(stores, thread_id, NULL)) OVER w
        WHEN max(stores) OVER w AND min(thread_id) OVER w < max(thread_id) OVER w THEN 'for others ' || min(iif(stores, thread_id, NULL)) OVER w
        WHEN min(thread_id) OVER w = max(thread_id) OVER w AND (max(stores) OVER w OR sum(observed) OVER w >= 3) THEN 'own ' || thread_id
      END AS role
    FROM counted
    WINDOW w AS (PARTITION BY process, object_id, base, member_id)
  ),
  leaders AS ( -- the first member with the same role in the element names the part, because each element has its own threads
    SELECT *, iif(role IS NULL, 0, min(member_id) OVER (PARTITION BY process, object_id, base, role)) AS leader FROM roles
  ),
  chosen AS MATERIALIZED ( -- one row per member: its part, and its threads or their number. The part is that of most samples: SQLite takes the leader from the row with max(weight)
    SELECT
      object_id, member_id, leader, max(weight) AS weight,
      iif(count(DISTINCT iif(stores, tid, NULL)) <= 4, group_concat(DISTINCT iif(stores, tid, NULL)), count(DISTINCT iif(stores, tid, NULL)) || ' threads') AS written_by,
      iif(count(DISTINCT iif(stores, NULL, tid)) <= 4, group_concat(DISTINCT iif(stores, NULL, tid)), count(DISTINCT iif(stores, NULL, tid)) || ' threads') AS read_by
    FROM (
      SELECT l.*, t.tid AS tid, (min(sum(l.observed) OVER (PARTITION BY l.object_id, l.member_id, l.leader), 2147483647) << 32) - l.leader AS weight
      FROM leaders AS l
      JOIN threads AS t ON t.id = l.thread_id
      ORDER BY l.object_id, l.member_id, t.tid
    )
    GROUP BY object_id, member_id
  ),
  leaf AS MATERIALIZED ( -- own: the direct member of the type that contains this innermost member (leaf). whole: the array of structs, or the union, that contains the leaf; NULL: none. element: the element of this array
    SELECT
      f.*, m.id AS member_id, m.name AS name, m.type AS type, m.offset AS offset, m.size_bytes AS size_bytes, c.leader AS leader, c.written_by AS written_by, c.read_by AS read_by,
      substr(m.name, 1, min(instr(m.name || '.', '.'), instr(m.name || '[', '[')) - 1) AS own,
      CASE
        WHEN m.name GLOB '*|*' THEN (SELECT nullif(rtrim(rtrim(value, replace(value, '.', '')), '.'), '') FROM json_each('["' || replace(m.name, '|', '","') || '"]') ORDER BY length(rtrim(value, replace(value, '.', ''))) LIMIT 1)
        WHEN m.name GLOB '*].*' THEN substr(m.name, 1, instr(m.name, '[') - 1)
      END AS union_or_array,
      iif(m.name GLOB '*].*' AND m.name NOT GLOB '*|*', substr(m.name, 1, instr(m.name, ']')), NULL) AS element
    FROM found AS f
    JOIN objects AS o ON o.id = f.object_id
    JOIN members AS m ON m.type_id = o.type_id AND m.name IS NOT NULL
    LEFT JOIN chosen AS c ON c.object_id = f.object_id AND c.member_id = m.id
  ),
  leaves AS ( -- bytes that only one member of a union has belong to the union, too
    SELECT
      l.*, coalesce(l.union_or_array, (
        SELECT u.union_or_array FROM leaf AS u
        WHERE u.object_id = l.object_id AND u.element IS NULL AND substr(l.name, 1, length(u.union_or_array) + 1) = u.union_or_array || '.'
        ORDER BY length(u.union_or_array) LIMIT 1
      )) AS whole
    FROM leaf AS l
  ),
  nested AS ( -- item: size of the member, or of one element if it is an array such as "char[16]"
    SELECT
      *, max(leader) OVER w AS own_leader, min(leader) OVER w < max(leader) OVER w AS apart,
      whole IS NOT NULL AND min(leader) OVER a < max(leader) OVER a AS mixed, element IS NOT NULL AS in_array,
      iif(min(nullif(leader, 0)) OVER a < max(leader) OVER a, min(member_id) OVER a, max(leader) OVER a) AS whole_leader, min(member_id) OVER a AS first_member,
      size_bytes / iif(type GLOB '*]' AND NOT type GLOB '*[(<]*' AND NOT name GLOB '*|*', max(1, CAST(substr(type, instr(type, '[') + 1) AS INTEGER)), 1) AS item
    FROM leaves
    WINDOW w AS (PARTITION BY object_id, own), a AS (PARTITION BY object_id, own, whole)
  ),
  units AS ( -- padded: 1: an array of structs whose elements are used by different threads, so each element begins a cache line. align: the alignment of the member, or a multiple of it: the largest power of two up to 16 that divides offset and item
    SELECT
      object_id, drawn, elements, many, members, CASE WHEN apart AND whole IS NOT NULL THEN whole WHEN apart OR count(*) = 1 THEN name ELSE own END AS member,
      iif(count(*) = 1, type, NULL) AS member_type, min(offset) AS offset, max(offset + size_bytes) - min(offset) AS size_bytes, min(size_bytes) = 0 AS flexible,
      mixed AND in_array AS padded, iif(mixed AND in_array, 64, max((offset | item | 16) & -(offset | item | 16))) AS align, count(DISTINCT element) AS parts,
      -- -1: members that no sample shows in use by several threads. They are a part of their own, because their writers are not known
      coalesce(CASE WHEN mixed AND in_array THEN first_member WHEN apart AND whole IS NOT NULL THEN whole_leader WHEN apart THEN leader ELSE own_leader END, -1) AS leader,
      group_concat(written_by) AS written_by, group_concat(read_by) AS read_by
    FROM nested
    GROUP BY object_id, own, iif(apart, coalesce(whole, member_id), NULL)
  ),
  settled AS ( -- if every access was counted, members without accesses have no writers, so they join those that no thread writes or, if there are none, those of another part
    SELECT *, iif(leader < 0 AND has_counts(), iif(max(leader = 0) OVER w, 0, max(leader) OVER w), leader) AS settled_leader FROM units WINDOW w AS (PARTITION BY object_id)
  ),
  split AS (
    SELECT *, members AND min(leader) OVER w < max(leader) OVER w AS moved, iif(padded, parts * (((size_bytes + parts - 1) / parts + 63) / 64 * 64), (size_bytes + align - 1) / align * align) AS room
    FROM (SELECT object_id, drawn, elements, many, members, member, member_type, offset, size_bytes, flexible, padded, align, parts, settled_leader AS leader, written_by, read_by FROM settled)
    WINDOW w AS (PARTITION BY object_id)
  ),
  parts AS (
    SELECT *, max(flexible) OVER w AS ends, min(offset) OVER w AS part, (CAST(total(room) OVER w AS INTEGER) + 63) / 64 * 64 AS part_bytes
    FROM split
    WHERE moved OR elements
    WINDOW w AS (PARTITION BY object_id, iif(moved, leader, 0))
  ),
  packed AS (
    SELECT
      *, CAST(total(room) OVER (PARTITION BY object_id, part ORDER BY flexible, align DESC, offset ROWS UNBOUNDED PRECEDING) - room AS INTEGER) AS before
    FROM parts
  ),
  placed AS (
    SELECT
      *, CAST(total(iif(before = 0, part_bytes, 0)) OVER (PARTITION BY object_id ORDER BY ends, part GROUPS UNBOUNDED PRECEDING) - part_bytes AS INTEGER) AS start,
      CAST(total(iif(before = 0, part_bytes, 0)) OVER (PARTITION BY object_id) AS INTEGER) AS bytes
    FROM packed
  ),
  sized AS (
    SELECT p.*, CASE WHEN p.moved THEN p.bytes WHEN NOT p.many THEN (t.size_bytes + 63) / 64 * 64 END AS new_type_bytes, o.name AS object, o.size_bytes AS object_bytes, t.name AS type, t.size_bytes AS type_bytes,
      o.kind <> 'heap' OR o.allocated_bytes < 2 * o.allocations * t.size_bytes OR EXISTS (SELECT 1 FROM turns AS u WHERE u.object_id = p.object_id AND u.later) AS repeats
    FROM placed AS p
    JOIN objects AS o ON o.id = p.object_id
    JOIN types AS t ON t.id = o.type_id
  )
SELECT
  object_id AS object_id,           -- objects.id
  object AS object,                 -- objects.name
  type AS type,                     -- the type of an element
  CASE WHEN moved THEN 'members' WHEN many THEN 'threads' ELSE 'elements' END AS separates, -- what the layout puts 64 bytes apart. "members" of the type; "elements", or blocks and variables that are next to each other; "threads": the elements are too many to pad each, so give each thread a contiguous part of the array that begins at a cache line
  iif(moved, start + before, offset) AS new_offset, -- offset in the new layout, bytes
  iif(moved, before = 0, offset = 0 AND NOT many) AS aligned, -- 1: begins a part: declare it with alignas(64)
  offset AS offset,                 -- offset in the present layout, bytes
  size_bytes AS size_bytes,         -- size of the member, bytes
  moved AND padded AS padded,       -- 1: an array of structs: align the type of its elements to 64 bytes, because threads use different elements
  member AS member,                 -- the member; "": the element is a scalar, which has no members
  member_type AS member_type,       -- type of the member; NULL: not known, or a nested struct
  different_words(written_by) AS written_by, -- threads (tid) that write it, or their number; NULL: no sampled write while other threads used the block, and none of a member that only its writer uses
  different_words(read_by) AS read_by,       -- threads (tid) that read it, or their number; NULL: no sampled read while other threads used the block
  type_bytes AS type_bytes,         -- size of an element now, bytes
  new_type_bytes AS new_type_bytes, -- size of an element in the new layout, bytes; NULL: as now
  object_bytes AS object_bytes,     -- objects.size_bytes
  iif(repeats, object_bytes / type_bytes * new_type_bytes, NULL) AS new_object_bytes, -- the same with the new layout; NULL: as now, or not known: the blocks have room for several elements, but only the first one has samples
  drawn AS drawn                    -- number of drawn samples of the object in bytes that share a line with other threads' bytes
FROM sized;
