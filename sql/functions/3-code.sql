-- SPDX-License-Identifier: GPL-2.0-or-later
-- Names of code, and call paths.

-- Returns 1 if code belongs to the kernel or to a library of the system: its source `file` is such a
-- library's header, or D, its row of dsos, is such a library.
library_code(file, D) := (coalesce(D.kind IN ('kernel', 'module', 'vdso') OR D.long_name GLOB '/lib/*.so*' OR D.long_name GLOB '/lib[0-9]*/*.so*' OR D.long_name GLOB '/usr/lib/*.so*' OR D.long_name GLOB '/usr/lib[0-9]*/*.so*', 0) OR coalesce(file GLOB '/usr/include/*' OR file GLOB '*/include/c++/*' OR file GLOB '/usr/lib*/include/*' OR file GLOB '/rustc/*' OR file GLOB '/rust/deps/*' OR file GLOB '*/lib/rustlib/*' OR file GLOB '*/.cargo/registry/src/*', 0))

-- Returns the name of code: its function, else its file in brackets.
code_name(function, dso) := coalesce(function, '[' || trim(coalesce(dso, 'unknown'), '[]') || ']')

-- Returns 1 if only the function of a caller is known, not its call: then its location is the function's first instruction, at which no call can be. `place` is
-- the locations.id of a frame that called another one.
is_unknown_call(place) := coalesce((SELECT x.symbol_offset = 0 FROM locations AS x WHERE x.id = place), 0)

-- Returns the callers of each line of T (columns function, file, line). `caller` is the innermost code outside libraries on
-- the call paths of most of the line's drawn samples. If it is NULL, `cut` shows why: 1: most of these call stacks end before their outermost
-- frame, 0: they contain only libraries. A line without call stacks has no row. Other code may be between `caller` and the line, because
-- unwinding by frame pointers may skip the direct caller of a function that has no frame pointer.
callers_of(T) := (
    WITH RECURSIVE
      site AS MATERIALIZED (
        SELECT i.id AS instruction_id, t.function AS function, t.file AS file, t.line AS line
        FROM instructions AS i
        LEFT JOIN locations AS l ON l.id = i.location_id
        LEFT JOIN symbols AS s ON s.id = i.symbol_id
        LEFT JOIN dsos AS d ON d.id = i.dso_id
        LEFT JOIN files AS f ON f.id = l.file_id
        JOIN T AS t ON t.function IS code_name(coalesce(l.function, s.name), d.short_name) AND t.file IS f.path AND t.line IS l.line
      ),
      hit AS (
        SELECT s.function AS function, s.file AS file, s.line AS line, d.call_path_id AS id, sum(d.estimate) AS weight
        FROM (SELECT instruction_id, call_path_id, sum(estimate) AS estimate FROM drawn_samples WHERE EXISTS (SELECT 1 FROM site) AND call_path_id IS NOT NULL GROUP BY 1, 2) AS d
        JOIN site AS s ON s.instruction_id = d.instruction_id
        GROUP BY 1, 2, 3, 4
      ),
      up AS (
        SELECT h.*, 1 AS inside FROM hit AS h
        UNION ALL
        SELECT u.function, u.file, u.line, p.parent_id, u.weight, c.location_id IS NOT NULL AND library_code(f.path, d)
        FROM up AS u
        JOIN call_paths AS p ON p.id = u.id
        JOIN call_paths AS c ON c.id = p.parent_id
        LEFT JOIN locations AS l ON l.id = c.location_id
        LEFT JOIN files AS f ON f.id = l.file_id
        LEFT JOIN dsos AS d ON d.id = l.dso_id
        WHERE u.inside AND p.parent_id < p.id
      )
    SELECT function, file, line, caller, cut, max(iif(caller IS NULL, -1.0 / weight, weight)) AS weight
    FROM (
      SELECT u.function AS function, u.file AS file, u.line AS line, iif(l.id IS NULL, NULL, short_code(code_name(coalesce(l.function, s.name), d.short_name)) || coalesce(' ' || file_name(f.path) || iif(is_unknown_call(l.id), '', ':' || l.line), '')) AS caller, p.kind IS 'truncated' AS cut, sum(u.weight) AS weight
      FROM up AS u
      JOIN call_paths AS p ON p.id = u.id
      LEFT JOIN locations AS l ON l.id = p.location_id
      LEFT JOIN symbols AS s ON s.id = l.symbol_id
      LEFT JOIN dsos AS d ON d.id = l.dso_id
      LEFT JOIN files AS f ON f.id = l.file_id
      WHERE NOT u.inside
      GROUP BY 1, 2, 3, 4, 5
    )
    GROUP BY function, file, line
  )

-- Returns the frames of a call path as text, the innermost first. `name` is an expression of l.function, the name of a frame's function. A caller
-- has a smaller id than the frame: this condition prevents an endless loop in a damaged database.
stack_text(path, name) := (
      WITH RECURSIVE
        up (step, id) AS (
          SELECT 0, path
          UNION ALL
          SELECT up.step + 1, p.parent_id
          FROM up JOIN call_paths AS p ON p.id = up.id
          WHERE p.parent_id < up.id
        )
      SELECT group_concat(text, ' < ')
      FROM (
        SELECT
          iif(p.kind = 'truncated', '[unknown]', coalesce(name, '[unknown]') || coalesce(' (' || file_name(l.file) || iif(up.step > 0 AND is_unknown_call(p.location_id), '', ':' || l.line) || ')', '')) AS text
        FROM up
        JOIN call_paths AS p ON p.id = up.id
        LEFT JOIN location_frames AS l ON l.location_id = p.location_id
        WHERE p.kind IS NOT 'root'
        ORDER BY up.step, l.depth
      )
  )

-- Returns the call paths of the first touches of objects with samples: object_id, thread_id, path_id (call_paths.id) and pages, the largest first.
-- Paths that differ only in the instruction of the touch are one.
touch_paths() := (
    SELECT f.object_id AS object_id, f.thread_id AS thread_id, min(f.call_path_id) AS path_id, count(*) AS pages
    FROM page_faults AS f
    JOIN object_costs AS o ON o.object_id = f.object_id
    JOIN call_paths AS p ON p.id = f.call_path_id
    LEFT JOIN locations AS l ON l.id = p.location_id
    WHERE f.first = 1
    GROUP BY f.object_id, f.thread_id, p.parent_id, l.function, l.file_id, l.line
    ORDER BY pages DESC, f.object_id, f.thread_id, path_id
  )

-- Returns 1 if the function is an operator of C++, which is a part of an expression of its caller. A lambda is not: "operator()".
is_operator(name) := coalesce(name GLOB 'operator[-+*/%&|^~!=<>,[]*' OR name GLOB '*::operator[-+*/%&|^~!=<>,[]*', 0)

-- Returns the innermost library function that was inlined at location L; NULL: none.
inlined_library(L) := (SELECT n.function FROM inlined_frames AS n WHERE n.location_id = L.id AND n.depth < 0 ORDER BY n.depth LIMIT 1)
