-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns advice that follows from the report's figures, and the limits of these figures: one sentence per row.
WITH
  verdict AS ( -- the verdict from the hardware's reports takes precedence over the one from the nodes of pages, because caches may contain remote data; but only if the hardware's reports are known for at least half of the samples
    SELECT
      *,
      CASE verdict
        WHEN 'worth it' THEN 'better placement is worth it'
        WHEN 'not worth it' THEN 'better placement is not worth it'
        ELSE replace(verdict, 'cannot tell,', 'cannot tell whether better placement is worth it,')
      END AS text
    FROM numa_verdicts
    WHERE scope = 'run'
    ORDER BY remote_by = iif(max(iif(remote_by = 'hardware', known_pct, 0)) OVER () >= 50, 'hardware', 'home') DESC
    LIMIT 1
  ),
  claim AS (
    SELECT claims((t.waits + t.lost_waits), t.addressed) AND NOT emulated(r.cpudesc) AS ok
    FROM totals AS t, runs AS r
    WHERE t.scope = 'run'
  ),
  measured AS ( -- what shares are of: the cost, or the accesses if the samples have no cost
    SELECT iif(unit IS NULL AND thread_time = 0, 'accesses', 'cost') AS what FROM run_totals()
  ),
  by_function AS MATERIALIZED (
    SELECT
      s.name AS name, d.short_name AS dso, d.kind AS kind, d.state AS state, sum(c.samples) AS samples, sum(iif(r.name = 'no-code', c.samples, 0)) AS without_code,
      sum(iif(k.addr_source <> 5, c.samples, 0)) AS outside_faults
    FROM kind_totals AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    LEFT JOIN addr_reasons AS r ON r.id = k.addr_reason
    LEFT JOIN instructions AS i ON i.id = c.instruction_id
    LEFT JOIN symbols AS s ON s.id = i.symbol_id
    LEFT JOIN dsos AS d ON d.id = i.dso_id
    WHERE c.scope = 'function'
    GROUP BY i.symbol_id, i.dso_id
  ),
  inside AS MATERIALIZED ( -- the lines of libraries that cost most
    SELECT l.function AS function, l.file AS file, l.line AS line, l.cost_pct AS pct
    FROM line_costs AS l
    JOIN instructions AS i ON i.id = l.instruction_id
    JOIN dsos AS d ON d.id = i.dso_id
    WHERE l.cost_pct >= 1 AND d.kind = 'file' AND library_code(l.file, d)
    ORDER BY l.cost_pct DESC
    LIMIT 5
  ),
  called AS MATERIALIZED ( -- the callers are found only if all these lines together have enough cost for the sentence
    SELECT * FROM callers_of((SELECT * FROM inside WHERE (SELECT sum(pct) FROM inside) >= 20))
  ),
  divided AS ( -- the names of large objects whose waits may as well have been for another object. Objects of one name and place are one row of the report
    SELECT group_concat(name, ', ') || iif(max(n) > count(*), ', …', '') AS names
    FROM (
      SELECT base_code(o.name) AS name, count(*) OVER () AS n
      FROM totals AS t
      JOIN totals AS r ON r.scope = 'run'
      JOIN other_waits AS w ON w.object_id = t.object_id
      JOIN objects AS o ON o.id = t.object_id
      WHERE t.scope = 'object' AND t.cost >= 0.05 * (r.cost + r.lost_cost) AND w.dealt >= 0.1 * (r.cost + r.lost_cost)
      GROUP BY object_site(o)
      ORDER BY max(t.cost) DESC, min(t.object_id)
      LIMIT 4
    )
    HAVING count(*) > 1
  ),
  unseen AS ( -- the code without a sample of the sampler soft, which sees only what was built for it: the program may do its work there
    SELECT DISTINCT d.short_name AS name
    FROM mappings AS m
    JOIN dsos AS d ON d.id = m.dso_id
    WHERE m.prot & 4 AND d.kind = 'file' AND d.short_name NOT LIKE 'libmemdb-%' AND (SELECT sampler FROM runs) = 'soft'
      AND NOT EXISTS (SELECT 1 FROM by_function AS f WHERE f.dso = d.short_name AND f.samples > 0)
  )
SELECT 'only ' || counted(t.samples, 'sample') || ': shares are rough; run longer or sample ' || iif(r.sampler IN ('exact', 'soft'), 'more accesses (a smaller -c)', 'faster (-F)')
  || coalesce('; code that was not built for the sampler soft has none: ' || (SELECT group_concat(name, ', ') FROM (SELECT name FROM unseen ORDER BY name LIMIT 8)), '')
FROM totals AS t
LEFT JOIN runs AS r
WHERE t.scope = 'run' AND t.samples < 200
UNION ALL
SELECT printf('the CPU is emulated (%s): an interrupt comes where a block of translated code begins, which says nothing of waiting; objects and lines are ranked by their samples, and nothing here tells what memory costs', cpudesc)
FROM runs
WHERE emulated(cpudesc)
UNION ALL
SELECT printf('%d %s seen: too few to tell what memory costs, so objects and lines are ranked by their samples', waits + lost_waits, iif(waits + lost_waits = 1, 'wait for memory was', 'waits for memory were'))
FROM totals
WHERE scope = 'run' AND waits + lost_waits > 0 AND NOT claims((waits + lost_waits), addressed)
UNION ALL
SELECT
  CASE
    WHEN EXISTS (SELECT 1 FROM losses WHERE what = 'samples of unknown events') THEN 'no samples: all that were recorded are of events that the recording does not describe, so nobody can say what they count: its header is damaged, or another program has changed it'
    WHEN sampler IN ('exact', 'soft') AND EXISTS (SELECT 1 FROM losses WHERE source = 'sampler' AND what = 'lost events') THEN 'no samples: the disk was full, or no file may become as large (ulimit -f): `memdb query losses` has how many were lost'
    WHEN sampler IN ('exact', 'soft') AND EXISTS (SELECT 1 FROM losses WHERE what = 'processes without an end') THEN 'no samples: a signal ended the program, or it ended by the system call itself, and what was not written yet is lost then: up to a tenth of a second, with -c 1 up to a second'
    WHEN sampler = 'soft' AND NOT EXISTS (SELECT 1 FROM comms WHERE exec) THEN 'no samples: nothing that ran was built with the flags of `pkg-config memdb-checks` or `memdb-soft`, see docs/exact-sampling.md; `memdb record --sampler exact` runs programs as they are'
    WHEN sampler = 'exact' AND EXISTS (SELECT 1 FROM losses WHERE what = 'programs without accesses') THEN 'no samples: a program ran outside the emulator, where none of its accesses is seen: `memdb query losses` says which, and why'
    WHEN sampler IN ('exact', 'soft') AND EXISTS (SELECT 1 FROM selected_events WHERE role = 'access' AND sample_period = 1) THEN 'no samples: all accesses were to be counted, and the program made none that the sampler sees'
    WHEN sampler IN ('exact', 'soft') THEN 'no samples: the program made fewer accesses than one sample stands for: take more of them (-c 1 counts all)'
    WHEN EXISTS (SELECT 1 FROM losses WHERE source = 'perf' AND what = 'ms at the end') THEN 'no samples: perf ended before the program, and had written none: record again'
    WHEN sampler IS NOT NULL THEN 'no samples: the program ended before one was due, or hardly used the CPU: let it work for longer, or sample more often (-F 10000); if it did work for long, `memdb doctor` says what is wrong'
    WHEN EXISTS (SELECT 1 FROM selected_events WHERE role NOT IN ('fault', 'tracepoint')) THEN 'no samples: none of the events that perf sampled came to its period: record for longer, or with a shorter period'
    ELSE 'no samples: perf recorded ' || coalesce((SELECT group_concat(name, ', ') FROM (SELECT DISTINCT name FROM selected_events LIMIT 8)), 'no event')
      || ', which says nothing of time and memory accesses; `memdb record` records those as well, and `memdb import --help` shows how perf does'
  END
FROM runs
WHERE NOT EXISTS (SELECT 1 FROM totals)
UNION ALL
SELECT 'no recording: this database has the tables of memdb, but no rows; `memdb record ./app` makes one with a recording, `memdb import CAPTURE` imports one again'
WHERE NOT EXISTS (SELECT 1 FROM runs)
UNION ALL
SELECT 'no sample has a data address: perf recorded none, and no registers to compute them from; see `memdb import --help`'
FROM totals
WHERE scope = 'run' AND samples > 0 AND addressed = 0
  AND EXISTS (SELECT 1 FROM coverage WHERE question = 'address' AND answer IN ('no-registers', 'not-sampled')) -- this advice would be wrong if all samples are in the kernel
UNION ALL -- if the rate is always too high, the kernel stops sampling once per tick, which is every 8 to 80 samples
SELECT printf('the kernel stopped the sampling %d times, because it was more frequent than kernel.perf_event_max_sample_rate: times are too short; take a lower -F', l.n)
FROM (SELECT sum(count) AS n FROM losses WHERE source = 'perf' AND what = 'throttled') AS l
WHERE l.n * 100 >= (SELECT samples FROM totals WHERE scope = 'run')
UNION ALL
SELECT printf('%.0f %% of the samples (%d) are in %s, %d of them in %s: what they access is in no figure above%s', 100.0 * sum(samples) / everything, sum(samples),
    CASE state
      WHEN 'missing' THEN 'files that are not here'
      WHEN 'replaced' THEN 'files that were replaced by other ones'
      WHEN 'unverified' THEN 'files that were left out, because nothing proves that they are what ran'
      ELSE 'code that no file holds, as that of a JIT compiler'
    END, max(samples), function,
    CASE
      WHEN state IN ('missing', 'replaced') THEN '; `memdb import --symfs DIR` finds what ran below DIR'
      WHEN state IS NULL AND function LIKE '[%' THEN '; a perf map names its functions (node --perf-basic-prof, java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit, python3 -X perf)'
      ELSE ''
    END)
FROM ( -- with max(samples), SQLite takes the other columns, function and state, from the row with the maximum
  SELECT state, coalesce(name, '[' || trim(coalesce(dso, 'unknown'), '[]') || ']') AS function, without_code AS samples, sum(samples) OVER () AS everything
  FROM by_function
)
HAVING sum(samples) >= 50 AND sum(samples) * 5 >= everything
UNION ALL
SELECT printf('%.0f %% of the samples (%d) are in the kernel, %d of them in %s: system calls and the like, not the program''s own accesses', 100.0 * sum(samples) / everything, sum(samples), max(samples), function)
FROM ( -- with max(samples), SQLite takes the other column, the function, from the row with the maximum
  SELECT coalesce(name, '[kernel]') AS function, iif(kind IN ('kernel', 'module'), outside_faults, 0) AS samples, sum(samples) OVER () AS everything
  FROM by_function
)
HAVING sum(samples) >= 50 AND sum(samples) * 2 >= everything
UNION ALL
SELECT *
FROM (
  SELECT printf('%.0f %% of the cost (%d samples) is in code of %s that has no names: the debug symbols of that file (a package as …-dbgsym, or debuginfod) would name its functions, lines and objects', f.cost_pct, f.samples, f.dso)
  FROM function_costs AS f
  JOIN dsos AS d ON d.id = f.dso_id
  WHERE f.symbol_id IS NULL AND d.kind = 'file' AND f.cost_pct >= 20 AND f.samples >= 50 AND (SELECT ok FROM claim)
  ORDER BY f.cost_pct DESC
  LIMIT 1
)
UNION ALL
SELECT printf('%.0f %% of the cost is at lines of libraries (most in %s), and the call stacks end before the program''s own code: -fno-omit-frame-pointer, or --call-graph dwarf, shows where they are called', pct, place)
FROM ( -- with max(l.pct), SQLite takes the other column, place, from the row with the maximum
  SELECT sum(l.pct) AS pct, max(l.pct), short_code(l.function) AS place
  FROM inside AS l
  JOIN called AS c ON c.function IS l.function AND c.file IS l.file AND c.line IS l.line
  WHERE c.caller IS NULL AND c.cut
)
WHERE pct >= 20 AND (SELECT ok FROM claim)
UNION ALL -- this is an assumption of the import, which knows neither the addresses nor, from the code, a bound of the index
SELECT printf('%.0f %% of the cost is at loads whose addresses are lost, most in %s: they are assumed to go all over the object; if they stay in a small part of it, they cost less', pct, name)
FROM ( -- with max(x.lost), SQLite takes the other column, name, from the row with the maximum
  SELECT 100.0 * sum(x.lost) / (SELECT cost + lost_cost FROM totals WHERE scope = 'run') AS pct, max(x.lost), o.name AS name
  FROM (
    SELECT c.object_id AS object_id, sum(iif(k.addr_source = 9, c.period, 0)) AS lost, sum(c.period) AS period
    FROM kind_totals AS c
    JOIN kind_measures AS m ON m.id = c.kind_id
    JOIN access_kinds AS k ON k.id = c.kind_id
    WHERE c.scope = 'object' AND m.cost = 'period'
    GROUP BY c.object_id
  ) AS x
  JOIN objects AS o ON o.id = x.object_id
  WHERE x.lost >= 0.9 * x.period
)
WHERE pct >= 30 AND (SELECT ok FROM claim)
UNION ALL
SELECT *
FROM (
  SELECT printf('nothing proves that %d %s of this machine %s what ran (%s%s): what they tell of functions, lines, objects and addresses may be wrong; %s',
      count(*), iif(count(*) = 1, 'file', 'files'), iif(count(*) = 1, 'is', 'are'), min(detail), iif(count(*) > 1, ', …', ''),
      CASE
        WHEN (SELECT sampler FROM runs) IN ('exact', 'soft') THEN 'these samplers record no build-ids: import before files change'
        WHEN detail LIKE '%: changed %' THEN 'record again, and import before files change; a program that was linked with a build-id (-Wl,--build-id) stays known'
        WHEN detail LIKE '%: the recording does not say when it was made' THEN 'record with -k CLOCK_MONOTONIC, and import before files change; with build-ids (-Wl,--build-id in the link, perf record --buildid-mmap) files stay known'
        ELSE 'files stay known by their build-ids: link with -Wl,--build-id, and record with perf record --buildid-mmap'
      END)
  FROM losses
  WHERE what = 'unverified files'
  HAVING count(*) > 0
)
UNION ALL
SELECT *
FROM (
  SELECT printf('%d %s left out, because nothing proves that %s what ran (%s%s): %s%s', count(*), iif(count(*) = 1, 'file of this machine was', 'files of this machine were'), iif(count(*) = 1, 'it is', 'they are'),
      min(detail), iif(count(*) > 1, ', …', ''),
      iif(detail LIKE '%: changed after the recording', 'record again; if you have what ran, put it below a folder DIR under the same path, and use `memdb import --symfs DIR --trust-files`',
        'import where it was recorded, or put what ran below a folder DIR under the same path, and use `memdb import --symfs DIR --trust-files`'),
      iif(detail LIKE '%: for another type of machine', '', iif(count(*) = 1, '; without --symfs it takes the file that is here now', '; without --symfs it takes the files that are here now')))
  FROM losses -- with min(detail), SQLite takes detail from this row
  WHERE what = 'unverified files left out'
  HAVING count(*) > 0
)
UNION ALL
SELECT printf('%.0f %% of the waiting is for objects that are not known, because the address is gone after the access, most of it at %s: what is used there costs more than its row says; `memdb record --sampler exact` lists the objects that it accesses; if it was built without optimization (-O0), -O1 keeps most addresses',
  100.0 * t.lost_cost / (t.cost + t.lost_cost),
  (SELECT trim(coalesce(iif(line IS NULL, short_code(function), source_code(function)), '') || ' ' || coalesce(file_name(file) || ':' || line, '')) FROM line_costs ORDER BY lost_cost_pct DESC LIMIT 1))
FROM totals AS t
WHERE t.scope = 'run' AND t.lost_cost > 0 AND t.lost_cost * 9 >= t.cost AND t.waits + t.lost_waits >= 50
UNION ALL
SELECT *
FROM (
  SELECT printf('%d sampled objects are named %s%s: together %.1f %% of the %s%s; `memdb report --by path` has one row for each',
      sampled, iif(length(object) > 60, substr(object, 1, 30) || '…' || substr(object, -29), object),
      iif(length(function) < 60 AND instr(object, function) = 0, ' (' || function || ')', ''), 100.0 * cost / everything, what,
      coalesce(' (' || interval_text(share_low(cost, everything, everything_sq), share_high(cost, everything, everything_sq)) || ')', ''))
  FROM ( -- as object_name_costs, which also counts the objects without samples: there may be many
    SELECT o.name AS object, o.function AS function, count(*) AS sampled, sum(t.addressed) AS addressed, m.what AS what,
      sum(iif(m.what = 'cost', t.cost + t.lost_cost, t.estimate)) AS cost, iif(m.what = 'cost', r.cost + r.lost_cost, r.estimate) AS everything, iif(m.what = 'cost', r.cost_sq, r.estimate_sq) AS everything_sq
    FROM totals AS r
    JOIN measured AS m
    JOIN totals AS t ON t.scope = 'object'
    JOIN objects AS o ON o.id = t.object_id
    WHERE r.scope = 'run'
    GROUP BY object_site(o)
  )
  WHERE sampled >= 5 AND addressed >= 50 AND cost * 20 >= everything AND (SELECT ok FROM claim)
  ORDER BY cost DESC
  LIMIT 2
)
UNION ALL
SELECT
  coalesce(CASE
      WHEN high IS NULL THEN NULL
      WHEN measure = 'cycles per instruction' THEN printf('remote accesses cost %.3f', low) || iif(round(high, 3) > round(low, 3), printf(' to %.3f', high), '')
        || printf(' cycles for each instruction (%d accesses, by %s)', remote, iif(remote_by = 'home', 'the homes of their pages', 'what the hardware says'))
      ELSE printf('%.1f to %.1f %% of the thread time waited for memory of other nodes', low, high)
    END
    || iif(known_pct < 99.95, printf(' (known for %.0f %% of the %s)', known_pct, iif(measure = 'cycles per instruction', 'accesses', 'waiting time')), '')
    || ': ' || text, text)
FROM verdict
WHERE measure = 'cycles per instruction' OR (SELECT ok FROM claim)
UNION ALL
SELECT *
FROM ( -- the id and the cost show where the object is among those of the ranking
  SELECT h.object || ' (id ' || h.object_id || coalesce(iif((SELECT ok FROM claim), printf(', %.1f %% of the %s', 100.0 * iif(m.what = 'cost', t.cost / nullif(r.cost + r.lost_cost, 0), t.estimate / nullif(r.estimate, 0)), m.what), NULL), '') || '): ' || h.evidence || '; ' || h.advice
  FROM (SELECT *, row_number() OVER (PARTITION BY priority ORDER BY samples DESC, object_id) AS place FROM object_hints WHERE hint <> 'reuse') AS h -- hints of kind reuse are left out, because 4-time-hints.sql reports them
  JOIN measured AS m
  JOIN totals AS r ON r.scope = 'run'
  LEFT JOIN totals AS t ON t.scope = 'object' AND t.object_id = h.object_id
  WHERE h.place <= 3
  ORDER BY h.priority, h.place
)
UNION ALL
SELECT printf('%.0f %% of what was sampled, by period (%d samples), is of threads that the scheduler may move to another node: pin them (numactl, OMP_PROC_BIND) before comparing placements', sum(share_pct), sum(samples))
FROM pinning
WHERE scope = 'run' AND class IN ('unpinned thread', 'unpinned both') AND (SELECT count(*) FROM nodes WHERE cpus <> '') > 1
HAVING sum(samples) >= 50 AND sum(share_pct) >= 10
UNION ALL -- tracking a block takes 20 to 100 ns, about 25 bytes on disk, and 70 bytes in the database
SELECT printf('%.1f million small blocks were followed, %.1f million a second: that slowed the program down, and %s; --sample-small 100 follows one in 100 of them and keeps their names, --min-size leaves small ones out', blocks / 1e6, blocks / seconds / 1e6,
  iif(every, 'the database has a row for each', 'the import has read each'))
FROM (
  SELECT sum(o.allocations) AS blocks, coalesce(r.keep_bytes, 0) = 0 AS every, coalesce((SELECT nullif(thread_time, 0) FROM main.run_costs WHERE cost_unit IS NOT 'cycles'), max(1, r.end_ns - r.start_ns)) / 1e9 AS seconds
  FROM runs AS r
  JOIN objects AS o ON o.kind = 'heap' AND o.allocated_bytes < 4096 * o.allocations
  WHERE r.sample_every IS NULL
)
WHERE blocks > 5000000 OR (blocks > 500000 AND blocks > 1000000 * seconds)
UNION ALL
SELECT 'cost is where time passed, not what can be gained there; which of several accesses next to each other was waited for is an estimate: its interval does not cover that, *at most* does'
  || coalesce('; for ' || (SELECT names FROM divided) || ', only an experiment shows what each costs: always use the same few elements of one of them, and compare the times', '')
FROM totals
WHERE scope = 'run' AND waits > 0 AND cost > 0 AND (SELECT ok FROM claim);
