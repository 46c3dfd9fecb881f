-- SPDX-License-Identifier: GPL-2.0-or-later
-- Functions that SQLite has not, for views and reports: tools/embed.c writes the text behind ":=" out
-- where one is called, so that a view in a database needs nobody's help. Lines that begin with a blank continue a definition.

-- Lower and upper end of the 95 % interval of a share, percent: of weights that add up to w, in weights that add up to n and their
-- squares to sq; NULL where n is 0. Wilson 1927 (Brown, Cai & DasGupta 2001, eq. 4) with z = 1.96 (z^2 = 3.8416) and the
-- effective sample size n * n / sq (Kish 1965) as the number of samples, multiplied out.
share_low(w, n, sq) := round(max(0, 100.0 * (1.0 * w * n + 1.9208 * sq - 1.96 * sqrt(1.0 * w * (n - w) * sq + 0.9604 * sq * sq)) / (1.0 * n * n + 3.8416 * sq)), 6)
share_high(w, n, sq) := round(min(100, 100.0 * (1.0 * w * n + 1.9208 * sq + 1.96 * sqrt(1.0 * w * (n - w) * sq + 0.9604 * sq * sq)) / (1.0 * n * n + 3.8416 * sq)), 6)

-- The same of a sum, which has no whole: w is the sum of some of the weights, each of which counts as sq / n. The score
-- interval of a Poisson count (Brown, Cai & DasGupta 2003).
sum_low(w, n, sq) := max(0, 1.0 * w + 1.9208 * sq / n - 1.96 * sqrt(1.0 * w * sq / n + 0.9604 * sq / n * sq / n))
sum_high(w, n, sq) := (1.0 * w + 1.9208 * sq / n + 1.96 * sqrt(1.0 * w * sq / n + 0.9604 * sq / n * sq / n))

-- The same share of k of n equal ones.
wilson_low(k, n) := share_low(k, n, n)
wilson_high(k, n) := share_high(k, n, n)

-- Do so many samples carry a claim about what memory costs? Cost is told by waits, and by accesses where nothing
-- waits (hardware). Fewer are a handful, whose shares are chance.
claims(waits, accesses) := (iif(waits > 0, waits, accesses) >= 20)

-- Is the CPU of this name an emulated one, which is interrupted where it came to and not where it waited?
emulated(cpu) := (coalesce(cpu, '') LIKE '%TCG%')

-- Are the waits for an object O, with the row T of totals, for what the first-level cache holds? Frames of a stack, or 1 byte to 32 KiB
-- (0: the size is not known), unless a thread writes what others use.
stays_cached(O, T) := (((O.kind = 'stack' AND O.name LIKE '[%') OR O.size_bytes BETWEEN 1 AND 32768) AND NOT (coalesce(T.writers, 0) > 0 AND T.threads > 1))

-- What is listed behind the rest, whatever time passed at it: an object O whose waits are for what the first-level cache holds. R: the run's
-- row, T: the object's.
listed_last(R, O, T) := coalesce(claims((R.waits + R.lost_waits), R.addressed) AND R.unit IS 'period' AND stays_cached(O, T), 0)

-- The name of code: its function, else its file in brackets.
code_name(function, dso) := coalesce(function, '[' || trim(coalesce(dso, 'unknown'), '[]') || ']')

-- The row of the run in totals, with the number of nodes, what cost is counted in, and what may have waited for an object all of whose known
-- pages are local, but counts for another object (Σ period; not what the first-level cache holds).
run_totals() := (SELECT *, (SELECT count(*) FROM nodes) AS nodes, (SELECT max(cost) FROM kind_measures) AS unit, iif((SELECT count(*) FROM nodes) = 1, 0, (SELECT total(w.period) FROM other_waits AS w CROSS JOIN totals AS t ON t.scope = 'object' AND t.object_id = w.object_id CROSS JOIN objects AS o ON o.id = w.object_id WHERE t.local > 0 AND t.remote = 0 AND NOT coalesce(stays_cached(o, t), 0))) AS maybe_local FROM totals WHERE scope = 'run')

-- What an object costs at most (timer, cycles), percent: with all waits that may have been for it, upper end of the 95 % interval.
-- T, R, O: as of cost_columns.
cost_most(T, R, O) := iif(R.unit = 'period' AND T.object_id IS NOT NULL, share_high(min(T.cost + O + R.lost_cost, R.cost + R.lost_cost), (R.cost + R.lost_cost), R.cost_sq), NULL)

-- What the views of costs have in common: T is a row of totals, R the run's, O what may be the cost of T's object and is counted at others
-- (other_waits; 0 where T is of no object). Shares go by what samples stand for (Σ period), intervals
-- by the effective sample size. A share of which a part is not known is a range: low_pct counts none of that, high_pct all of it.
cost_columns(T, R, O) := T.samples AS samples,                                     -- samples (count)
  T.addressed AS addressed,                                 -- of these, of which is known what they access: the data address, or the object alone (count)
  T.loads AS loads,                                         -- of addressed, that read (count)
  T.stores AS stores,                                       -- of addressed, that write (count)
  T.threads AS threads,                                     -- threads with an addressed sample (count)
  T.writers AS writers,                                     -- threads with one that writes (count)
  nullif(T.thread_time, 0) AS thread_time,                  -- thread time, ns (timer), or core cycles (cycles); NULL: not measured
  T.waits AS waits,                                         -- samples that waited for what they access (count, timer or cycles)
  T.lost_waits AS lost_waits,                               -- samples that waited for an access whose address and object are gone (count, timer or cycles)
  iif(R.cost + R.lost_cost > 0, T.cost + T.lost_cost, NULL) AS cost, -- what memory costs, in run_costs.cost_unit; NULL: not measured
  100.0 * (T.cost + T.lost_cost) / nullif(R.cost + R.lost_cost, 0) AS cost_pct, -- its share of all cost of the run, 0-100; NULL: not measured
  share_low((T.cost + T.lost_cost), (R.cost + R.lost_cost), R.cost_sq) AS cost_low_pct, -- lower end of its 95 % interval
  share_high((T.cost + T.lost_cost), (R.cost + R.lost_cost), R.cost_sq) AS cost_high_pct, -- upper end
  100.0 * T.lost_cost / nullif(R.cost + R.lost_cost, 0) AS lost_cost_pct, -- of cost_pct, what waited for accesses whose address and object are gone
  T.measured AS measured,                                   -- addressed samples with a latency (count, hardware)
  T.latency / nullif(T.measured_estimate, 0) AS latency_avg, -- their mean latency, core cycles; NULL: none was measured
  T.local AS local,                                         -- addressed samples of a page on the CPU's own node (count): M_l
  T.remote AS remote,                                       -- of a page on another node (count): M_r
  T.addressed - T.local - T.remote AS unknown,              -- whose page or its node, or the CPU's node, is not known (count)
  T.estimate AS estimate,                                   -- what addressed samples stand for: accesses (hardware), ns (timer), cycles
  iif(R.thread_time = 0, 100.0 * T.estimate / nullif(R.estimate, 0), NULL) AS access_pct, -- share of the run's accesses, 0-100; NULL: samples of time (timer, cycles)
  iif(R.thread_time = 0, share_low(T.estimate, R.estimate, R.estimate_sq), NULL) AS access_low_pct, -- lower end of its 95 % interval; where all are counted it has no width
  iif(R.thread_time = 0, share_high(T.estimate, R.estimate, R.estimate_sq), NULL) AS access_high_pct, -- upper end
  T.local_estimate AS local_estimate,                       -- the same of local ones
  T.remote_estimate AS remote_estimate,                     -- of remote ones
  T.remote_loads AS remote_loads,                           -- of remote, that read (count)
  T.remote_stores AS remote_stores,                         -- of remote, that write (count)
  iif(R.nodes <> 1, 100.0 * T.remote_estimate / nullif(T.local_estimate + T.remote_estimate, 0), NULL) AS remote_pct, -- remote of local and remote, 0-100; NULL: no home is known, or there is one node
  iif(R.nodes <> 1 AND T.local + T.remote > 0, share_low(T.remote_estimate, T.estimate, T.estimate_sq), NULL) AS remote_low_pct, -- least share of addressed samples: no unknown one is remote, lower end of the 95 % interval
  iif(R.nodes <> 1 AND T.local + T.remote > 0, share_high((T.estimate - T.local_estimate), T.estimate, T.estimate_sq), NULL) AS remote_high_pct, -- largest share: all unknown ones are, upper end
  100.0 * (T.local_estimate + T.remote_estimate) / nullif(T.estimate, 0) AS home_pct, -- coverage: local and remote of addressed samples, 0-100
  iif(R.nodes <> 1, 100.0 * T.remote_cost / nullif(R.remote_cost, 0), NULL) AS remote_cost_pct, -- share of the run's cost at remote pages, 0-100; NULL: there is none
  iif(R.nodes <> 1 AND R.unit = 'period', share_low(max(0.0, T.remote_cost - R.maybe_local), R.thread_time, R.thread_time_sq), NULL) AS numa_low_pct, -- share of the run's thread time that waited for other nodes (timer, cycles): at least, lower end of the 95 % interval; by the accesses that waits are dealt to, without those that may have been for objects that are wholly local
  iif(R.nodes <> 1 AND R.unit = 'period', share_high(min(T.cost - T.local_cost + O + iif(T.object_id IS NULL, T.lost_cost + T.undecided, R.lost_cost + R.undecided), R.thread_time), R.thread_time, R.thread_time_sq), NULL) AS numa_high_pct, -- with all waits of which it is not known (an object: also all that may have been for it): at most, upper end
  T.hw_local AS hw_local,                                   -- addressed samples that this node's caches or memory served, according to the hardware (count)
  T.hw_remote AS hw_remote,                                 -- that another node's caches or memory served, according to the hardware (count)
  100.0 * T.hw_remote_estimate / nullif(T.hw_local_estimate + T.hw_remote_estimate, 0) AS hw_remote_pct, -- hw_remote of both, 0-100; NULL: the hardware does not say
  iif(T.hw_local + T.hw_remote > 0, share_low(T.hw_remote_estimate, T.estimate, T.estimate_sq), NULL) AS hw_remote_low_pct, -- least share of addressed samples, as remote_low_pct
  iif(T.hw_local + T.hw_remote > 0, share_high((T.estimate - T.hw_local_estimate), T.estimate, T.estimate_sq), NULL) AS hw_remote_high_pct, -- largest share
  100.0 * (T.hw_local_estimate + T.hw_remote_estimate) / nullif(T.estimate, 0) AS hw_pct, -- coverage: hw_local and hw_remote of addressed samples, 0-100
  100.0 * T.hw_remote_cost / nullif(R.hw_remote_cost, 0) AS hw_remote_cost_pct -- share of the run's cost that another node served, according to the hardware, 0-100

-- Where in an element of the object O, whose type T has, so many bytes from the object's start lie: the number of the element, from 0,
-- and the bytes from its start; NULL: in none, or there is no type.
element_at(O, T, bytes) := iif(bytes >= O.type_start, iif(O.type_repeats, (bytes - O.type_start) / T.size_bytes, 0), NULL)
element_offset(O, T, bytes) := iif(bytes >= O.type_start, iif(O.type_repeats, (bytes - O.type_start) % T.size_bytes, bytes - O.type_start), NULL)

-- The member there, members.id; NULL: none is known.
member_at(O, T, bytes) := (SELECT iif(b.size_bytes = 0 OR element_offset(O, T, bytes) < b.offset + b.size_bytes, b.id, NULL) FROM members AS b WHERE b.type_id = O.type_id AND b.offset <= element_offset(O, T, bytes) ORDER BY b.offset DESC LIMIT 1)

-- is_array: does the object have several elements of its type? member_name: member M as in source text; number: of the element, or NULL.
is_array(O, T) := (O.type_repeats AND iif(O.kind = 'heap', O.allocated_bytes > O.allocations * T.size_bytes, O.size_bytes > T.size_bytes))
member_name(O, T, M, number) := (O.name || iif(is_array(O, T), '[' || coalesce(number, '') || ']', '') || CASE M.name WHEN '' THEN '' ELSE '.' || coalesce(M.name, '[hole]') END)

-- One run of two that are compared, the database S: what each part of it costs. value: thread time or cost, ns or cycles; sq: Σ of the squares
-- of what its samples count with.
diff_side(S, N) := SELECT N AS side, 'run' AS part, 'wall time' AS name, NULL AS place, 1.0 * (end_ns - start_ns) AS value, 0.0 AS sq FROM S.runs
    UNION ALL
    SELECT N, 'run', 'thread time', NULL, thread_time, thread_time_sq FROM S.totals WHERE scope = 'run'
    UNION ALL
    SELECT N, 'run', 'waits for memory', NULL, cost + lost_cost, cost_sq FROM S.totals WHERE scope = 'run'
    UNION ALL
    SELECT N, 'thread', coalesce(h.comm, '[unknown]'), NULL, t.thread_time, t.thread_time_sq
    FROM S.totals AS t LEFT JOIN S.threads AS h ON h.id = t.thread_id
    WHERE t.scope = 'thread'
    UNION ALL
    SELECT N, 'object', coalesce(o.name, '[no object]'), trim(coalesce(o.kind, '') || coalesce(' in ' || o.function, '')), t.cost + t.lost_cost, t.cost_sq
    FROM S.totals AS t LEFT JOIN S.objects AS o ON o.id = t.object_id
    WHERE t.scope = 'object'
    UNION ALL
    SELECT N, t.scope, code_name(coalesce(l.function, s.name), d.short_name), iif(t.scope = 'line', replace(f.path, rtrim(f.path, replace(f.path, '/', '')), '') || ':' || l.line, NULL),
      t.cost + t.lost_cost, t.cost_sq
    FROM S.totals AS t LEFT JOIN S.instructions AS i ON i.id = t.instruction_id LEFT JOIN S.locations AS l ON l.id = i.location_id LEFT JOIN S.symbols AS s ON s.id = i.symbol_id
    LEFT JOIN S.dsos AS d ON d.id = i.dso_id LEFT JOIN S.files AS f ON f.id = l.file_id
    WHERE t.scope IN ('function', 'line')
