-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns one sentence that says what limits the run: the kind of time that takes at least half of the thread time (lower end of the 95 %
-- interval), or the reason why no kind is named.
WITH
  run AS MATERIALIZED run_totals(),
  spent AS MATERIALIZED (
    SELECT
      CASE
        WHEN time_kind IN ('fence', 'spin', 'wait') THEN 'synchronisation'
        WHEN time_kind IN ('compute', 'cached') THEN 'computing'
        ELSE time_kind
      END AS what,
      iif(a.yes, 'malloc and free', function) AS function, iif(a.yes, NULL, file) AS file, iif(a.yes, NULL, line) AS line,
      iif(a.yes, NULL, dso_id) AS dso_id, samples, thread_time
    FROM (SELECT *, is_allocation(function, dso) AS yes FROM time_spent) AS a
  ),
  parts AS (
    SELECT
      what, sum(s.thread_time) AS time, 100.0 * sum(s.thread_time) / r.thread_time AS pct,
      share_low(sum(s.thread_time), r.thread_time, r.thread_time_sq) AS low,
      share_high(sum(s.thread_time), r.thread_time, r.thread_time_sq) AS high
    FROM spent AS s, run AS r
    GROUP BY what
  ),
  places AS ( -- for each kind of time, the source line with most of it. Lines in the kernel are left out, because they are of little use to the program's authors
    SELECT what, iif(coalesce(d.short_name, '') LIKE '[%', '', ', most at ' || iif(line IS NULL, short_code(function), source_code(function)) || coalesce(' ' || file_name(file) || ':' || line, '')) AS place, function, file, line, dso_id, max(thread_time)
    FROM (SELECT what, function, file, line, dso_id, sum(thread_time) AS thread_time FROM spent GROUP BY what, function, file, line, dso_id)
    LEFT JOIN dsos AS d ON d.id = dso_id
    GROUP BY what
  ),
  inside AS MATERIALIZED ( -- such lines of libraries, which are less useful than the program's line that calls them
    SELECT DISTINCT l.function AS function, l.file AS file, l.line AS line
    FROM places AS l
    JOIN parts AS p ON p.what = l.what AND p.low >= 50
    LEFT JOIN dsos AS d ON d.id = l.dso_id
    WHERE l.place <> '' AND library_code(l.file, d)
  ),
  called AS MATERIALIZED (
    SELECT * FROM callers_of(inside)
  ),
  winner AS MATERIALIZED (
    SELECT
      p.what AS what, p.low AS low, p.high AS high,
      l.place || coalesce(', called under ' || c.caller, '') AS place,
      -- the upper end also counts time of unknown kind, because it may be of this kind
      share_high((p.time + coalesce((SELECT time FROM parts WHERE what = 'unknown'), 0)), r.thread_time, r.thread_time_sq) AS most
    FROM parts AS p, run AS r
    JOIN places AS l ON l.what = p.what
    LEFT JOIN called AS c ON c.function IS l.function AND c.file IS l.file AND c.line IS l.line
    WHERE p.low >= 50 AND p.what <> 'unknown'
  ),
  shared AS MATERIALIZED ( -- samples in cache lines that several threads use while one of them writes, without samples that are known to wait for such a line; `object` is the object with most of them
    SELECT object, max(samples), 100.0 * sum(samples) / run - coalesce((SELECT pct FROM parts WHERE what = 'sharing'), 0) AS pct
    FROM (
      SELECT short_code(o.name) AS object, s.share_pct / 100 * t.samples AS samples, r.samples AS run
      FROM object_sharing AS s
      JOIN objects AS o ON o.id = s.object_id
      JOIN totals AS t ON t.scope = 'object' AND t.object_id = s.object_id
      CROSS JOIN run AS r
    )
  ),
  told AS ( -- text about each kind of time that has at least 5 % of the thread time
    SELECT what, printf('%s %.0f %%', CASE what WHEN 'memory' THEN 'waits for memory' WHEN 'fault' THEN 'page faults' WHEN 'system' THEN 'the kernel'
      WHEN 'atomic' THEN 'atomic operations' WHEN 'sharing' THEN 'waits for shared cache lines' WHEN 'unknown' THEN 'memory or computing (cannot tell which)' ELSE what END, pct) AS text
    FROM parts
    WHERE pct >= 5
    ORDER BY pct DESC
  ),
  mixture AS (
    SELECT group_concat(text, ', ') AS told FROM told
  ),
  rest AS (
    SELECT '; besides ' || group_concat(text, ', ') AS told FROM told WHERE what NOT IN (SELECT what FROM winner)
  )
SELECT replace(CASE
    WHEN emulated((SELECT cpudesc FROM runs)) THEN 'cannot tell what bounds the run, because the CPU is emulated: an interrupt there says nothing of waiting; record on a real one'
    WHEN NOT EXISTS (SELECT 1 FROM spent) THEN 'cannot tell what bounds the run, because '
      || iif(r.samples > 0, iif(r.thread_time > 0, 'it is not known what the code at its samples does', iif(r.cost > 0, 'its samples are accesses: they say which cost most, not how much of the time that is',
        'its samples are accesses without their time: they say what is accessed most, not what is waited for')), 'there are no samples')
    WHEN (SELECT sum(samples) FROM spent) < 100 THEN 'cannot tell what bounds the run, because it has only ' || counted((SELECT sum(samples) FROM spent), 'sample') || ': run longer, or sample faster (-F)'
    WHEN w.what = 'memory' THEN printf('memory: %.0f to %.0f %% of the thread time passed at instructions that wait for an access to memory%s', w.low, w.most, w.place)
    WHEN w.what = 'sharing' THEN printf('sharing: %.0f to %.0f %% of the thread time passed at accesses to cache lines that other threads use at the same time%s', w.low, w.high, w.place)
    WHEN w.what = 'computing' AND (SELECT pct FROM shared) >= 5 -- lines that threads share move between caches, and the time of these moves may look like computing
      THEN printf('cannot tell computing from sharing: %.0f to %.0f %% of the thread time passed at instructions that access no memory, or none that would hold them up, but %s',
        w.low, w.high, (SELECT printf('%.0f %% of the samples are in cache lines that threads share while one of them writes, most in %s: `memdb query sharing` lists the lines', pct, object) FROM shared))
    WHEN w.what = 'computing' THEN printf('%s: %.0f to %.0f %% of the thread time passed at instructions that access no memory, or none that holds them up%s',
      iif((SELECT coalesce(sum(high), 0) FROM parts WHERE what IN ('memory', 'unknown')) < 20, 'not memory', 'computing'), w.low, w.high, w.place)
    WHEN w.what = 'synchronisation' THEN printf('synchronisation: %.0f to %.0f %% of the thread time passed in waiting for other threads or processes (%s)%s', w.low, w.high,
      (SELECT group_concat(told, ', ') FROM (
        SELECT printf('%s %.0f %%', CASE time_kind WHEN 'wait' THEN 'locks, barriers and messages' WHEN 'spin' THEN 'spinning' ELSE 'fences' END, sum(time_pct)) AS told
        FROM time_spent
        WHERE time_kind IN ('fence', 'spin', 'wait')
        GROUP BY time_kind
        ORDER BY sum(time_pct) DESC
      )), w.place)
    WHEN w.what = 'atomic' THEN printf('atomic operations: %.0f to %.0f %% of the thread time%s', w.low, w.high, w.place)
    WHEN w.what = 'fault' THEN printf('page faults: %.0f to %.0f %% of the thread time passed in the kernel that handled them%s', w.low, w.high, w.place)
    WHEN w.what = 'system' THEN printf('the kernel: %.0f to %.0f %% of the thread time passed in system calls and interrupts%s', w.low, w.high, w.place)
    ELSE 'cannot name one thing that bounds the run, because none has half of the thread time for sure: ' || (SELECT told FROM mixture)
  END || coalesce(iif(w.what IS NOT NULL AND (SELECT sum(samples) FROM spent) >= 100, (SELECT told FROM rest), ''), ''),
    'thread time', iif(EXISTS (SELECT 1 FROM selected_events WHERE role = 'time'), 'thread time', 'cycles')
    || iif(EXISTS (SELECT 1 FROM losses WHERE what = 'kernel mode'), ' in user mode', ''))
FROM (SELECT 1) AS one
LEFT JOIN run AS r
LEFT JOIN winner AS w
WHERE r.samples > 0;
