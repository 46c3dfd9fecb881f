-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns what ran and how complete the recording is, one sentence "LABEL: TEXT" per row: the command, its time, the samples, what the costs
-- refer to, and what is missing.
WITH
  sources AS (
    SELECT sum(iif(m.addressed AND k.addr_source <> 9, c.samples, 0)) AS addressed
    FROM kind_totals AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE c.scope = 'run'
  ),
  kinds AS ( -- shares of the thread time, percent: `sharing` and `unclear` are those kinds of time whose cost is not only waiting for memory; `unknown` is all time of the kind of `unclear`, also without cost
    SELECT
      100.0 * total(iif(k.time_kind = 10 AND m.cost = 'period', c.period, 0)) / t.thread_time AS sharing,
      100.0 * total(iif(k.time_kind = 0 AND m.cost = 'period', c.period, 0)) / t.thread_time AS unclear,
      100.0 * total(iif(k.time_kind = 0, c.period, 0)) / t.thread_time AS unknown
    FROM totals AS t
    JOIN kind_totals AS c ON c.scope = 'run'
    JOIN kind_measures AS m ON m.id = c.kind_id AND m.timed
    JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE t.scope = 'run'
  ),
  n AS (
    SELECT
      coalesce(sum(t.samples), 0) AS samples, s.addressed AS addressed,
      (SELECT sum(addressed) FROM totals WHERE scope = 'object' AND object_id IS NOT NULL) AS in_objects,
      sum(t.thread_time) AS thread_time, sum(t.thread_time_sq) AS thread_time_sq, sum(t.cost) AS cost, sum(t.lost_cost) AS lost_cost, sum(t.waits + t.lost_waits) AS waits
    FROM sources AS s
    LEFT JOIN totals AS t ON t.scope = 'run'
  ),
  missing AS (
    SELECT group_concat(answer || ' ' || samples, ', ') AS told
    FROM ( -- the same figures as in the view coverage, question 'address'; the view is not used, because it would also compute its other rows
      SELECT coalesce(a.name, s.name, 'unknown') AS answer, sum(c.samples) AS samples
      FROM kind_totals AS c
      JOIN kind_measures AS m ON m.id = c.kind_id
      JOIN access_kinds AS k ON k.id = c.kind_id
      LEFT JOIN addr_sources AS s ON s.id = k.addr_source
      LEFT JOIN addr_reasons AS a ON a.id = k.addr_reason
      WHERE c.scope = 'run' AND NOT coalesce(m.addressed AND k.addr_source <> 9, 0)
      GROUP BY 1
      ORDER BY samples DESC, answer
      LIMIT 4
    )
  ),
  lost AS (
    SELECT group_concat(told, ', ') AS told
    FROM (
      SELECT sum(count) || ' ' || what || ' (' || source || ')' AS told
      FROM losses
      WHERE NOT own_cost(what) AND what NOT IN ('programs not tracked', 'unverified files', 'kernel mode', 'late records', 'newer than the program') -- 5-hints.sql and rows below report these losses, so they are left out here
      GROUP BY source, what
      ORDER BY sum(count) DESC
      LIMIT 4
    )
  ),
  tracker AS (
    SELECT sum(count) AS samples FROM losses WHERE what = 'samples in the tracker'
  ),
  recorder AS (
    SELECT sum(count) AS samples FROM losses WHERE what = 'samples in perf'
  ),
  user AS (
    SELECT count(*) > 0 AS only FROM losses WHERE what = 'kernel mode'
  ),
  lives AS ( -- number of threads that have samples, and the sum of the threads' lifetimes
    SELECT count(*) AS threads, sum(life_of(t, r, recorded_end(main))) AS ns
    FROM threads AS t, runs AS r
    WHERE t.id IN (SELECT thread_id FROM totals WHERE scope = 'thread')
  ),
  whole AS ( -- the totals of the entire run (main.totals), even if a selection hides some samples
    SELECT samples FROM main.totals WHERE scope = 'run'
  ),
  used AS ( -- the time that the threads ran on a CPU, including that of the tracker and of perf
    SELECT n.thread_time * (1 + 1.0 * (coalesce(t.samples, 0) + coalesce(p.samples, 0)) / n.samples) AS ns
    FROM n, tracker AS t, recorder AS p
  ),
  who AS (
    SELECT count(*) AS threads, count(DISTINCT process_id) AS processes
    FROM threads
    WHERE id IN (SELECT thread_id FROM totals WHERE scope = 'thread')
  )
SELECT 'command: ' || coalesce(iif(length(command) > 100, substr(command, 1, 99) || '…', command), 'not known (recorded by hand)') FROM runs
UNION ALL
SELECT
  'time: ' || coalesce(printf('%.1f s, ', (r.end_ns - r.start_ns) / 1e9), '')
  || CASE w.threads WHEN 0 THEN iif(n.samples > 0, 'samples of threads that are not known', 'no samples') WHEN 1 THEN 'samples of 1 thread' ELSE 'samples of ' || w.threads || ' threads' END
  || iif(w.processes > 1, ' in ' || w.processes || ' processes', '')
  || coalesce(', exit code ' || r.exit_code, ', ended by signal ' || r.exit_signal, '')
  || coalesce((
    SELECT printf('; %s %.2f s, %.0f %% of it off the CPU (waiting, or not scheduled)', iif(l.threads = 1, 'the thread lived', 'the threads lived'), l.ns / 1e9, 100.0 * (l.ns - c.ns) / l.ns)
      || iif(u.only, ' or in the kernel, whose time was not sampled (it takes root, or kernel.perf_event_paranoid below 2)', '')
    FROM n, lives AS l, used AS c, user AS u, whole AS w
    WHERE n.samples = w.samples AND n.thread_time > 0 AND l.ns > 1.1 * c.ns AND n.samples >= 100 AND EXISTS (SELECT 1 FROM selected_events WHERE role = 'time')
  ), '')
FROM runs AS r, who AS w, n
UNION ALL
SELECT
  'sampler: ' || coalesce(r.sampler, 'perf') || ', ' || iif(has_counts(), iif(EXISTS (SELECT 1 FROM losses WHERE what IN ('processes without an end', 'lost events')), '', 'all ') || sampled(n.samples) || ' counted', counted(n.samples, 'sample'))
  || CASE
    WHEN n.samples < 20 OR emulated(r.cpudesc) THEN printf(', %d with a data address, %d in a known object', n.addressed, n.in_objects)
    ELSE printf(', %.1f %% with a data address', 100.0 * n.addressed / n.samples)
      || printf(', %.1f %% in a known object', 100.0 * coalesce(n.in_objects, 0) / n.samples)
  END
  || coalesce('; without address: ' || m.told, '')
FROM runs AS r, n, missing AS m
WHERE n.samples > 0
UNION ALL
SELECT 'recorded: ' || group_concat(told, ', ')
FROM ( -- what was recorded other than samples
  SELECT max(id) || iif(max(id) = 1, ' tracepoint event', ' tracepoint events') AS told FROM tracepoints HAVING max(id) > 0
  UNION ALL
  SELECT sum(samples) || ' page faults' FROM fault_cells HAVING sum(samples) > 0
  UNION ALL
  SELECT sum(allocations) || ' allocations' FROM objects WHERE kind = 'heap' HAVING sum(allocations) > 0
), n
WHERE n.samples = 0 AND told IS NOT NULL
HAVING count(*) > 0
UNION ALL
SELECT
  printf('cost: shares of the waits for memory, which are %.1f %% of the %.2f s thread time%s', 100.0 * (n.cost + n.lost_cost) / n.thread_time, n.thread_time / 1e9, iif(u.only, ' in user mode', ''))
  || iif(k.sharing >= 0.05, printf(', with %.1f %% at cache lines that other threads use', k.sharing), '')
  || iif(k.unclear >= 0.05, printf(', with %.1f%s %% that may be memory or computing (cannot tell which)', k.unclear, iif(k.unknown >= k.unclear + 0.05, printf(' of the %.1f', k.unknown), '')), '')
  || iif(n.lost_cost >= 0.0005 * n.thread_time, printf(', with %.1f %% at accesses whose address is gone afterwards (object not known)', 100.0 * n.lost_cost / n.thread_time), '')
  || '; of time, at most: shares of the thread time'
FROM n, user AS u, runs AS r, kinds AS k
WHERE n.thread_time > 0 AND n.cost + n.lost_cost > 0 AND (SELECT cost_unit FROM run_costs) = 'ns'
  AND claims(n.waits, n.samples) AND NOT emulated(r.cpudesc)
UNION ALL
SELECT 'losses: ' || group_concat(told, '; ')
FROM (
  SELECT 'none' AS told FROM runs AS r WHERE r.tracked AND r.sample_every IS NULL AND NOT EXISTS (SELECT 1 FROM losses WHERE NOT own_cost(what) AND what <> 'newer than the program')
  UNION ALL
  SELECT told FROM lost WHERE told IS NOT NULL
  UNION ALL
  SELECT sum(count) || iif(sum(count) = 1, ' record was', ' records were') || ' written too late to be sorted by time: what they say is in the figures, but the objects of samples near them may be wrong'
  FROM losses
  WHERE what = 'late records'
  HAVING sum(count) > 0
  UNION ALL
  SELECT printf('the tracker itself took %s (%.1f %%), with its system calls, in no figure', counted(t.samples, 'sample'), 100.0 * t.samples / (t.samples + w.samples))
  FROM tracker AS t, whole AS w
  WHERE t.samples * 20 > t.samples + w.samples
  UNION ALL
  SELECT printf('perf took %s (%.1f %%) to record the rest, in no figure', counted(t.samples, 'sample'), 100.0 * t.samples / (t.samples + w.samples))
    -- for perf, a page fault costs at least a tenth of a sample
    || iif(f.n >= 10 * (t.samples + w.samples), printf('; most of that for %d page faults: --no-faults does not record them, and then nothing is known of first touches', f.n), '')
  FROM recorder AS t, whole AS w, (SELECT sum(samples) AS n FROM fault_cells) AS f
  WHERE t.samples * 20 > t.samples + w.samples
  UNION ALL
  SELECT 'of the heap blocks below ' || sample_bytes || ' bytes one in ' || sample_every || ' was followed' || iif(EXISTS (SELECT 1 FROM losses WHERE what = 'small blocks for each recorded one'), ' in the end', '') || ': numbers and sizes of such objects (~) are estimates, and of the accesses to them '
    || iif(EXISTS (SELECT 1 FROM losses WHERE what = 'small blocks for each recorded one'), 'some have', 'about one in ' || sample_every || ' has') || ' their object, the others are at [heap outside blocks] or [mappings outside blocks]'
  FROM runs
  WHERE sample_every IS NOT NULL
  UNION ALL
  SELECT *
  FROM (
    SELECT printf('the allocations of %d %s that ran were not recorded: %s', sum(count) OVER (), iif(sum(count) OVER () = 1, 'program', 'programs'), detail)
      || iif(count(*) OVER () > 1, '; `memdb query losses` shows all', '')
    FROM losses
    WHERE source = 'tracker' AND what = 'programs not tracked'
    ORDER BY count DESC, id
    LIMIT 1
  )
  UNION ALL
  SELECT 'allocations were not recorded: heap memory is known by its mappings only' FROM runs WHERE NOT tracked AND NOT EXISTS (SELECT 1 FROM losses WHERE source = 'tracker' AND what = 'programs not tracked')
)
HAVING count(*) > 0
UNION ALL
SELECT
  'sources: ' || iif(count = 1, file_name(detail) || ' is', count || ' source files, such as ' || file_name(detail) || ', are')
  || ' newer than the program: the text may not be what was compiled, so it was not used, and objects have names of functions instead of variables; compile the program again'
FROM losses
WHERE source = 'sources' AND what = 'newer than the program' AND count > 0 AND detail IS NOT NULL;
