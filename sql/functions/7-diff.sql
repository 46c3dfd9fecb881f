-- SPDX-License-Identifier: GPL-2.0-or-later
-- The comparison of two runs. Database S contains one of them, database O the other.

-- diff_clock returns the unit of thread time in S; NULL: not measured. diff_unit returns the unit of costs in S, which are counts of accesses if neither
-- time nor latency was measured; NULL: the run has no samples.
diff_clock(S) := (SELECT iif(EXISTS (SELECT 1 FROM S.selected_events AS e JOIN S.access_kinds AS k ON k.evsel_id = e.id WHERE e.role = 'time'), 'ms', 'million cycles') FROM S.totals WHERE scope = 'run' AND thread_time > 0)
diff_unit(S) := (SELECT CASE WHEN cost_unit = 'latency' THEN 'million cycles of latency' ELSE coalesce(diff_clock(S), 'accesses') END FROM S.run_costs)

-- Returns the name, without folders, of the program that ran in the run of database S but not in that of O. If there are
-- several, returns the one with most samples. A launcher (mpirun, env, sh) ran in both, so it is not chosen. NULL: the
-- programs of both runs have the same names. If a run has no known program, returns the first word of the command.
diff_program(S, O) := (SELECT iif(EXISTS (SELECT 1 FROM S.processes WHERE exe IS NOT NULL) AND EXISTS (SELECT 1 FROM O.processes WHERE exe IS NOT NULL), (
      SELECT file_name(p.exe) FROM S.totals AS t JOIN S.threads AS h ON h.id = t.thread_id JOIN S.processes AS p ON p.id = h.process_id
      WHERE t.scope = 'thread' AND file_name(p.exe) NOT IN (SELECT file_name(exe) FROM O.processes WHERE exe IS NOT NULL)
      GROUP BY 1 ORDER BY sum(t.samples) DESC, 1 LIMIT 1
    ), (SELECT file_name(word) FROM (SELECT substr(command || ' ', 1, instr(command || ' ', ' ') - 1) AS word FROM S.runs))))

-- Returns 1 if every access was counted in database S, and nothing else was measured: then the costs have no sampling error.
diff_counted(S) := coalesce((SELECT estimate > 0 AND estimate_sq = 0 AND thread_time = 0 FROM S.totals WHERE scope = 'run'), 0)

-- Returns the terms that sort the changes between runs: by part, then those beyond chance, then the largest.
diff_order() := CASE part WHEN 'run' THEN 0 WHEN 'kind of time' THEN 1 WHEN 'thread' THEN 2 WHEN 'object' THEN 3 WHEN 'member' THEN 4 WHEN 'function' THEN 5 WHEN 'line' THEN 6 ELSE 7 END, CASE WHEN part <> 'run' THEN low <= 0 AND high >= 0 WHEN name = 'wall time' THEN 2 WHEN name IN ('time off the CPU', 'threads at the same time') THEN 3 WHEN name = 'thread time' THEN 0 ELSE 1 END, abs(change) DESC, name, place

-- Returns the build-ids of the programs with samples in database S. NULL: at least one build-id is not known.
diff_builds(S) := (SELECT iif(count(*) = count(build), group_concat(build, ' '), NULL)
    FROM (
      SELECT DISTINCT d.build_id AS build
      FROM S.totals AS t JOIN S.threads AS h ON h.id = t.thread_id JOIN S.processes AS p ON p.id = h.process_id LEFT JOIN S.dsos AS d ON d.long_name = p.exe OR p.exe NOT LIKE '/%' AND d.short_name = file_name(p.exe) -- the path as the user gave it
      WHERE t.scope = 'thread'
      ORDER BY 1
    ))

-- Returns the names of the main threads of the program P in database S. A thread that sets no name has the main thread's name.
diff_mains(S, P) := (SELECT m.comm FROM S.threads AS m JOIN S.processes AS q ON q.id = m.process_id WHERE m.tid = m.pid AND file_name(q.exe) = P)

-- Returns the name of the PROGRAM unit of a Fortran program in database S; NULL: there is none. Its symbol is always MAIN__.
diff_unit_name(S) := (SELECT f.function FROM S.symbols AS y JOIN S.locations AS l ON l.symbol_id = y.id JOIN S.location_frames AS f ON f.location_id = l.id WHERE y.name = 'MAIN__' ORDER BY f.depth DESC LIMIT 1)

-- Returns the name of a function, or of a place in a file. Replaces the program's name P with "[program]", and the name U of the
-- Fortran PROGRAM unit with "MAIN__", because the program may have different names in the two runs. Removes "[clone …]", which follows the
-- name of a part that the compiler split off a function, because it contains a number that changes. A function or a variable may have the
-- program's name by chance, so a name that is nothing but P remains as it is. diff_thread does this for the name of a thread, where P is
-- replaced, too; diff_called for the name of an object, which may contain these names; diff_object also for the name of an object of a library.
diff_name(name, P, U) := CASE WHEN name = U THEN 'MAIN__' WHEN name = '[' || P || ']' THEN '[program]' WHEN substr(name, 1, length(P) + 1) = P || '+' THEN '[program]' || substr(name, length(P) + 1) WHEN name LIKE '% [clone %' AND name NOT LIKE '%._omp_fn.%' THEN substr(name, 1, instr(name, ' [clone ') - 1) ELSE name END
diff_thread(name, P) := iif(name IN (P, substr(P, 1, 15)), '[program]', diff_name(name, P, NULL))
diff_called(name, P, U) := CASE WHEN name LIKE '[.% of %' AND substr(name, instr(name, ' of ') + 4) = P || ']' THEN substr(name, 1, instr(name, ' of ') + 3) || '[program]]' WHEN substr(name, 1, length(U) + 2) = U || ' (' THEN 'MAIN__ (:' || substr(name, instr(name, ':') + 1) WHEN substr(name, 1, length(U) + 2) = U || '::' THEN 'MAIN__' || substr(name, length(U) + 1) ELSE diff_name(name, P, NULL) END

-- diff_retyped returns the functions that only differ in their parameters, template arguments or result between the runs of the databases S and O,
-- as after a change of a type: their names without these, if each run has one function of this name. diff_function returns the name
-- of a function as diff_name does, but that shorter name if F, the result of diff_retyped, has it.
diff_plain(name) := short_code(diff_name(name, NULL, NULL))
diff_names(S) := SELECT diff_plain(name) AS plain, min(diff_name(name, NULL, NULL)) AS name, min(diff_name(name, NULL, NULL)) < max(diff_name(name, NULL, NULL)) AS several
    FROM (
      SELECT DISTINCT coalesce(l.function, s.name) AS name FROM S.locations AS l LEFT JOIN S.symbols AS s ON s.id = l.symbol_id
      UNION
      SELECT coalesce(l.function, s.name) FROM S.instructions AS i LEFT JOIN S.locations AS l ON l.id = i.location_id LEFT JOIN S.symbols AS s ON s.id = i.symbol_id
      UNION
      SELECT function FROM S.inlined_frames
    )
    WHERE name IS NOT NULL
    GROUP BY 1
diff_retyped(S, O) := SELECT a.plain AS plain FROM (diff_names(S)) AS a JOIN (diff_names(O)) AS b ON b.plain = a.plain WHERE a.name <> b.name AND NOT a.several AND NOT b.several
diff_function(name, P, U, F) := iif(diff_plain(name) IN (SELECT plain FROM F), diff_plain(name), diff_name(name, P, U))

-- diff_short shortens what a row is called, its name or place, by short_code: also after "heap in ", and both sides of an arrow, of which one is
-- enough if they are then equal.
diff_placed(text) := iif(instr(text, ' in ') > 0, substr(text, 1, instr(text, ' in ') + 3) || short_code(substr(text, instr(text, ' in ') + 4)), short_code(text))
diff_sides(before, after) := (before || iif(before = after, '', ' → ' || after))
diff_short(text) := iif(instr(text, ' → ') > 0, diff_sides(diff_placed(substr(text, 1, instr(text, ' → ') - 1)), diff_placed(substr(text, instr(text, ' → ') + 3))), diff_placed(text))

-- An object of blocks that a library allocates for its own use is called "[library] function (file:line)". diff_owner returns "[library] ", or "" for
-- other names. diff_own returns the rest of the name.
diff_owner(name) := iif(name LIKE '[%] %', substr(name, 1, instr(name, '] ') + 1), '')
diff_own(name) := substr(name, length(diff_owner(name)) + 1)
diff_object(name, P, U) := diff_owner(name) || diff_called(diff_own(name), P, U)

-- recorded_end returns when the recording in database S ended, ns. The program may have ended later
-- than perf, or than a capture that has reached its largest size. life_of returns how long a thread
-- of the run r lived until this time, ns.
recorded_end(S) := (SELECT e.end_ns - 1000000 * coalesce((SELECT max(count) FROM S.losses WHERE what = 'ms at the end'), 0) FROM S.runs AS e)
life_of(t, r, until) := max(0, min(coalesce(t.end_ns, r.end_ns), until) - max(coalesce(t.start_ns, r.start_ns), r.start_ns))

-- diff_together returns 1 if the amount of time of this kind (spin, sharing) depends on which other threads run at the same
-- time. diff_on_cpu returns the share of their lifetimes that the threads of database S spent on a CPU, 0-1; NULL: not
-- known, or the kernel's time was not sampled.
diff_together(k) := (k.time_kind IN (6, 10))
diff_on_cpu(S) := (SELECT min(1, t.thread_time * (1 + coalesce((SELECT sum(count) FROM S.losses WHERE what IN ('samples in the tracker', 'samples in perf')), 0) / nullif(1.0 * t.samples, 0))
      / nullif((SELECT sum(life_of(h, r, recorded_end(S))) FROM S.threads AS h, S.runs AS r WHERE h.id IN (SELECT thread_id FROM S.totals WHERE scope = 'thread')), 0))
    FROM S.totals AS t
    WHERE t.scope = 'run' AND t.thread_time > 0 AND EXISTS (SELECT 1 FROM S.selected_events WHERE role = 'time') AND NOT EXISTS (SELECT 1 FROM S.losses WHERE what = 'kernel mode'))

-- diff_turns returns 1 for kinds of time that may be exchanged: time at one access may count as any of them (unknown, memory,
-- cached, compute). diff_doubted returns 1 for time at an access, or in unknown code, that counts as no wait although it may be
-- one: memdb decides from the samples of a run which operands it expects in the cache, so in another run of the same program the
-- same time may count as a wait.
diff_turns(kind) := (kind IN (0, 1, 2, 3))
diff_doubted(m) := (m.timed AND m.cost IS NULL AND (m.addressed OR m.undecided))

-- Returns the uncertainty of tied time in database S. Tied time is time of the kinds that diff_together accepts: it depends
-- on which other threads run. Its samples come in bunches, because the scheduler runs threads together for some milliseconds.
-- So the unit of observation is an interval of 10 ms, not a sample. Each row is for a scope of totals and an item (a member of
-- the scope):
-- factor            by how much this increases the variance, at least 1: Σ (p - mean p)² over the intervals of the run, where
--                   p is the sum of the periods in an interval, divided by the sum of the squares of the periods
-- time_sq, cost_sq  amounts to add to the sums of squares of the item's time and cost
-- tied              tied time of the item, ns
-- open              for an object: tied time of other objects at the functions that access it, ns, because it is not
--                   certain for which of its operands such code waits
-- doubt             time of the item that counts as no wait (diff_doubted), ns
diff_bunches(S, N) := SELECT N AS side, i.scope AS scope, i.item AS item, f.factor AS factor, i.period_sq * (f.factor - 1) AS time_sq, i.cost_sq * (f.factor - 1) AS cost_sq, i.tied AS tied, max(0, i.near - i.tied) AS open, i.doubt AS doubt
    FROM (
      SELECT scope, item, total(period_sq) AS period_sq, total(cost_sq) AS cost_sq, total(tied) AS tied, total(near) AS near, total(doubt) AS doubt
      FROM (
        SELECT k.scope AS scope, coalesce(k.instruction_id, k.object_id, k.thread_id, 0) AS item, k.period_sq AS period_sq, iif(m.cost = 'period', k.period_sq, 0) AS cost_sq, k.period AS tied, 0 AS near, 0 AS doubt
        FROM S.kind_totals AS k JOIN S.access_kinds AS a ON a.id = k.kind_id JOIN S.kind_measures AS m ON m.id = k.kind_id
        WHERE diff_together(a)
        UNION ALL
        SELECT 'object', t.object_id, 0, 0, 0, k.period, 0
        FROM S.kind_totals AS k JOIN S.access_kinds AS a ON a.id = k.kind_id JOIN S.totals AS t ON t.scope = 'function_object' AND t.instruction_id = k.instruction_id
        WHERE k.scope = 'function' AND diff_together(a) AND t.object_id IS NOT NULL
        UNION ALL
        SELECT k.scope, coalesce(k.instruction_id, k.object_id, k.thread_id, 0), 0, 0, 0, 0, k.period
        FROM S.kind_totals AS k JOIN S.kind_measures AS m ON m.id = k.kind_id
        WHERE diff_doubted(m)
      )
      GROUP BY scope, item
    ) AS i, (
      SELECT max(1, coalesce((sum(p * p) - sum(p) * sum(p) / (SELECT 1 + (max(time) - min(time)) / 10000000 FROM S.sample_data)) / sum(sq), 1)) AS factor
      FROM (
        SELECT total(period) AS p, total(1.0 * period * period) AS sq
        FROM S.sample_data
        WHERE kind_id IN (SELECT a.id FROM S.access_kinds AS a WHERE diff_together(a)) AND EXISTS (SELECT 1 FROM S.access_kinds AS a WHERE diff_together(a))
        GROUP BY time / 10000000
      )
    ) AS f

-- Returns how much the threads of database S ran at the same time, 0-1. It is a quotient of two sums over all samples:
-- the number of other CPUs with a sample in the same 4 ms, and the number of other threads with a sample in the same 100
-- ms. NULL: only one thread ran at a time, or neither S nor O has tied time (see diff_bunches).
diff_overlap(S, O) := (SELECT 1.0 * sum(n * (cpus - 1)) / nullif(sum(n * (threads - 1)), 0)
    FROM (
      SELECT count(*) AS n, count(DISTINCT coalesce(cpu, -thread_id)) AS cpus, 1 AS threads FROM S.sample_data
      WHERE kind_id IN (SELECT id FROM S.kind_measures WHERE timed) AND (EXISTS (SELECT 1 FROM S.access_kinds AS a WHERE diff_together(a)) OR EXISTS (SELECT 1 FROM O.access_kinds AS a WHERE diff_together(a)))
      GROUP BY time / 4000000
      UNION ALL
      SELECT count(*), 1, count(DISTINCT thread_id) FROM S.sample_data
      WHERE kind_id IN (SELECT id FROM S.kind_measures WHERE timed) AND (EXISTS (SELECT 1 FROM S.access_kinds AS a WHERE diff_together(a)) OR EXISTS (SELECT 1 FROM O.access_kinds AS a WHERE diff_together(a)))
      GROUP BY time / 100000000
    ))

-- diff_displaced returns the share of their time for which the computing threads of database S were off the CPUs, 0-1. It is
-- computed from pairs of successive samples of a thread that neither waited nor was in the kernel: the time between the two,
-- beyond the period, is time off the CPU. Then other threads had the CPU, or the machine's host took it. In a large database,
-- only parts of 10,000 samples are used, about 200,000 samples in all. NULL: time was not sampled. diff_noise returns the
-- percentage by which a value of two runs of the same program may differ, beyond the sampling; `before` and `after` are
-- diff_displaced of both. Whatever else uses the machine, or its host, shares caches, memory and cores, so the same work takes
-- up to 20 % more time even if the program has its CPUs for itself. Threads on shared CPUs also find their caches replaced, which
-- adds up to 30 points. Both numbers are measured on a virtual machine with busy neighbours (docs/metrics.md).
diff_displaced(S) := (SELECT total(iif(idle OR was_idle, 0, max(0, gap - period))) / nullif(total(period) + total(iif(idle OR was_idle, 0, max(0, gap - period))), 0)
    FROM (
      SELECT s.period AS period, k.time_kind IN (7, 9) AS idle, s.time - lag(s.time) OVER w AS gap, lag(k.time_kind IN (7, 9)) OVER w AS was_idle
      FROM S.sample_data AS s JOIN S.access_kinds AS k ON k.id = s.kind_id
      WHERE s.id / 10000 % (1 + (SELECT max(id) FROM S.sample_data) / 200000) = 0 AND k.evsel_id IN (SELECT e.id FROM S.selected_events AS e WHERE e.role = 'time')
      WINDOW w AS (PARTITION BY s.thread_id, s.id / 10000 ORDER BY s.time)
    ))
diff_noise(before, after) := (20 + round(30 * max(coalesce(before, 0), coalesce(after, 0))))

-- diff_site returns where the object o of database S is allocated: the functions of its call path (F is as in diff_function), and also the address of the call if both runs have
-- the same program files. NULL: not a heap object. diff_lined returns 1 for the name of an object, or of its member, that
-- has the name of a line, as if no source text names it.
diff_site(S, O, o, F) := (WITH RECURSIVE up (parent_id, location_id) AS (
      SELECT parent_id, location_id FROM S.call_paths WHERE id = o.call_path_id
      UNION ALL
      SELECT c.parent_id, c.location_id FROM up JOIN S.call_paths AS c ON c.id = up.parent_id
    )
    SELECT group_concat(diff_function(coalesce(l.function, y.name, '?'), NULL, NULL, F), ' < ') || iif(diff_builds(S) = diff_builds(O), char(10) || (SELECT a.offset FROM S.locations AS a WHERE a.id = o.location_id), '')
    FROM up JOIN S.locations AS l ON l.id = up.location_id LEFT JOIN S.symbols AS y ON y.id = l.symbol_id)
diff_lined(name) := (name GLOB '* (*:[0-9]*)*')

-- Returns the functions of database S, named by diff_function, with the share of the run's samples in each, 0-1.
diff_functions(S, P, F) := SELECT diff_function(code_name(coalesce(l.function, s.name), d.short_name), P, diff_unit_name(S), F) AS name, sum(t.samples) / sum(1.0 * sum(t.samples)) OVER () AS share
    FROM S.totals AS t LEFT JOIN S.instructions AS i ON i.id = t.instruction_id LEFT JOIN S.locations AS l ON l.id = i.location_id
    LEFT JOIN S.symbols AS s ON s.id = i.symbol_id LEFT JOIN S.dsos AS d ON d.id = i.dso_id
    WHERE t.scope = 'function'
    GROUP BY 1

-- Returns the average weight of a sample of database S in `unit`, a unit that diff_clock or diff_unit returns.
diff_weight(S, unit) := (SELECT iif(unit = 'accesses', estimate_sq / nullif(estimate, 0), iif(unit = diff_clock(S), thread_time_sq / nullif(thread_time, 0), cost_sq / nullif(cost + lost_cost, 0)) / 1e6) FROM S.totals WHERE scope = 'run')

-- Returns the costs of the run in database S, which is compared with the run in O:
-- side        N, the number of the run
-- part        the kind of thing that has the cost: run, thread, kind of time, object, member, function, line, matrix
-- key         identifies the row within `part`: rows of both runs with the same part and key are compared
-- moved       for an object that is named after a line: the key without the file and the line's number
-- text        for a line, whose key is its function: its text
-- value       time, cost or count, in the unit `unit`
-- sq          sum of the squares of each sample's contribution to `value`, from which the sampling error follows; NULL: not sampled
-- tied, open, doubt  as in diff_bunches, in the unit `unit`; the doubt of a kind of time is the time of the other kinds that may turn into it
-- site        for an object: diff_site; for a member: that of its object, and the member's name
-- U is a table of one row. Its columns clock and cost are the units of thread time and of costs that both runs have (NULL: the units differ, so there
-- are no such rows). Its column lived is 1 if diff_on_cpu is known for both runs. B is diff_bunches of both runs, F is diff_retyped.
diff_side(S, O, N, U, B, F) := SELECT N AS side, 'run' AS part, 'wall time' AS key, NULL AS moved, 'wall time' AS name, NULL AS place, NULL AS text, 'ms' AS unit, (end_ns - start_ns) / 1e6 AS value, NULL AS sq, NULL AS tied, NULL AS open, NULL AS doubt, NULL AS site FROM S.runs
    UNION ALL
    SELECT N, 'run', 'time off the CPU', NULL, 'time off the CPU', NULL, NULL, '%', 100 - 100 * diff_on_cpu(S), NULL, NULL, NULL, NULL, NULL FROM U AS u WHERE u.lived
    UNION ALL
    SELECT N, 'run', 'threads at the same time', NULL, 'threads at the same time', NULL, NULL, '%', 100 * share, NULL, NULL, NULL, NULL, NULL FROM (SELECT diff_overlap(S, O) AS share) WHERE share IS NOT NULL
    UNION ALL
    SELECT N, 'run', 'thread time', NULL, 'thread time', NULL, NULL, u.clock, t.thread_time / 1e6, (t.thread_time_sq + coalesce(b.time_sq, 0)) / 1e12, b.tied / 1e6, NULL, NULL, NULL
    FROM S.totals AS t CROSS JOIN U AS u LEFT JOIN B AS b ON b.side = N AND b.scope = 'run' WHERE t.scope = 'run' AND u.clock IS NOT NULL
    UNION ALL
    SELECT N, c.part,
      CASE c.part
        WHEN 'object' THEN diff_object(c.name, c.program, c.unit_name) || char(10) || coalesce(c.kind, '') || char(10) || coalesce(diff_function(c.allocating, c.program, c.unit_name, F), '')
        ELSE diff_function(c.name, c.program, c.unit_name, F)
      END,
      CASE
        WHEN c.part = 'object' AND c.name = c.program THEN '[program]' || char(10) || c.kind || char(10) || coalesce(diff_function(c.allocating, c.program, c.unit_name, F), '')
        WHEN c.part = 'object' AND c.name GLOB '* (*:[0-9]*)' THEN diff_owner(c.name) || diff_name(substr(diff_own(c.name), 1, instr(diff_own(c.name), ' (') - 1), c.program, c.unit_name) || ' (' || char(10) || c.kind || char(10) || coalesce(diff_function(c.allocating, c.program, c.unit_name, F), '')
      END,
      c.name,
      CASE c.part WHEN 'object' THEN trim(coalesce(c.kind, '') || coalesce(' in ' || c.allocating, '')) WHEN 'line' THEN c.file || ':' || c.line END,
      iif(c.name = c.unit_name, replace(c.text, c.unit_name, 'MAIN__'), c.text), c.unit, c.value, c.sq, c.tied, c.open, c.doubt, c.site
    FROM (
      SELECT
        t.scope AS part,
        CASE t.scope
          WHEN 'run' THEN iif(u.cost = 'accesses', 'accesses', 'waits for memory')
          WHEN 'object' THEN iif(o.kind = 'stack' AND o.name LIKE '[stack of %', '[stacks]', coalesce(o.name, '[no object]')) -- one row for all stacks, because their names contain thread ids, which differ between runs
          ELSE code_name(coalesce(l.function, s.name), d.short_name)
        END AS name,
        o.kind AS kind, o.function AS allocating, file_name(f.path) AS file, l.line AS line,
        (SELECT trim(x.text, ' ' || char(9)) FROM S.source_lines AS x WHERE x.file_id = l.file_id AND x.line = l.line) AS text,
        u.cost AS unit, iif(u.cost = 'accesses', t.estimate, (t.cost + t.lost_cost) / 1e6) AS value, iif(u.cost = 'accesses', t.estimate_sq, (t.cost_sq + coalesce(b.cost_sq, 0)) / 1e12) AS sq,
        b.tied / 1e6 AS tied, b.open / 1e6 AS open, iif(u.cost = u.clock, b.doubt / 1e6, NULL) AS doubt, diff_program(S, O) AS program, diff_unit_name(S) AS unit_name,
        iif(t.scope = 'object', diff_site(S, O, o, F), NULL) AS site
      FROM S.totals AS t CROSS JOIN U AS u LEFT JOIN S.objects AS o ON o.id = t.object_id LEFT JOIN S.instructions AS i ON i.id = t.instruction_id
      LEFT JOIN S.locations AS l ON l.id = i.location_id LEFT JOIN S.symbols AS s ON s.id = i.symbol_id LEFT JOIN S.dsos AS d ON d.id = i.dso_id
      LEFT JOIN S.files AS f ON f.id = l.file_id
      LEFT JOIN B AS b ON b.side = N AND b.scope = t.scope AND b.item = coalesce(t.instruction_id, t.object_id, t.thread_id, 0)
      WHERE t.scope IN ('run', 'object', 'function', 'line') AND u.cost IS NOT NULL
    ) AS c
    UNION ALL
    SELECT N, 'run', 'waits for other nodes', NULL, 'waits for other nodes', NULL, NULL, u.cost, t.remote_cost / 1e6, (t.cost_sq + coalesce(b.cost_sq, 0)) * t.remote_cost / nullif(t.cost + t.lost_cost, 0) / 1e12, b.tied / 1e6, NULL, iif(u.cost = u.clock, b.doubt / 1e6, NULL), NULL
    FROM S.totals AS t CROSS JOIN U AS u LEFT JOIN B AS b ON b.side = N AND b.scope = 'run'
    WHERE t.scope = 'run' AND u.cost <> 'accesses' AND t.remote_cost > 0
    UNION ALL
    SELECT N, 'kind of time', t.time_kind, NULL, t.time_kind, NULL, NULL, u.clock, sum(t.thread_time) / 1e6, sum(t.thread_time) * sum(t.thread_time) / 1e12 / sum(t.samples) * max(iif(k.id IS NULL, 1, coalesce(b.factor, 1))), max(iif(k.id IS NULL, NULL, b.tied)) / 1e6, iif(t.time_kind = 'system', sum(t.thread_time) * diff_displaced(S), max(iif(k.id IS NULL, b.tied, NULL))) / 1e6, NULL, NULL
    FROM S.time_spent AS t CROSS JOIN U AS u LEFT JOIN B AS b ON b.side = N AND b.scope = 'run' LEFT JOIN (SELECT id, name, id AS time_kind FROM S.time_kinds) AS k ON k.name = t.time_kind AND diff_together(k)
    WHERE u.clock IS NOT NULL
    GROUP BY t.time_kind
    UNION ALL -- also for kinds without time, because those of the other run may have turned into them
    SELECT N, 'kind of time', n.name, NULL, n.name, NULL, NULL, u.clock, 0, 0, NULL, NULL, total(iif(a.time_kind <> n.id AND (diff_doubted(m) OR m.cost = 'period'), t.period, 0)) / 1e6, NULL
    FROM S.time_kinds AS n CROSS JOIN U AS u JOIN S.kind_totals AS t ON t.scope = 'run' JOIN S.kind_measures AS m ON m.id = t.kind_id JOIN S.access_kinds AS a ON a.id = t.kind_id
    WHERE u.clock IS NOT NULL AND diff_turns(n.id) AND diff_turns(a.time_kind)
    GROUP BY n.id
    UNION ALL
    SELECT N, 'thread', coalesce(iif(h.comm IN diff_mains(S, diff_program(S, O)), '[program]', diff_thread(h.comm, diff_program(S, O))), '[unknown]'), NULL, coalesce(h.comm, '[unknown]'), NULL, NULL, coalesce(u.clock, u.cost),
      CASE WHEN u.clock IS NOT NULL THEN t.thread_time / 1e6 WHEN u.cost = 'accesses' THEN t.estimate ELSE (t.cost + t.lost_cost) / 1e6 END,
      CASE WHEN u.clock IS NOT NULL THEN (t.thread_time_sq + coalesce(b.time_sq, 0)) / 1e12 WHEN u.cost = 'accesses' THEN t.estimate_sq ELSE (t.cost_sq + coalesce(b.cost_sq, 0)) / 1e12 END, b.tied / 1e6, NULL, NULL, NULL
    FROM S.totals AS t CROSS JOIN U AS u LEFT JOIN S.threads AS h ON h.id = t.thread_id
    LEFT JOIN B AS b ON b.side = N AND b.scope = t.scope AND b.item = coalesce(t.instruction_id, t.object_id, t.thread_id, 0)
    WHERE t.scope = 'thread' AND (u.clock IS NOT NULL OR u.cost IS NOT NULL)
    UNION ALL -- members: these costs are estimates from the drawn samples
    SELECT N, 'member', b.expression || char(10) || b.type, NULL, b.expression, b.type, NULL, u.cost,
      iif(u.cost = 'accesses', b.estimate * b.one_in, b.cost / 1e6), iif(u.cost = 'accesses', b.estimate_sq * b.one_in * b.one_in, b.cost * (r.cost_sq + coalesce(x.cost_sq, 0)) / (r.cost + r.lost_cost) * b.one_in / 1e12),
      b.cost * x.tied / (r.cost + r.lost_cost) / 1e6, NULL, iif(u.cost = u.clock, (b.estimate - b.cost) * b.one_in / 1e6, NULL),
      (SELECT diff_site(S, O, o, F) || ' ' || b.member FROM S.objects AS o WHERE o.id = b.object_id)
    FROM S.member_costs AS b CROSS JOIN U AS u JOIN S.totals AS r ON r.scope = 'run' LEFT JOIN B AS x ON x.side = N AND x.scope = 'run'
    WHERE b.member <> '' AND b.drawn > 0 AND u.cost IS NOT NULL
    UNION ALL
    SELECT N, 'matrix', name, NULL, name, NULL, NULL, unit, value, sq, tied, NULL, doubt, NULL
    FROM (
      SELECT
        'CPUs of node ' || coalesce(k.cpu_node_id, '?') || ', pages of node ' || coalesce(k.home_node_id, '?') AS name, u.cost AS unit,
        total(CASE WHEN u.cost = 'accesses' THEN t.period * m.addressed WHEN m.cost = 'period' THEN t.period / 1e6 WHEN m.cost = 'latency' THEN t.latency / 1e6 END) AS value,
        total(CASE WHEN u.cost = 'accesses' THEN t.period_sq * m.addressed WHEN m.cost = 'period' THEN t.period_sq * iif(diff_together(k), b.factor, 1) / 1e12 WHEN m.cost = 'latency' THEN t.latency_sq / 1e12 END) AS sq,
        total(iif(diff_together(k) AND m.cost = 'period', t.period / 1e6, 0)) AS tied,
        total(iif(diff_doubted(m) AND u.cost = u.clock, t.period / 1e6, 0)) AS doubt
      FROM S.kind_totals AS t CROSS JOIN U AS u JOIN S.kind_measures AS m ON m.id = t.kind_id JOIN S.access_kinds AS k ON k.id = t.kind_id
      LEFT JOIN B AS b ON b.side = N AND b.scope = 'run'
      WHERE t.scope = 'run' AND u.cost IS NOT NULL AND (SELECT count(*) FROM S.nodes) > 1
      GROUP BY 1, 2
    )
