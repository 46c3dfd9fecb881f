-- SPDX-License-Identifier: GPL-2.0-or-later
-- Elements, members, and what tells objects of one name apart.

-- element_at returns the number of the element (from 0) that contains the byte at an offset in object O, whose elements have type T. element_offset
-- returns the byte's offset in that element. NULL: the byte is in no element, or O has no type. The number is also NULL if the size of O is not
-- known, as for memory of which only a pointer is known.
element_at(O, T, bytes) := iif(bytes >= O.type_start AND O.size_bytes, iif(O.type_repeats, (bytes - O.type_start) / T.size_bytes, 0), NULL)
element_offset(O, T, bytes) := iif(bytes >= O.type_start, iif(O.type_repeats, (bytes - O.type_start) % T.size_bytes, bytes - O.type_start), NULL)

-- member_offset returns element_offset or, if O consists only of numbers or pointers of type T, 0 also for a byte whose offset is not known. member_at
-- returns members.id of the member at an offset in object O; NULL: not known.
member_offset(O, T, bytes) := iif(bytes IS NULL AND T.kind = 'scalar' AND O.type_repeats AND O.type_start = 0, 0, element_offset(O, T, bytes))
member_at(O, T, bytes) := (SELECT iif(b.size_bytes = 0 OR member_offset(O, T, bytes) < b.offset + b.size_bytes, b.id, NULL) FROM members AS b WHERE b.type_id = O.type_id AND b.offset <= member_offset(O, T, bytes) ORDER BY b.offset DESC LIMIT 1)

-- is_array returns 1 if object O has several elements of type T. member_name returns member M as in source code; `number` is the number of the
-- element, or NULL for all elements.
is_array(O, T) := (O.type_repeats AND iif(O.kind = 'heap', O.allocated_bytes > O.allocations * T.size_bytes, O.size_bytes > T.size_bytes))
member_name(O, T, M, number) := (O.name || iif(is_array(O, T), '[' || coalesce(number, '') || ']', '') || CASE M.name WHEN '' THEN '' ELSE '.' || coalesce(M.name, '[hole]') END)

-- Returns the columns that are equal for all objects with the same name and place, to group by. O is a row of objects. An object without a place is alone.
object_site(O) := O.name, O.kind, O.dso_id, O.function, O.file_id, O.line, iif(coalesce(O.function, O.file_id, O.dso_id) IS NULL, O.id, NULL)

-- Returns what distinguishes the objects of T (columns id, object, the name, and kind) that have name and kind in common with another one of T: id and site.
-- The site is the first property that no other twin has; if there is none, the first such pair; if there is none, the property or pair that the fewest twins
-- have, unless all have it. `up` has the frames of the twins' call paths, innermost first, with the locations up to this frame (trail). `via` has the
-- innermost frame that no twin has: with min(depth), SQLite takes the other columns from the row with the minimum. `property` has the properties, the
-- preferred ones first, and `told` each of them and each pair, with the number of twins that have the same text there (have). The order of the
-- allocations, which is that of the ids, is number 80: it comes after all pairs.
told_apart(T) := (
    WITH RECURSIVE
      twin AS MATERIALIZED (
        SELECT c.id AS id, c.object AS object, c.kind AS kind, o.call_path_id AS path, nullif(trim(coalesce(base_code(o.function), '') || coalesce(' ' || file_name(f.path) || ':' || o.line, '')), '') AS site,
          d.short_name AS dso, p.pid AS pid, h.tid AS tid, o.size_bytes AS size_bytes, c.n AS n,
          iif(c.kind = 'heap', (SELECT count(*) FROM objects AS e WHERE e.name = o.name AND e.kind = o.kind AND e.id <= o.id), NULL) AS nth
        FROM (SELECT *, count(*) OVER (PARTITION BY object, kind) AS n FROM T) AS c
        JOIN objects AS o ON o.id = c.id
        LEFT JOIN files AS f ON f.id = o.file_id
        LEFT JOIN dsos AS d ON d.id = o.dso_id
        LEFT JOIN processes AS p ON p.id = o.process_id
        LEFT JOIN threads AS h ON h.id = o.thread_id
        WHERE c.n > 1
      ),
      up AS (
        SELECT t.id AS id, t.object AS object, t.kind AS kind, p.id AS path, p.parent_id AS parent_id, p.location_id AS location_id, 1 AS depth, '/' || p.location_id AS trail FROM twin AS t JOIN call_paths AS p ON p.id = t.path
        UNION ALL
        SELECT u.id, u.object, u.kind, p.id, p.parent_id, p.location_id, u.depth + 1, u.trail || '/' || p.location_id FROM up AS u JOIN call_paths AS p ON p.id = u.parent_id WHERE p.id < u.path AND p.location_id IS NOT NULL
      ),
      via AS (
        SELECT u.id AS id, short_code(code_name(coalesce(l.function, s.name), d.short_name)) AS function, ' ' || file_name(f.path) || ':' || l.line AS line, min(u.depth)
        FROM (SELECT *, count(*) OVER (PARTITION BY object, kind, depth, trail) AS n FROM up) AS u
        JOIN locations AS l ON l.id = u.location_id
        LEFT JOIN symbols AS s ON s.id = l.symbol_id
        LEFT JOIN dsos AS d ON d.id = l.dso_id
        LEFT JOIN files AS f ON f.id = l.file_id
        WHERE u.n = 1
        GROUP BY u.id
      ),
      property AS (
        SELECT *
        FROM (
          SELECT
            t.id AS id, t.object AS object, t.kind AS kind, t.n AS n, k.value AS place,
            CASE k.value
              WHEN 1 THEN t.site
              WHEN 2 THEN 'via ' || v.function
              WHEN 3 THEN 'via ' || v.function || v.line
              WHEN 4 THEN t.dso
              WHEN 5 THEN 'process ' || t.pid
              WHEN 6 THEN 'thread ' || t.tid
              WHEN 7 THEN t.size_bytes || ' B'
              ELSE 'allocated no. ' || t.nth
            END AS text
          FROM twin AS t
          CROSS JOIN json_each('[1, 2, 3, 4, 5, 6, 7, 80]') AS k
          LEFT JOIN via AS v ON v.id = t.id
        )
        WHERE text IS NOT NULL
      ),
      told AS (
        SELECT *, count(*) OVER (PARTITION BY object, kind, place, text) AS have
        FROM (
          SELECT a.id AS id, a.object AS object, a.kind AS kind, a.n AS n, iif(b.place = a.place, 10 * a.place, 100 * a.place + b.place) AS place, a.text || iif(b.place = a.place, '', ', ' || b.text) AS text
          FROM property AS a
          JOIN property AS b ON b.id = a.id AND b.place >= a.place AND NOT (a.place = 2 AND b.place = 3) AND (b.place < 80 OR a.place = 80)
        )
      )
    SELECT id, text AS site
    FROM (SELECT id, text, row_number() OVER (PARTITION BY id ORDER BY have, place) AS choice FROM told WHERE have < n)
    WHERE choice = 1
  )
