-- SPDX-License-Identifier: GPL-2.0-or-later
-- Functions that SQLite lacks, for views and reports. tools/embed.c replaces each call with the text after ":=", so a view in a
-- database works in any SQLite client. Lines that begin with a blank continue a definition.

-- Return the lower and upper end of the 95 % interval of the share w / n, percent; NULL if n is 0. n is the sum of all weights, sq the sum of
-- their squares, and w the sum of the weights in the share. The interval is that of Wilson 1927 (Brown, Cai & DasGupta 2001, eq. 4) with
-- z = 1.96 (z^2 = 3.8416) and the effective sample size n * n / sq (Kish 1965), multiplied out.
share_low(w, n, sq) := round(max(0, 100.0 * (1.0 * w * n + 1.9208 * sq - 1.96 * sqrt(1.0 * w * (n - w) * sq + 0.9604 * sq * sq)) / (1.0 * n * n + 3.8416 * sq)), 6)
share_high(w, n, sq) := round(min(100, 100.0 * (1.0 * w * n + 1.9208 * sq + 1.96 * sqrt(1.0 * w * (n - w) * sq + 0.9604 * sq * sq)) / (1.0 * n * n + 3.8416 * sq)), 6)

-- Return the lower and upper end of the 95 % interval of a sum w of weights that is not a share of a total. n and sq are as
-- above. The sum is treated as a Poisson count of equal weights of sq / n each, of which w / (sq / n) were observed. The
-- interval is the score interval of such a count (Brown, Cai & DasGupta 2003).
sum_low(w, n, sq) := max(0, 1.0 * w + 1.9208 * sq / n - 1.96 * sqrt(1.0 * w * sq / n + 0.9604 * sq / n * sq / n))
sum_high(w, n, sq) := (1.0 * w + 1.9208 * sq / n + 1.96 * sqrt(1.0 * w * sq / n + 0.9604 * sq / n * sq / n))

-- Return the lower and upper end of the 95 % interval of the share k / n of equal weights, percent.
wilson_low(k, n) := share_low(k, n, n)
wilson_high(k, n) := share_high(k, n, n)

-- Returns 1 if every access was counted (samplers exact and soft with period 1), so that shares of all samples have no sampling error.
all_counted() := EXISTS (SELECT 1 FROM access_kinds AS k JOIN selected_events AS e ON e.id = k.evsel_id WHERE e.role = 'access' AND e.sample_period = 1)

-- Returns 1 if the samplers exact or soft counted every access. Then a row stands for the accesses of up to a second. So its time does not show which
-- threads use a line at the same time, and its CPU does not show where the accesses were made. Use moving_lines() instead.
has_counts() := ((SELECT sampler FROM runs) IN ('exact', 'soft') AND all_counted())

-- Returns 1 if there are enough samples for a statement about the cost of memory: 20 samples in which a thread waited or, if the sampler does
-- not show waits, 20 samples of accesses. Shares of fewer samples would depend on chance. If every access was counted, there is no chance.
claims(waits, accesses) := (iif(waits > 0, waits, accesses) >= 20 OR (accesses > 0 AND all_counted()))

-- Returns 1 if `cpu` is the name of an emulated CPU. Timer samples of such a CPU do not show which instruction waited.
emulated(cpu) := (coalesce(cpu, '') LIKE '%TCG%')

-- Returns a number with its noun: "1 sample", "2 samples".
counted(n, noun) := (n || ' ' || noun || iif(n = 1, '', 's'))

-- Returns a number of accesses, with a unit if it has six digits or more: "99999", "142k", "1.6M", "4.2G".
short_count(n) := iif(n < 99999.5, CAST(n AS INTEGER), iif(n < 999500, printf('%.0fk', n / 1e3), iif(n < 999950000, printf('%.1fM', n / 1e6), printf('%.1fG', n / 1e9))))

-- Returns the number of samples with its noun, which is "accesses" if every access was counted.
sampled(n) := iif(has_counts(), short_count(n) || iif(n = 1, ' access', ' accesses'), counted(n, 'sample'))

-- Returns a 95 % interval as text. NULL: it is a single number, because every access was counted.
interval_text(low, high) := iif(has_counts() AND printf('%.1f', low) = printf('%.1f', high), NULL, printf('%.1f-%.1f', low, high))

-- Returns a number of bytes in at most 5 characters, with the unit as `ls -h` prints it: "512", "4.0K", "64M".
short_bytes(n) := iif(n < 1024, n, iif(n < 1048064, printf(iif(n < 10189, '%.1fK', '%.0fK'), n / 1024.0), iif(n < 1073217536, printf(iif(n < 10433331, '%.1fM', '%.0fM'), n / 1048576.0), printf(iif(n < 10683731148, '%.1fG', '%.0fG'), n / 1073741824.0))))

-- Returns 1 if a row of losses with this `what` is what the recording itself cost, which is in no figure. Nothing of the program is lost by it.
own_cost(what) := (what LIKE '% in the tracker' OR what = 'samples in perf')

-- Returns the last part of a path: the name of the file.
file_name(path) := replace(path, rtrim(path, replace(path, '/', '')), '')

-- Returns the cost of sample S, whose row of kind_measures is M, in the unit of run_costs; 0: no cost, or not measured.
sample_cost(M, S) := CASE M.cost WHEN 'period' THEN 1.0 * S.period WHEN 'latency' THEN 1.0 * coalesce(S.weight, 0) * S.period ELSE 0.0 END

-- Draws one of each `step` successive samples: groups of samples, each with a random number that chooses one of them. E is a table with one row, whose
-- column n is the number of samples. No row or n = 0: draws none. The result has the columns id and one_in.
draw_samples(E) := (
    WITH RECURSIVE
      drawn (before, step, last, random) AS (
        SELECT 0, (n + 32767) / 32768, n, 48271 FROM E WHERE n > 0
        UNION ALL
        SELECT before + step, step, last, random * 48271 % 2147483647 FROM drawn WHERE before + step < last
      )
    SELECT before + 1 + random % step AS id, step AS one_in FROM drawn
  )

-- Returns the columns of S, a row of sample_data, that drawn_data has.
drawn_columns(S) := S.id, S.time, S.thread_id, S.cpu, S.instruction_id, S.kind_id, S.call_path_id, S.address, S.object_id, S.allocation_id, S.object_offset, S.period, S.weight

-- Returns 1 if code belongs to the kernel or to a library of the system: its source `file` is such a
-- library's header, or D, its row of dsos, is such a library.
library_code(file, D) := (coalesce(D.kind IN ('kernel', 'module', 'vdso') OR D.long_name GLOB '/lib/*.so*' OR D.long_name GLOB '/lib[0-9]*/*.so*' OR D.long_name GLOB '/usr/lib/*.so*' OR D.long_name GLOB '/usr/lib[0-9]*/*.so*', 0) OR coalesce(file GLOB '/usr/include/*' OR file GLOB '*/include/c++/*' OR file GLOB '/usr/lib*/include/*' OR file GLOB '/rustc/*' OR file GLOB '/rust/deps/*' OR file GLOB '*/lib/rustlib/*' OR file GLOB '*/.cargo/registry/src/*', 0))

-- Returns the name of code: its function, else its file in brackets.
code_name(function, dso) := coalesce(function, '[' || trim(coalesce(dso, 'unknown'), '[]') || ']')

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
      SELECT u.function AS function, u.file AS file, u.line AS line, iif(l.id IS NULL, NULL, short_code(code_name(coalesce(l.function, s.name), d.short_name)) || coalesce(' ' || file_name(f.path) || ':' || l.line, '')) AS caller, p.kind IS 'truncated' AS cut, sum(u.weight) AS weight
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
          iif(p.kind = 'truncated', '[unknown]', coalesce(name, '[unknown]') || coalesce(' (' || file_name(l.file) || ':' || l.line || ')', '')) AS text
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

-- Returns the innermost library function that was inlined at location L; NULL: none.
inlined_library(L) := (SELECT n.function FROM inlined_frames AS n WHERE n.location_id = L.id AND n.depth < 0 ORDER BY n.depth LIMIT 1)

-- Returns the run's row of totals with four more columns:
-- nodes         number of NUMA nodes
-- unit          the kind of cost (kind_measures.cost)
-- maybe_local   sum of the periods of waits that may have been for local pages of a different object than the one they are attributed
--               to: over all objects, other_waits.period times the object's local share. Objects that cost nothing, because they
--               stay in the first-level cache, are left out
-- maybe_remote  sum of the periods of waits that count as local, but may have been for pages of a different object that are
--               remote or whose node is unknown
run_totals() := (SELECT *, (SELECT count(*) FROM nodes) AS nodes, (SELECT max(cost) FROM kind_measures) AS unit, iif((SELECT count(*) FROM nodes) = 1, 0, (SELECT total(w.period * t.local_estimate / (t.local_estimate + t.remote_estimate)) FROM other_waits AS w CROSS JOIN totals AS t ON t.scope = 'object' AND t.object_id = w.object_id WHERE t.cost > 0)) AS maybe_local, iif((SELECT count(*) FROM nodes) = 1, 0, min(local_cost, (SELECT total(w.period * (1 - coalesce(t.local_estimate / t.estimate, 0))) FROM other_waits AS w LEFT JOIN totals AS t ON t.scope = 'object' AND t.object_id = w.object_id))) AS maybe_remote FROM totals WHERE scope = 'run')

-- Returns a row of totals for each group of objects. M is a table with the columns id (objects.id) and first_id, the smallest id of the group,
-- which identifies the group. The result has two more columns: object_id, the first_id (NULL: samples without an object), and sampled, the
-- number of the group's objects that have a sample.
grouped_totals(M) := (SELECT m.first_id AS object_id, count(DISTINCT t.object_id) AS sampled, count(DISTINCT iif(t.addressed > 0, t.thread_id, NULL)) AS threads, count(DISTINCT iif(t.stores > 0, t.thread_id, NULL)) AS writers, sum(t.samples) AS samples, sum(t.addressed) AS addressed, sum(t.loads) AS loads, sum(t.stores) AS stores, sum(t.local) AS local, sum(t.remote) AS remote, sum(t.hw_local) AS hw_local, sum(t.hw_remote) AS hw_remote, sum(t.remote_loads) AS remote_loads, sum(t.remote_stores) AS remote_stores, sum(t.waits) AS waits, sum(t.lost_waits) AS lost_waits, sum(t.measured) AS measured, sum(t.thread_time) AS thread_time, sum(t.undecided) AS undecided, sum(t.estimate) AS estimate, sum(t.estimate_sq) AS estimate_sq, sum(t.local_estimate) AS local_estimate, sum(t.remote_estimate) AS remote_estimate, sum(t.hw_local_estimate) AS hw_local_estimate, sum(t.hw_remote_estimate) AS hw_remote_estimate, sum(t.latency) AS latency, sum(t.measured_estimate) AS measured_estimate, sum(t.cost) AS cost, sum(t.lost_cost) AS lost_cost, sum(t.local_cost) AS local_cost, sum(t.remote_cost) AS remote_cost, sum(t.hw_local_cost) AS hw_local_cost, sum(t.hw_remote_cost) AS hw_remote_cost FROM totals AS t LEFT JOIN M AS m ON m.id = t.object_id WHERE t.scope = 'object_thread' GROUP BY m.first_id)

-- grouped_objects returns the number of objects of each group; grouped_waits returns for each group the sum of its objects'
-- other_waits.period. M is as in grouped_totals.
grouped_objects(M) := (SELECT first_id, count(*) AS objects FROM M GROUP BY first_id)
grouped_waits(M) := (SELECT m.first_id AS first_id, sum(w.period) AS period FROM other_waits AS w JOIN M AS m ON m.id = w.object_id GROUP BY m.first_id)

-- Returns an upper bound of an object's share of the run's cost, percent: the upper end of the 95 % interval of the share of all waits that may
-- have been for the object. NULL if costs are not waiting times. T, R and O are as in cost_columns.
cost_most(T, R, O) := iif(R.unit = 'period' AND T.object_id IS NOT NULL, share_high(min(T.cost + O + R.lost_cost, R.cost + R.lost_cost), (R.cost + R.lost_cost), R.cost_sq), NULL)

-- unknown_cost returns the part of the cost in row T of totals that may be remote or local: the cost of accesses with an unknown page, page node
-- or CPU node, and of waits with a lost address. claimed_cost also includes all waits that may have been for the object of T. R and O are as in
-- cost_columns.
unknown_cost(T) := (T.cost - T.local_cost - T.remote_cost + T.lost_cost + T.undecided)
claimed_cost(T, R, O) := (T.cost - T.local_cost - T.remote_cost + iif(T.object_id IS NULL, T.lost_cost + T.undecided, O + R.lost_cost + R.undecided))

-- Returns the columns that all views of costs have. T is a row of totals, R is run_totals(), and O is other_waits.period of T's object (0 without
-- an object). In shares, a sample is weighted by its period, the number of events that it represents; intervals use the effective sample size.
-- A share that is partly unknown has two bounds: low_pct counts none of the unknown part, high_pct all of it.
cost_columns(T, R, O) := T.samples AS samples,                                     -- number of samples that the row summarizes
  T.addressed AS addressed,                                 -- number of samples whose data address, or at least whose object, is known (the "addressed samples")
  T.loads AS loads,                                         -- number of addressed samples whose access reads
  T.stores AS stores,                                       -- number of addressed samples whose access writes
  T.threads AS threads,                                     -- number of threads with an addressed sample
  T.writers AS writers,                                     -- number of threads with an addressed sample whose access writes
  nullif(T.thread_time, 0) AS thread_time,                  -- time that threads ran, in ns if a timer sampled it, in core cycles if a cycle counter did; NULL: not measured
  T.waits AS waits,                                         -- number of samples in which the thread waited for an access whose address or object is known; only samples of time (timer, cycle counter) show waits
  T.lost_waits AS lost_waits,                               -- number of samples in which the thread waited for an access whose address and object are both lost, for example because its register was overwritten
  iif(R.cost + R.lost_cost > 0, T.cost + T.lost_cost, NULL) AS cost, -- cost of memory accesses, in run_costs.cost_unit; NULL: not measured
  100.0 * (T.cost + T.lost_cost) / nullif(R.cost + R.lost_cost, 0) AS cost_pct, -- share of the run's cost of memory, 0-100; NULL: no cost was measured
  share_low((T.cost + T.lost_cost), (R.cost + R.lost_cost), R.cost_sq) AS cost_low_pct, -- lower end of the 95 % interval of cost_pct
  share_high((T.cost + T.lost_cost), (R.cost + R.lost_cost), R.cost_sq) AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  100.0 * T.lost_cost / nullif(R.cost + R.lost_cost, 0) AS lost_cost_pct, -- the part of cost_pct that comes from waits for accesses whose address and object are lost
  T.measured AS measured,                                   -- number of addressed samples with a latency, which only hardware samplers measure
  T.latency / nullif(T.measured_estimate, 0) AS latency_avg, -- mean latency of the samples that `measured` counts, core cycles; NULL: there are no such samples
  T.local AS local,                                         -- number of addressed samples whose page is on the CPU's own node (M_l in Liu & Mellor-Crummey 2014)
  T.remote AS remote,                                       -- number of addressed samples whose page is on a different node than the CPU (M_r in the same paper)
  T.addressed - T.local - T.remote AS unknown,              -- number of addressed samples that are neither local nor remote, because the page, its node or the CPU's node is not known
  T.estimate AS estimate,                                   -- what the addressed samples represent (sum of their periods): accesses (hardware samplers), ns (timer) or cycles (cycle counter)
  iif(R.thread_time = 0, 100.0 * T.estimate / nullif(R.estimate, 0), NULL) AS access_pct, -- share of the run's accesses, 0-100; NULL: the samples measure time and do not count accesses
  iif(R.thread_time = 0, share_low(T.estimate, R.estimate, R.estimate_sq), NULL) AS access_low_pct, -- lower end of the 95 % interval of access_pct; equal to access_pct if every access was counted
  iif(R.thread_time = 0, share_high(T.estimate, R.estimate, R.estimate_sq), NULL) AS access_high_pct, -- upper end of the 95 % interval of access_pct
  T.local_estimate AS local_estimate,                       -- sum of the periods of the samples that `local` counts, in the unit of `estimate`
  T.remote_estimate AS remote_estimate,                     -- sum of the periods of the samples that `remote` counts, in the unit of `estimate`
  T.remote_loads AS remote_loads,                           -- number of samples that `remote` counts and whose access reads
  T.remote_stores AS remote_stores,                         -- number of samples that `remote` counts and whose access writes
  iif(R.nodes <> 1, 100.0 * T.remote_estimate / nullif(T.local_estimate + T.remote_estimate, 0), NULL) AS remote_pct, -- remote share of the accesses that are known to be local or remote: remote_estimate / (local_estimate + remote_estimate), 0-100; NULL: there are no such accesses, or only one node
  iif(R.nodes <> 1 AND T.local + T.remote > 0, share_low(T.remote_estimate, T.estimate, T.estimate_sq), NULL) AS remote_low_pct, -- lower bound of the remote share of all addressed samples, 0-100: samples that `unknown` counts are taken as local; lower end of the 95 % interval
  iif(R.nodes <> 1 AND T.local + T.remote > 0, share_high((T.estimate - T.local_estimate), T.estimate, T.estimate_sq), NULL) AS remote_high_pct, -- upper bound of the remote share of all addressed samples, 0-100: samples that `unknown` counts are taken as remote; upper end of the 95 % interval
  100.0 * (T.local_estimate + T.remote_estimate) / nullif(T.estimate, 0) AS home_pct, -- coverage of remote_pct: share of the addressed samples that are known to be local or remote, 0-100
  iif(R.nodes <> 1, 100.0 * T.remote_cost / nullif(R.remote_cost, 0), NULL) AS remote_cost_pct, -- share of the run's cost of accesses to remote pages, 0-100; NULL: the run has no such cost
  iif(R.nodes <> 1 AND R.remote_cost > 0, share_low(T.remote_cost, (R.remote_cost + unknown_cost(R) - (unknown_cost(T))), ((R.remote_cost + unknown_cost(R) - (unknown_cost(T))) * R.cost_sq / (R.cost + R.lost_cost))), NULL) AS remote_cost_low_pct, -- lower bound of remote_cost_pct: cost with an unknown page node or CPU node counts as local in this row, and as remote in all other rows; lower end of the 95 % interval
  iif(R.nodes <> 1 AND R.remote_cost > 0, share_high((T.remote_cost + claimed_cost(T, R, O)), (R.remote_cost + claimed_cost(T, R, O)), ((R.remote_cost + claimed_cost(T, R, O)) * R.cost_sq / (R.cost + R.lost_cost))), NULL) AS remote_cost_high_pct, -- upper bound of remote_cost_pct: cost with an unknown page node or CPU node counts as remote in this row, and as local in all other rows; for an object, all waits that may have been for it count as its cost; upper end of the 95 % interval
  iif(R.nodes <> 1 AND R.unit = 'period', share_low(max(0.0, T.remote_cost - R.maybe_local), R.thread_time, R.thread_time_sq), NULL) AS numa_low_pct, -- lower bound of the share of the run's thread time that was spent in waits for memory of other nodes, 0-100; lower end of the 95 % interval. Leaves out waits that may have been for local pages of other objects. NULL: one node, or no samples of time
  iif(R.nodes <> 1 AND R.unit = 'period', share_high(min(T.cost - T.local_cost + iif(T.object_id IS NULL, min(R.maybe_remote, T.local_cost) + T.lost_cost + T.undecided, O + R.lost_cost + R.undecided), R.thread_time), R.thread_time, R.thread_time_sq), NULL) AS numa_high_pct, -- upper bound of the share of the run's thread time that was spent in waits for memory of other nodes, 0-100; upper end of the 95 % interval. Includes all waits with an unknown node; for an object all waits that may have been for it; for another row the waits that count as local but may have been for pages that are remote or unknown
  T.hw_local AS hw_local,                                   -- number of addressed samples that a cache or memory of the CPU's own node served, according to the hardware
  T.hw_remote AS hw_remote,                                 -- number of addressed samples that a cache or memory of another node served, according to the hardware
  100.0 * T.hw_remote_estimate / nullif(T.hw_local_estimate + T.hw_remote_estimate, 0) AS hw_remote_pct, -- share of the samples that `hw_remote` counts among those that `hw_local` or `hw_remote` counts, by the sums of their periods, 0-100; NULL: the hardware does not report it
  iif(T.hw_local + T.hw_remote > 0, share_low(T.hw_remote_estimate, T.estimate, T.estimate_sq), NULL) AS hw_remote_low_pct, -- lower bound of the share of hw_remote in all addressed samples, computed in the same way as remote_low_pct
  iif(T.hw_local + T.hw_remote > 0, share_high((T.estimate - T.hw_local_estimate), T.estimate, T.estimate_sq), NULL) AS hw_remote_high_pct, -- upper bound of the share of hw_remote in all addressed samples, computed in the same way as remote_high_pct
  100.0 * (T.hw_local_estimate + T.hw_remote_estimate) / nullif(T.estimate, 0) AS hw_pct, -- coverage of hw_remote_pct: share of the addressed samples that `hw_local` or `hw_remote` counts, 0-100
  100.0 * T.hw_remote_cost / nullif(R.hw_remote_cost, 0) AS hw_remote_cost_pct, -- share of the run's cost of accesses that another node served, according to the hardware, 0-100; NULL: the run has no such cost
  iif(R.hw_remote_cost > 0, share_low(T.hw_remote_cost, (R.cost - R.hw_local_cost - (T.cost - T.hw_local_cost - T.hw_remote_cost)), ((R.cost - R.hw_local_cost - (T.cost - T.hw_local_cost - T.hw_remote_cost)) * R.cost_sq / (R.cost + R.lost_cost))), NULL) AS hw_remote_cost_low_pct, -- lower bound of hw_remote_cost_pct, computed in the same way as remote_cost_low_pct
  iif(R.hw_remote_cost > 0, share_high((T.cost - T.hw_local_cost), (R.hw_remote_cost + T.cost - T.hw_local_cost - T.hw_remote_cost), ((R.hw_remote_cost + T.cost - T.hw_local_cost - T.hw_remote_cost) * R.cost_sq / (R.cost + R.lost_cost))), NULL) AS hw_remote_cost_high_pct -- upper bound of hw_remote_cost_pct, computed in the same way as remote_cost_high_pct

-- Returns the columns of cost_columns that the HTML page shows for each function and line.
page_costs() := cost_pct AS cost_pct,           -- share of the run's cost of memory, 0-100
  cost_low_pct AS cost_low_pct,   -- lower end of the 95 % interval of cost_pct
  cost_high_pct AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  lost_cost_pct AS lost_cost_pct, -- the part of cost_pct that comes from waits for accesses whose address and object are lost
  access_pct AS access_pct,       -- share of the run's accesses, 0-100; NULL: the samples measure time and do not count accesses
  access_low_pct AS access_low_pct, -- lower end of the 95 % interval of access_pct
  access_high_pct AS access_high_pct, -- upper end of the 95 % interval of access_pct
  latency_avg AS latency_avg,     -- mean latency of the samples that have a latency, core cycles; only hardware samplers measure it
  remote_pct AS remote_pct,       -- share of accesses to pages on a different node than the CPU, among the accesses for which both nodes are known, 0-100
  remote_low_pct AS remote_low_pct, -- lower bound of the remote share of all addressed samples: samples with an unknown node count as local
  remote_high_pct AS remote_high_pct, -- upper bound of the remote share of all addressed samples: samples with an unknown node count as remote
  home_pct AS home_pct            -- coverage of remote_pct: share of the addressed samples for which the nodes of page and CPU are known, 0-100

-- Returns 1 if it is certain that the thread of D, a row of drawn_samples, made the access. If the address is the operand of an earlier instruction
-- (addr_source 8, 10), the thread may have reached ip by a path without that instruction. So a sample of the thread with a different addr_source
-- must confirm the access to this address.
certain_access(D) := max(D.thread_id IS NULL OR D.addr_source NOT IN (8, 10)) OVER (PARTITION BY D.process_id, D.thread_id, D.address)

-- Returns the cache lines that move again and again between threads, if has_counts(). One row for each line and each thread for which it moves more
-- than once: process_id (or 0), line, thread_id, moved. Each line has at least two such threads. A line moves for a store if another thread has used
-- it since this thread's last access, and for a load if another thread has written it since then. The first move for each thread is not counted,
-- because it transfers data that another thread has prepared. The other moves number at least 10, and at least one in 1000 accesses to the line.
moving_lines() := (
    WITH
      counted AS MATERIALIZED ( -- at most one row; if there are no counts, this table is empty, and no sample is read. SQLite would evaluate has_counts() in a WHERE clause for each sample
        SELECT 1 WHERE has_counts()
      ),
      moves AS MATERIALIZED (
        SELECT coalesce(t.process_id, 0) AS process, s.address >> 6 AS line, s.thread_id AS thread_id, sum(s.period) AS moved
        FROM counted AS once
        CROSS JOIN sample_data AS s
        CROSS JOIN kind_measures AS m ON m.id = s.kind_id AND m.hitm
        LEFT JOIN threads AS t ON t.id = s.thread_id
        GROUP BY 1, 2, 3
      ),
      again AS MATERIALIZED (
        SELECT process, line, sum(moved - 1) AS moved FROM moves GROUP BY process, line HAVING sum(moved - 1) >= 10 AND sum(moved > 1) >= 2
      ),
      uses AS (
        SELECT coalesce(t.process_id, 0) AS process, s.address >> 6 AS line, sum(s.period) AS accesses
        FROM counted AS once
        CROSS JOIN sample_data AS s
        CROSS JOIN kind_measures AS m ON m.id = s.kind_id AND m.addressed
        LEFT JOIN threads AS t ON t.id = s.thread_id
        WHERE s.address >> 6 IN (SELECT line FROM again)
        GROUP BY 1, 2
      )
    SELECT m.process AS process, m.line AS line, m.thread_id AS thread_id, m.moved AS moved
    FROM again AS a
    JOIN uses AS u ON u.process = a.process AND u.line = a.line AND 1000 * a.moved >= u.accesses
    JOIN moves AS m ON m.process = a.process AND m.line = a.line AND m.moved > 1
  )

-- Returns the number of observed accesses that D, a row of drawn_samples, represents: its number of accesses if it is a count that is always
-- drawn, otherwise 1.
observed_accesses(D) := iif(D.estimate_sq = 0, D.estimate, 1)

-- Returns 1 if the n counted accesses of a thread to a member only initialise it: they are stores, and they are few among all counted accesses to
-- the member. The times of counts do not show whether other threads use the member at the same time.
initialises(stores, n, all_of_member) := (has_counts() AND stores AND (n < 4 OR n * 1000 < all_of_member))

-- Returns 1 if a thread writes X and a different thread uses Y. first_thread and last_thread are the smallest and the largest id of the threads
-- that use X or Y, first_writer and last_writer those of the threads that write X (NULL: no thread).
writes_beside(X, Y) := (X.first_writer < X.last_writer OR X.first_writer <> Y.first_thread OR X.first_writer <> Y.last_thread)

-- Returns the different words of a list of words with commas between them.
different_words(list) := (SELECT group_concat(DISTINCT value) FROM json_each('["' || replace(list, ',', '","') || '"]'))

-- element_at returns the number of the element (from 0) that contains the byte at an offset in object O, whose elements have type T. element_offset
-- returns the byte's offset in that element. NULL: the byte is in no element, or O has no type. The number is also NULL if the size of O is not
-- known, as for memory of which only a pointer is known.
element_at(O, T, bytes) := iif(bytes >= O.type_start AND O.size_bytes, iif(O.type_repeats, (bytes - O.type_start) / T.size_bytes, 0), NULL)
element_offset(O, T, bytes) := iif(bytes >= O.type_start, iif(O.type_repeats, (bytes - O.type_start) % T.size_bytes, bytes - O.type_start), NULL)

-- Returns members.id of the member at an offset in object O; NULL: not known.
member_at(O, T, bytes) := (SELECT iif(b.size_bytes = 0 OR element_offset(O, T, bytes) < b.offset + b.size_bytes, b.id, NULL) FROM members AS b WHERE b.type_id = O.type_id AND b.offset <= element_offset(O, T, bytes) ORDER BY b.offset DESC LIMIT 1)

-- is_array returns 1 if object O has several elements of type T. member_name returns member M as in source code; `number` is the number of the
-- element, or NULL for all elements.
is_array(O, T) := (O.type_repeats AND iif(O.kind = 'heap', O.allocated_bytes > O.allocations * T.size_bytes, O.size_bytes > T.size_bytes))
member_name(O, T, M, number) := (O.name || iif(is_array(O, T), '[' || coalesce(number, '') || ']', '') || CASE M.name WHEN '' THEN '' ELSE '.' || coalesce(M.name, '[hole]') END)

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
        SELECT u.id AS id, short_code(l.function) AS function, ' ' || file_name(l.file) || ':' || l.line AS line, min(u.depth)
        FROM (SELECT *, count(*) OVER (PARTITION BY object, kind, depth, trail) AS n FROM up) AS u
        JOIN location_frames AS l ON l.location_id = u.location_id AND l.depth = 0
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

-- The functions below compare two runs. Database S contains one of them, database O the other. diff_clock returns the unit
-- of thread time in S; NULL: not measured. diff_unit returns the unit of costs in S, which are counts of accesses if neither
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
