-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns what the time went to other than accesses, and what reduces that: page faults, memory that goes back to the kernel, and the allocator. One
-- sentence per row.
WITH RECURSIVE
  churn AS ( -- objects whose memory the program returned to the kernel at least four times, so that page faults placed it again
    SELECT
      f.object_id AS id, f.object AS name, f.times AS times, f.pages AS pages, f.fault_time_pct AS pct, o.size_bytes AS size_bytes,
      o.allocated_bytes / max(1, o.allocations) AS block_bytes, o.kind AS kind,
      coalesce(' at ' || coalesce(short_code(o.function) || ' ', '') || file_name(s.path) || ':' || o.line, '') AS place
    FROM object_placement AS f
    JOIN objects AS o ON o.id = f.object_id
    LEFT JOIN files AS s ON s.id = o.file_id
    WHERE f.times >= 4 AND f.pages >= 100
  ),
  faults AS (
    SELECT
      sum(f.fault_samples) AS samples, sum(f.fault_time_pct) AS pct, share_low(sum(f.fault_time), max(r.thread_time), max(r.thread_time_sq)) AS low,
      share_high(sum(f.fault_time), max(r.thread_time), max(r.thread_time_sq)) AS high, sum(f.bytes) / 1048576.0 AS mib
    FROM object_placement AS f, totals AS r
    WHERE r.scope = 'run'
  ),
  freeing AS ( -- the call paths below the kernel's functions that take pages from a process: munmap, madvise, brk, and the end of the process
    SELECT id FROM call_paths WHERE symbol_id IN (SELECT id FROM symbols WHERE name IN ('unmap_vmas', 'exit_mmap', 'zap_page_range', 'zap_page_range_single', 'tlb_finish_mmu', 'free_pgtables', 'do_vmi_munmap', '__do_munmap'))
    UNION
    SELECT p.id FROM freeing AS f CROSS JOIN call_paths AS p ON p.parent_id = f.id
  ),
  unmapped AS (
    SELECT count(*) AS samples, sum(d.estimate * d.one_in) AS time, max(d.one_in) AS one_in
    FROM freeing AS f
    CROSS JOIN drawn_samples AS d ON d.call_path_id = f.id
    CROSS JOIN sample_data AS s ON s.id = d.id
    CROSS JOIN access_kinds AS k ON k.id = s.kind_id
    WHERE k.time_kind = 9
  ),
  touches AS ( -- huge: bytes in pages that are larger than the system's. reads: page faults in which the program read memory that was never written; they place no page
    SELECT
      c.object_id AS object_id, sum(iif(k.first, c.samples * coalesce(k.page_bytes, r.page_bytes), 0)) AS bytes, sum(iif(k.first AND k.page_bytes > r.page_bytes, c.samples * k.page_bytes, 0)) AS huge,
      sum(iif(NOT k.first AND k.memory_opcode = 1, c.samples, 0)) AS reads
    FROM fault_cells AS c
    CROSS JOIN runs AS r
    JOIN access_kinds AS k ON k.id = c.kind_id
    GROUP BY c.object_id
  ),
  again AS ( -- with max(top), SQLite takes the other columns, name and place, from the row with the maximum
    SELECT count(*) AS objects, sum(pct) AS pct, sum(pages) AS pages, max(times) AS times, name, place, max(coalesce(pct, 0) * 1e12 + pages) AS top,
      min(kind = 'heap') AND EXISTS (SELECT 1 FROM dsos WHERE short_name LIKE 'libc.so%' OR short_name LIKE 'libc-2%')
        AND NOT EXISTS (SELECT 1 FROM dsos WHERE short_name LIKE '%jemalloc%' OR short_name LIKE '%tcmalloc%' OR short_name LIKE '%mimalloc%') AS by_glibc,
      1 << CAST(ceil(log2(2.0 * max(block_bytes))) AS INTEGER) AS mmap_threshold, 1 << CAST(ceil(log2(2.0 * sum(size_bytes))) AS INTEGER) AS trim_threshold
    FROM churn
  ),
  allocator AS (
    SELECT sum(t.samples) AS samples, sum(t.thread_time) AS time
    FROM totals AS t
    CROSS JOIN instructions AS i ON i.id = t.instruction_id
    LEFT JOIN symbols AS s ON s.id = i.symbol_id
    LEFT JOIN dsos AS d ON d.id = i.dso_id
    WHERE t.scope = 'function' AND is_allocation(s.name, d.short_name)
  ),
  blocks AS ( -- number of blocks that the program allocated at each line and in total. The tracker counts every block, even one without a row
    SELECT o.name AS name, s.path AS path, o.line AS line, sum(o.allocations) AS blocks, max(o.estimated) AS estimated, sum(sum(o.allocations)) OVER () AS everything
    FROM objects AS o
    LEFT JOIN files AS s ON s.id = o.file_id
    WHERE o.kind = 'heap'
    GROUP BY o.name, o.file_id, o.line
  ),
  sites AS ( -- NULL if the recorded blocks cannot explain the time in the allocator (more than 10 µs for each block), because other blocks were not recorded (--min-size)
    SELECT group_concat(told, ', ') AS told
    FROM (
      SELECT printf('%s%,d of %s', iif(estimated, '~', ''), blocks, base_code(name)) || iif(instr(name, '.') > 0 AND instr(name, ':') > 0, '', coalesce(' (' || file_name(path) || ':' || line || ')', '')) AS told
      FROM blocks
      WHERE blocks * 10 >= everything AND everything * 10000 >= (SELECT time FROM allocator)
      ORDER BY blocks DESC, name
      LIMIT 3
    )
  ),
  advice AS (
    SELECT
      printf('memory that was freed, went back to the kernel and was placed again: %s%s%s, up to %.0f times. What ends it: reuse the memory',
        name, place, iif(objects > 1, printf(' and %d %s', objects - 1, iif(objects = 2, 'other', 'others')), ''), times)
      || iif(by_glibc, printf(', or let malloc keep it: GLIBC_TUNABLES=glibc.malloc.mmap_threshold=%d:glibc.malloc.trim_threshold=%d (mallopt: M_MMAP_THRESHOLD, M_TRIM_THRESHOLD)', mmap_threshold, trim_threshold), '') AS told
    FROM again
    WHERE objects > 0
  ),
  n AS (
    SELECT coalesce(sum(samples), 0) AS samples, sum(thread_time) AS thread_time, sum(thread_time_sq) AS thread_time_sq FROM totals WHERE scope = 'run'
  ),
  whole AS ( -- the totals of the entire run (main.totals), even if a selection hides some samples
    SELECT samples FROM main.totals WHERE scope = 'run'
  )
SELECT
  printf('page faults took %.1f %% of the thread time (%.1f-%.1f, %d samples)', f.pct, f.low, f.high, f.samples)
  || iif(a.objects > 0 AND a.pct * 4 >= f.pct, printf(', %.1f %% for ', a.pct) || (SELECT told FROM advice),
    iif(f.mib < 1, '', iif(n.samples = w.samples, printf(' to place %.0f MiB', f.mib), ' to place memory')
      || iif((SELECT sum(huge) * 2 >= sum(bytes) FROM touches), ' in huge pages: less memory may make it less', ': less memory, or huge pages (madvise), may make it less')))
FROM faults AS f, again AS a, n, whole AS w
WHERE f.samples >= 20 AND f.pct >= 5
UNION ALL
SELECT printf('giving memory back to the kernel (munmap, madvise, brk, or the end of the program) took another %.1f %% of the thread time (%.1f-%.1f, %d samples), which is not in the share of page faults',
  100.0 * u.time / n.thread_time, share_low(u.time, n.thread_time, (n.thread_time_sq * u.one_in)), share_high(u.time, n.thread_time, (n.thread_time_sq * u.one_in)), u.samples)
FROM unmapped AS u, n
WHERE u.samples >= 20 AND u.time * 50 >= n.thread_time
UNION ALL
SELECT *
FROM ( -- a page that is read first is a page of zeros, until a write replaces it in a second fault
  SELECT printf('page faults of %s took %.1f %% of the thread time, about %.1f for each page (%d for %d), as if it was read before it was written; if each page is written before it is read, it takes one fault (compilers remove a memset to zero after calloc)',
      f.object, f.fault_time_pct, 1.0 * f.faults / f.pages, f.faults, f.pages)
  FROM object_placement AS f
  JOIN touches AS t ON t.object_id = f.object_id
  WHERE f.kind IN ('heap', 'static') AND f.fault_samples >= 20 AND f.fault_time_pct >= 5 AND t.reads >= 20 AND f.pages BETWEEN t.reads / 2 AND t.reads * 2
  ORDER BY f.fault_time_pct DESC
  LIMIT 1
)
UNION ALL
SELECT
  printf('malloc and free took %.0f %% (%.0f-%.0f) of the %s', 100.0 * a.time / n.thread_time, share_low(a.time, n.thread_time, n.thread_time_sq), share_high(a.time, n.thread_time, n.thread_time_sq),
    iif(EXISTS (SELECT 1 FROM selected_events WHERE role = 'time'), 'thread time', 'cycles'))
  || coalesce(iif(n.samples = w.samples, '; most blocks: ' || (SELECT told FROM sites), NULL), '')
FROM allocator AS a, n, whole AS w, runs AS r
WHERE a.samples >= 20 AND a.time * 10 >= n.thread_time AND n.thread_time > 0 AND NOT emulated(r.cpudesc)
UNION ALL
SELECT printf('%d page faults were for %s; what that costs passes in the kernel, where nothing was sampled', a.pages, v.told)
FROM again AS a, faults AS f, advice AS v
WHERE f.samples = 0 AND a.pages >= 10000
  AND NOT EXISTS (SELECT 1 FROM instructions AS i JOIN dsos AS d ON d.id = i.dso_id WHERE d.kind = 'kernel' AND i.id IN (SELECT instruction_id FROM sample_cells));
