-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns one sentence that explains why the query named ?1 has no rows: what the recording lacks, and which command or query to use instead.
-- ?2: 1 if the user gave parameters, because these may be the reason.
WITH
  facts AS MATERIALIZED (
    SELECT
      sampler AS sampler,
      coalesce((SELECT samples FROM totals WHERE scope = 'run'), 0) AS samples,
      coalesce((SELECT addressed FROM totals WHERE scope = 'run'), 0) AS addressed,
      coalesce((SELECT stores FROM totals WHERE scope = 'run'), 0) AS stores,
      coalesce((SELECT local + remote FROM totals WHERE scope = 'run'), 0) AS homed,
      coalesce((SELECT threads FROM totals WHERE scope = 'run'), 0) AS threads,
      coalesce((SELECT thread_time FROM totals WHERE scope = 'run'), 0) AS thread_time,
      EXISTS (SELECT 1 FROM selected_events WHERE role = 'fault') AS faults,
      EXISTS (SELECT 1 FROM page_faults WHERE first = 1) AS first_faults,
      EXISTS (SELECT 1 FROM data_sources WHERE question = 'level') AS sources,
      EXISTS (SELECT 1 FROM objects WHERE kind = 'heap') AS heap,
      EXISTS (
        SELECT 1 FROM sample_data WHERE cpu IS NOT NULL
        UNION ALL SELECT 1 FROM fault_data WHERE cpu IS NOT NULL
        UNION ALL SELECT 1 FROM allocations WHERE cpu IS NOT NULL
        UNION ALL SELECT 1 FROM tracepoints WHERE cpu IS NOT NULL
      ) AS cpus,
      (SELECT count(*) FROM nodes WHERE mem_total_bytes > 0) AS nodes
    FROM runs
  ),
  reasons(priority, queries, applies, reason) AS (
    SELECT 1, 'losses', 1, 'nothing is known to be missing'
    UNION ALL
    SELECT 2, 'access_matrix bins contexts costs coverage data_sources layout members moves numa pages pinning sharing slices time', samples = 0,
      'the recording has no samples; `memdb report` says why'
    FROM facts
    UNION ALL
    SELECT 3, 'data_sources', NOT sources,
      'the samples do not say which cache or memory served them'
      || iif(sampler IN ('timer', 'exact', 'soft'), ', because the sampler ' || sampler || ' cannot see it', '')
      || ': only hardware samplers do (`memdb doctor` lists them); `memdb query costs` ranks objects and code, `memdb query numa` compares nodes'
    FROM facts
    UNION ALL
    SELECT 4, 'time', thread_time = 0,
      'the samples do not measure thread time, only those of a timer do (`memdb record --sampler timer`); `memdb query costs by=function` ranks code'
    FROM facts
    UNION ALL
    SELECT 5, 'access_matrix bins contexts layout members pages pinning sharing slices', addressed = 0,
      'no sample has a data address; `memdb query coverage` says why, `memdb query costs by=function` ranks code'
    FROM facts
    UNION ALL
    SELECT 6, 'access_matrix pinning', homed = 0,
      'of no access both the node of the page and that of the CPU are known; `memdb query coverage` says why'
    FROM facts
    UNION ALL
    SELECT 7, 'layout sharing', threads < 2, 'samples of only one thread have been recorded' FROM facts
    UNION ALL
    SELECT 8, 'layout sharing', stores = 0, 'no sample is of an access that writes' FROM facts
    UNION ALL
    SELECT 9, 'sharing', 1,
      iif(
        all_counted(),
        'no cache line moved between threads again and again, that is, for at least two threads 10 times, and for one in 1000 of their accesses. '
        || 'That depends on how the threads were scheduled: on a busy machine they may take long turns with a line that they would use at the same time. '
        || '`taskset -c 0 memdb record …` makes them change after few accesses, and finds such lines',
        'no two threads were seen to use a cache line in overlapping periods, on two CPUs, while one of them wrote, in the samples, which may have missed it'
      )
      || '; the view shared_lines also has the lines that threads used one after another, `memdb query pages` the threads of each page'
    FROM facts
    UNION ALL
    SELECT 10, 'first_touch placement', NOT faults, 'no page faults were recorded: `memdb record` does, and `memdb import --help` shows how perf does' FROM facts
    UNION ALL
    SELECT 11, 'first_touch', NOT first_faults,
      'no recorded page fault was the first one of a page of a known object; `memdb query placement` has what is known of the objects'
    FROM facts
    UNION ALL
    SELECT 12, 'call_stack', NOT heap, 'no heap allocations were recorded, so no object has a call stack; with `memdb record`, or `memdb import --alloc`, they have' FROM facts
    UNION ALL
    SELECT 13, 'moves', NOT cpus, 'the recording does not name the CPUs of threads: perf record --sample-cpu does' FROM facts
    UNION ALL
    SELECT 14, 'moves', NOT ?2, 'no thread was seen on two CPUs; `kind=affinity` has the CPUs that threads may use, `kind=pages` what the kernel moved' FROM facts
    UNION ALL
    SELECT 15, 'placement', NOT ?2, 'no page fault, allocation or access of a known object was recorded' FROM facts
    UNION ALL
    SELECT 16, 'bins contexts members pages', NOT ?2, 'no object of the accesses is known; `memdb query coverage` says why' FROM facts
    UNION ALL
    SELECT 17, 'first_touch', ?2,
      'no recorded page fault placed a page of it: its pages were there before, as in memory that was freed and used again, or from before the recording; `memdb query placement` has what is known of it'
    FROM facts
    UNION ALL
    SELECT 18, 'layout', 1, 'no false sharing was seen in an object of a known type; `memdb query members` shows hot and cold members'
    UNION ALL
    SELECT 19, 'hints', NOT ?2, 'no object has a hint: the view object_hints says (.schema in memdb sql) what each hint needs' FROM facts
  )
SELECT reason
FROM (
  SELECT priority, reason FROM reasons WHERE applies AND ' ' || queries || ' ' LIKE '% ' || ?1 || ' %'
  UNION ALL
  SELECT 99, iif(?2, 'nothing in the recording matches these parameters', 'the recording has nothing of this kind')
)
ORDER BY priority
LIMIT 1;
