-- SPDX-License-Identifier: GPL-2.0-or-later
-- What ran and how well it was seen: one sentence a row.
WITH
  sources AS (
    SELECT sum(iif(k.addr_source = 2, c.samples, 0)) AS retired, sum(iif(k.addr_source = 3, c.samples, 0)) AS next
    FROM kind_totals AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE c.scope = 'run'
  ),
  n AS (
    SELECT
      coalesce(sum(t.samples), 0) AS samples, sum(t.addressed) AS addressed,
      (SELECT sum(samples) FROM totals WHERE scope = 'object' AND object_id IS NOT NULL) AS in_objects,
      s.retired AS retired, s.next AS next,
      sum(t.thread_time) AS thread_time, sum(t.cost) AS cost, sum(t.lost_cost) AS lost_cost, sum(t.waits + t.lost_waits) AS waits
    FROM sources AS s
    LEFT JOIN totals AS t ON t.scope = 'run'
  ),
  missing AS (
    SELECT group_concat(answer || ' ' || samples, ', ') AS told
    FROM (SELECT answer, samples FROM coverage WHERE question = 'address' AND NOT known ORDER BY samples DESC, answer LIMIT 4)
  ),
  lost AS (
    SELECT group_concat(told, ', ') AS told
    FROM (
      SELECT sum(count) || ' ' || what || ' (' || source || ')' AS told
      FROM losses
      WHERE what NOT LIKE '%in the tracker' AND what NOT IN ('programs not tracked', 'unverified files') -- the hints have these
      GROUP BY source, what
      ORDER BY sum(count) DESC
      LIMIT 4
    )
  ),
  tracker AS (
    SELECT sum(count) AS samples FROM losses WHERE what = 'samples in the tracker'
  ),
  who AS (
    SELECT count(*) AS threads, count(DISTINCT process_id) AS processes
    FROM threads
    WHERE id IN (SELECT thread_id FROM totals WHERE scope = 'thread')
  )
SELECT
  coalesce(iif(length(r.command) > 100, substr(r.command, 1, 99) || '…', r.command), 'recorded by hand') || ': '
  || coalesce(printf('%.1f s, ', (r.end_ns - r.start_ns) / 1e9), '')
  || CASE w.threads WHEN 0 THEN 'no samples' WHEN 1 THEN 'samples of 1 thread' ELSE 'samples of ' || w.threads || ' threads' END
  || iif(w.processes > 1, ' in ' || w.processes || ' processes', '')
  || coalesce(', exit code ' || r.exit_code, ', ended by signal ' || r.exit_signal, '')
FROM runs AS r, who AS w
UNION ALL
SELECT
  coalesce(r.sampler || ' sampler: ', '') || n.samples || iif(n.samples = 1, ' sample', ' samples')
  || CASE
    WHEN n.samples < 20 OR emulated(r.cpudesc) THEN printf(', %d with a data address, %d in a known object', n.addressed, n.in_objects)
    ELSE printf(', %.1f %% with a data address', 100.0 * n.addressed / n.samples)
      || iif(n.retired + n.next > 0, printf(' (%.1f %% of the access waited for, %.1f %% of the next one)', 100.0 * n.retired / n.samples, 100.0 * n.next / n.samples), '')
      || printf(', %.1f %% in a known object', 100.0 * coalesce(n.in_objects, 0) / n.samples)
  END
  || coalesce('; without address: ' || m.told, '')
FROM runs AS r, n, missing AS m
WHERE n.samples > 0
UNION ALL
SELECT 'there are ' || group_concat(told, ', ')
FROM ( -- what there is instead of samples
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
  printf('of %.2f s thread time, %.1f %% passed at instructions that access memory', n.thread_time / 1e9, 100.0 * (n.cost + n.lost_cost) / n.thread_time)
  || iif(n.lost_cost > 0, printf(': %.1f %% at a known address, %.1f %% at accesses whose address is gone afterwards (object not known)', 100.0 * n.cost / n.thread_time, 100.0 * n.lost_cost / n.thread_time), '')
FROM n, runs AS r
WHERE n.thread_time > 0 AND n.addressed > 0 AND (SELECT cost_unit FROM run_costs) = 'ns'
  AND claims(n.waits, n.samples) AND NOT emulated(r.cpudesc)
UNION ALL
SELECT 'not in it: ' || told FROM lost WHERE told IS NOT NULL
UNION ALL
SELECT printf('the tracker itself took %d samples (%.1f %%), which are in no figure', t.samples, 100.0 * t.samples / (t.samples + n.samples))
FROM tracker AS t, n
WHERE t.samples * 20 > t.samples + n.samples
UNION ALL
SELECT 'of the heap blocks below ' || sample_bytes || ' bytes one in ' || sample_every || ' was followed: numbers and sizes of such objects (~) are estimates, and of the accesses to them '
  || 'about one in ' || sample_every || ' has its object, the others are at [heap]'
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
SELECT 'allocations were not recorded: heap memory is known by its mappings only' FROM runs WHERE NOT tracked;
