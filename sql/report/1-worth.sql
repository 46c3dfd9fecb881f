-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns a question, and for each of placement, sharing, latency and page faults a sentence "LABEL: TEXT" that says whether it is worth fixing: "worth it"
-- if it takes at least 5 % of the thread time (lower end of its range), "not worth it" if it takes less (upper end), else "cannot tell". A range has the 95 % interval, and at
-- its upper end the time that may belong to it:
-- sharing      also samples in lines that threads share, and waits, and time that may be waiting or computing, at objects while one thread wrote them and
--              others used them: a large object has too few samples for each line to show which lines are shared
-- latency      also time that may be waiting or computing
-- After "cannot tell", it has the range, why the range is that wide, and what to do. If 5 % would be within the range even if there were any
-- number of samples, the reason is the largest part that only may belong to it; otherwise the samples are too few.
WITH
  run AS MATERIALIZED run_totals(),
  kinds AS (
    SELECT total(iif(n.name = 'memory', c.period, 0)) AS memory, total(iif(n.name = 'sharing', c.period, 0)) AS sharing, total(iif(n.name = 'fault', c.period, 0)) AS fault, total(iif(n.name = 'unknown', c.period, 0)) AS unknown
    FROM kind_totals AS c
    JOIN kind_measures AS m ON m.id = c.kind_id
    JOIN access_kinds AS k ON k.id = c.kind_id
    JOIN time_kinds AS n ON n.id = k.time_kind
    WHERE c.scope = 'run' AND m.timed
  ),
  uses AS MATERIALIZED (
    SELECT object_id, thread_id, min(time) AS first, max(time) AS last, max(stores) AS writes FROM drawn_samples WHERE object_id IS NOT NULL AND thread_id IS NOT NULL GROUP BY 1, 2
  ),
  pauses AS ( -- between successive store samples of an object, before the first and after the last
    SELECT object_id, time, lead(time) OVER (PARTITION BY object_id ORDER BY time) - time AS pause
    FROM (
      SELECT object_id, time FROM drawn_samples WHERE stores > 0 AND object_id IS NOT NULL
      UNION ALL
      SELECT o.object_id, b.time
      FROM (SELECT DISTINCT object_id FROM uses WHERE writes) AS o
      CROSS JOIN (SELECT min(first) AS time FROM uses UNION ALL SELECT max(last) FROM uses) AS b
    )
  ),
  phases AS MATERIALIZED ( -- times in which threads write an object: those between long pauses. A pause is long if it takes a sixteenth of the time, and ten times as long as each of the two before and the two after it, so that it is no chance that it has no sample
    SELECT object_id, min(time) AS first, max(time + pause) AS last
    FROM (
      SELECT *, sum(long) OVER (PARTITION BY object_id ORDER BY time) AS nr
      FROM (
        SELECT object_id, time, pause,
          16 * pause > (SELECT max(last) - min(first) FROM uses) AND pause > 10 * max(coalesce(max(pause) OVER before, 0), coalesce(max(pause) OVER after, 0))
            AND count(*) OVER (PARTITION BY object_id) > 3 AS long
        FROM pauses
        WHERE pause IS NOT NULL
        WINDOW before AS (PARTITION BY object_id ORDER BY time ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING), after AS (PARTITION BY object_id ORDER BY time ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING)
      )
    )
    WHERE NOT long
    GROUP BY object_id, nr
  ),
  written AS MATERIALIZED ( -- part: the part of an object's time in which one thread wrote it and another used it, 0-1
    SELECT d.object_id AS object_id, 1.0 * sum(iif(EXISTS (SELECT 1 FROM phases AS p WHERE p.object_id = d.object_id AND d.time BETWEEN p.first AND p.last) AND EXISTS (
        SELECT 1 FROM uses AS w
        JOIN uses AS u ON u.object_id = w.object_id AND u.thread_id <> w.thread_id
        WHERE w.object_id = d.object_id AND w.writes AND d.thread_id IN (w.thread_id, u.thread_id) AND d.time BETWEEN w.first AND w.last AND d.time BETWEEN u.first AND u.last
      ), d.estimate, 0)) / sum(d.estimate) AS part
    FROM drawn_samples AS d
    WHERE d.object_id IS NOT NULL AND d.thread_id IS NOT NULL
    GROUP BY d.object_id
  ),
  doubtful AS ( -- for each object, and for samples without one: waits, and time that may be waiting or computing, that may be for lines that other threads write or use. Objects of which each thread uses its own part have none; of an object without drawn samples, all time may be
    SELECT
      coalesce(w.part, 1) * total(iif(m.cost = 'period' AND k.time_kind IS NOT 0 AND w.part > 0, c.period, 0)) AS cost,
      coalesce(w.part, 1) * total(iif(m.cost = 'period' AND k.time_kind IS NOT 0 AND w.part > 0, c.samples, 0)) AS waits,
      coalesce(w.part, 1) * total(iif(k.time_kind = 0, c.period, 0)) AS unknown
    FROM kind_totals AS c
    JOIN kind_measures AS m ON m.id = c.kind_id AND m.timed
    JOIN access_kinds AS k ON k.id = c.kind_id
    LEFT JOIN written AS w ON w.object_id = c.object_id
    LEFT JOIN object_patterns AS p ON p.object_id = c.object_id
    WHERE c.scope = 'object' AND (p.pattern IS NULL OR p.pattern NOT IN ('private', 'blocks'))
    GROUP BY c.object_id
  ),
  shared AS ( -- lines: thread time of samples in lines that threads share; objects, waits, unknown: sums of `doubtful`
    SELECT
      (SELECT total(s.share_pct / 100 * t.samples) FROM object_sharing AS s JOIN totals AS t ON t.scope = 'object' AND t.object_id = s.object_id) * r.thread_time / r.samples AS lines,
      b.cost AS objects, b.waits AS waits, b.unknown AS unknown,
      (SELECT count(DISTINCT thread_id) FROM uses) AS threads,
      EXISTS (SELECT 1 FROM uses AS u JOIN threads AS t ON t.id = u.thread_id GROUP BY t.process_id HAVING count(DISTINCT u.thread_id) > 1)
        OR EXISTS (SELECT 1 FROM uses AS u JOIN objects AS o ON o.id = u.object_id WHERE o.kind = 'mapping' GROUP BY u.object_id HAVING count(*) > 1) AS together -- threads of one process, or of several whose mapping may be shared
    FROM run AS r, (SELECT total(cost) AS cost, total(waits) AS waits, total(unknown) AS unknown FROM doubtful) AS b
  ),
  reason AS ( -- why nothing can be said of the time; NULL: nothing prevents it
    SELECT CASE
        WHEN emulated((SELECT cpudesc FROM runs)) THEN 'the CPU is emulated: record on a real one'
        WHEN r.thread_time = 0 THEN 'the samples are accesses, not time: --sampler timer samples time'
        WHEN r.samples < 100 THEN 'it has only ' || counted(r.samples, 'sample') || ': run longer, or sample faster (-F)'
      END AS text
    FROM run AS r
  ),
  ranges AS (
    SELECT 'sharing' AS what, 2 AS nr, k.sharing AS low, max(k.sharing, s.lines, s.objects) + iif(s.together, r.lost_cost + s.unknown, 0) AS high, iif(s.together, s.unknown, 0) AS unclear, iif(s.together, r.lost_cost, 0) AS gone, max(s.lines - k.sharing, 0) AS lines,
      max(s.objects - max(k.sharing, s.lines), 0) AS objects, CAST(s.waits AS INTEGER) AS waits,
      iif(NOT s.together AND r.samples >= 100, iif(s.threads > 1, 'no process has two threads that use memory', 'one thread uses memory'), NULL) AS never, NULL AS why
    FROM kinds AS k, shared AS s, run AS r
    UNION ALL
    SELECT 'latency', 3, memory, memory + unknown, unknown, 0, 0, 0, 0, NULL, NULL FROM kinds
    UNION ALL
    SELECT 'page faults', 4, fault, fault, 0, 0, 0, 0, 0, NULL, iif(EXISTS (SELECT 1 FROM losses WHERE what = 'kernel mode'), 'the kernel was not sampled: it takes root, or kernel.perf_event_paranoid below 2', NULL) FROM kinds
  ),
  first AS ( -- the object with most cost
    SELECT short_code(o.name) AS name
    FROM totals AS t
    JOIN objects AS o ON o.id = t.object_id
    WHERE t.scope = 'object' AND t.cost > 0 AND o.kind <> 'stack'
    ORDER BY t.cost DESC, o.id
    LIMIT 1
  ),
  causes AS ( -- rough: 1 if more samples would settle it; several: 1 if more than one part widens the range
    SELECT g.*, NOT 5 BETWEEN 100.0 * g.low / r.thread_time AND 100.0 * g.high / r.thread_time OR g.low = g.high AS rough,
      max(g.unclear, g.gone, g.lines, g.objects) < 0.9 * (g.unclear + g.gone + g.lines + g.objects) AS several
    FROM ranges AS g, run AS r
  ),
  bounds AS (
    SELECT g.what AS what, g.nr AS nr, g.never AS never, coalesce(e.text, g.why) AS why, share_low(g.low, r.thread_time, r.thread_time_sq) AS low, share_high(min(g.high, r.thread_time), r.thread_time, r.thread_time_sq) AS high,
      g.several AND NOT g.rough AS several,
      CASE
        WHEN g.rough
          THEN printf('it is %.1f%s %% by %d samples: run longer, or sample faster (-F)', 100.0 * g.low / r.thread_time, iif(g.high > g.low, printf('-%.1f', 100.0 * g.high / r.thread_time), ''), r.samples)
        WHEN g.unclear >= max(g.gone, g.lines, g.objects) THEN printf('%.0f %% of the thread time may be memory or computing: a sampler of the hardware tells them apart, if `memdb doctor` finds one', 100.0 * g.unclear / r.thread_time)
          || coalesce('; so does an experiment: let all accesses to ' || (SELECT name FROM first WHERE g.what = 'latency') || ' use the same few elements, and compare the times', '')
        WHEN g.gone >= max(g.lines, g.objects) THEN printf('%.0f %% waits at accesses whose address is gone: a sampler of the hardware keeps it, if `memdb doctor` finds one', 100.0 * g.gone / r.thread_time)
        WHEN g.lines >= g.objects THEN printf('%.0f %% is at cache lines that threads share, which may be waiting for other reasons: `memdb query sharing` lists them', 100.0 * g.lines / r.thread_time)
        ELSE printf('%.0f %% waits for objects that one thread writes while others use them, and %s too few to show whether they use the same cache lines: `memdb record --sampler exact -c 1` on a small input counts every access (slowly), then `memdb query sharing` tells', 100.0 * g.objects / r.thread_time, iif(g.waits = 1, '1 sample is', g.waits || ' samples are'))
      END AS doubt
    FROM causes AS g, run AS r, reason AS e
  ),
  placement AS (
    SELECT verdict, low, high, measure FROM numa_verdicts WHERE scope = 'run'
    ORDER BY remote_by = iif(max(iif(remote_by = 'hardware', known_pct, 0)) OVER () >= 50, 'hardware', 'home') DESC
    LIMIT 1
  ),
  answers AS (
    SELECT 1 AS nr, 'placement' AS what,
      CASE
        WHEN (SELECT nodes FROM run) = 1 THEN 'not worth it (one node)'
        WHEN (SELECT why IS NULL AND high < 5 FROM bounds WHERE what = 'latency') -- waits for other nodes are a part of the waits for memory
          THEN (SELECT 'not worth it (' || interval_text(0.0, high) || ' %)' FROM bounds WHERE what = 'latency')
        WHEN NOT EXISTS (SELECT 1 FROM placement) THEN 'cannot tell, because no node is known: `memdb record` records them'
        ELSE (SELECT verdict || iif(verdict LIKE '%whether they are remote', ': `memdb query coverage` has why', '') || iif(measure = 'percent of thread time' AND verdict NOT LIKE 'cannot%', ' (' || interval_text(low, high) || ' %)', '') FROM placement)
      END AS answer
    UNION ALL
    SELECT nr, what,
      CASE
        WHEN never IS NOT NULL THEN 'not worth it (' || never || ')'
        WHEN why IS NOT NULL THEN 'cannot tell, because ' || why
        WHEN low >= 5 THEN 'worth it (' || interval_text(low, high) || ' %)'
        WHEN high < 5 THEN 'not worth it (' || interval_text(low, high) || ' %)'
        ELSE 'cannot tell (' || interval_text(low, high) || ' %), ' || iif(several, 'mostly ', '') || 'because ' || doubt
      END
    FROM bounds
  ),
  said AS ( -- what has the same reason for "cannot tell" is said once
    SELECT min(nr) AS nr, group_concat(what, ', ') AS what, answer
    FROM (SELECT * FROM answers ORDER BY nr)
    GROUP BY answer, iif(answer LIKE 'cannot tell, because %', 0, nr)
  )
SELECT text
FROM (
  SELECT 0 AS nr, 'worth fixing' || iif((SELECT max(answer LIKE '%\%%' ESCAPE '\') FROM said), ' (at least 5 % of the thread time)', '') || '?' AS text
  UNION ALL
  SELECT nr, what || ': ' || answer FROM said
), run
WHERE samples > 0
ORDER BY nr;
