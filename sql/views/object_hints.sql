-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_hints AS
-- view:    object_hints
-- summary: Suggested changes for objects, with their evidence: place the object elsewhere, separate the data of threads, reuse memory, swap loops, use huge pages, separate cold members.
-- grain:   one row per object and hint; no row: no hint
-- note:    an object gets a hint under the conditions below. "Lower end" means the lower end of the 95 % interval
-- note: if every access was counted, 50 accesses replace the 50 samples in these conditions
-- note:    bind, move, spread: the object has at least 50 samples, and more than half of them are on remote pages (lower end; unknown homes count as
--          local). Stacks, and mappings of up to 16 pages, get no such hint. If 90 % of the known accesses go to the memory of one node, the hint is
--          bind if that node has no CPUs, move if one node makes 90 % of the accesses, else spread. If the pages are on several nodes, the hint is
--          spread. An interleaved object gets no hint, because no placement is better while every thread uses the whole object. An object counts as
--          interleaved if no node has more than 1.25 times its even share of the accesses, and if the CPUs of each node access all nodes equally
--          often
-- note:    copies, pad instead of spread: the object has fewer pages than nodes whose CPUs use it, so its pages cannot be spread. It gets the hint copies if at most 1 % of its
--          samples write it and it has no true sharing, and pad if each thread uses its own part and it has no false sharing. Else no placement is better
-- note:    pad: cache lines with false sharing have at least 50 drawn samples, and at least 5 % of the object's drawn samples (lower end). Stacks get
--          no such hint. If every access was counted, the object has at least 50 accesses in these lines. They move between threads for at least one in
--          2000 accesses of the run, because a movement takes about as long as 100 accesses
-- note:    copies: cache lines with true sharing have at least 50 drawn samples, and the object's samples of kind "sharing" took at least 5 % of the
--          thread time (lower end). If the hardware measured latencies instead: these lines have at least 5 % of the run's cost (lower end). Waits
--          for locks and flags, and the time that atomic operations take by themselves, are not of kind "sharing". Stacks get no such hint
-- note:    reuse: the object's memory was placed at least four times, in at least 100 pages, and its page faults took at least 5 % of the thread time
--          (lower end) in at least 20 samples
-- note: swap: the object is larger than the second-level cache. At least 50 of its drawn samples, and at least half of them, are at accesses whose
--       address changes by the same 512 bytes or more in each iteration of a loop (samples.step). These samples have at least 5 % of the cost
--       (lower end). If a loop walks along a column of a matrix, the next walk is along another column. So at most one of three pairs of samples
--       of one instruction and thread is in the same column (offset modulo step). In an array of structs, all of them are in the same column,
--       also if threads take turns in its elements. Only timer samples of x86-64 have a step, and only where an iteration
--       uses at most half of the cache line: compilers unroll a loop over a short row, and then the loop over the rows is the innermost one
-- note: huge pages: the object has at least 16 MiB, which is more than the TLBs of most processors cover in pages of 4 KiB, and page faults that placed at
--       least half of it in pages of the system's size. At least 50 of its drawn samples, and at least half of them, with at least 5 % of the thread time (of the cost, if
--       the hardware measured latencies; lower end), are far apart: for each
--       instruction and thread, the distances between the addresses of successive samples are taken as angles of a circle whose circumference is the
--       range of the addresses, which has at least 12 MiB. The 20 pairs of samples with the least time between them count. A thread that reads an array in order
--       has advanced by about the same distance in each of them, so the length of their mean vector is about 1, as it is if the thread stays near a place;
--       it is about 0 if each access may be anywhere. Far apart means at most 0.4. Nothing is known if a thread could have read the whole range (at 8
--       bytes per ns) between the samples of one of these pairs
-- source: mean vectors of angles: Mardia & Jupp 2000, section 2.2
-- note: split: if a timer took the samples, the evidence names the members at which threads wait. The advice is then to find out which other members the code uses
-- note: split: at least 190 of the object's drawn samples, and at least 90 % of them, are in known members (if every access was counted: of its drawn accesses). The evidence names the
--       hot members: those with most samples, until they have 95 % of them. The others have the remaining 5 %, as from initialising them. The hot members fill at most half (a quarter, if a timer took the samples) of the cache
--       lines in which they begin. The object is larger than the second-level cache and has at least 5 % of the cost or accesses (lower end). A timer does not see members that a thread
--       uses only right after others in the same cache line; the samplers exact and soft do
WITH
  cpu_nodes AS MATERIALIZED (
    SELECT count(*) AS n FROM nodes WHERE cpus IS NOT '' -- a node whose CPUs are not known (NULL) counts as one with CPUs
  ),
  remote AS MATERIALIZED ( -- remote_pct and home_pct as in object_costs, which also computes what is not needed here, for all objects
    SELECT t.object_id AS object_id, t.addressed AS addressed, t.remote AS remote, t.local + t.remote AS known, 100.0 * t.remote_estimate / nullif(t.local_estimate + t.remote_estimate, 0) AS remote_pct,
      100.0 * (t.local_estimate + t.remote_estimate) / nullif(t.estimate, 0) AS home_pct, o.kind AS kind, t.threads AS threads, iif(o.kind = 'heap', o.size_bytes, nullif(o.size_bytes, 0)) AS size_bytes,
      t.stores * 100 <= t.addressed AS read_only, r.page_bytes AS page_bytes
    FROM totals AS t
    JOIN objects AS o ON o.id = t.object_id
    CROSS JOIN runs AS r
    WHERE t.scope = 'object' AND (SELECT count(*) FROM nodes) <> 1 AND t.local + t.remote > 0 AND share_low(t.remote_estimate, t.estimate, t.estimate_sq) > 50
      AND iif(all_counted(), t.estimate, t.addressed) >= 50 AND o.kind <> 'stack' AND NOT (o.kind = 'mapping' AND nullif(o.size_bytes, 0) <= 16 * r.page_bytes)
  ),
  cells AS MATERIALIZED ( -- r_ij: accesses from node i to pages on node j, for each object in `remote`
    SELECT m.object_id AS object_id, m.cpu_node_id AS i, m.home_node_id AS j, m.estimate AS r, m.estimate_sq AS r_sq
    FROM access_matrix AS m
    WHERE m.scope = 'object' AND m.object_id IN (SELECT object_id FROM remote) AND m.cpu_node_id IS NOT NULL AND m.home_node_id IS NOT NULL
  ),
  homes AS (
    SELECT object_id, j, sum(r) AS r, sum(sum(r)) OVER w AS n, sqrt(sum(sum(r_sq)) OVER w) / sum(sum(r)) OVER w AS noise,
      row_number() OVER (PARTITION BY object_id ORDER BY sum(r) DESC, j) AS place
    FROM cells
    GROUP BY object_id, j
    WINDOW w AS (PARTITION BY object_id)
  ),
  users AS (
    SELECT object_id, i, sum(r) AS r, sum(sum(r)) OVER (PARTITION BY object_id) AS n,
      row_number() OVER (PARTITION BY object_id ORDER BY sum(r) DESC, i) AS place, count(*) OVER (PARTITION BY object_id) AS nodes
    FROM cells
    GROUP BY object_id, i
  ),
  rows_of AS ( -- most: the largest share of a CPU node's accesses that goes to one home. Chance makes this share too large by about 1 / sqrt(effective sample size), which is subtracted unless every access was counted
    SELECT object_id, max(share - noise) AS most
    FROM (
      SELECT object_id, r / sum(r) OVER w AS share, sqrt(sum(r_sq) OVER w) / sum(r) OVER w AS noise
      FROM cells
      WINDOW w AS (PARTITION BY object_id, i)
    )
    GROUP BY object_id
  ),
  touched AS (
    SELECT object_id, home_node_id, count(DISTINCT thread_id) AS threads, max(coalesce(function, '?')) AS function, count(DISTINCT function) AS functions,
      sum(bytes) AS bytes
    FROM first_touches
    GROUP BY object_id, home_node_id
    HAVING sum(bytes_pct) >= 90
  ),
  facts AS (
    SELECT
      r.*, h.j AS home, h.r / h.n AS home_share, h.noise AS noise, u.i AS node, u.r / u.n AS node_share, w.most AS most, n.n AS nodes,
      (SELECT d.cpus = '' FROM nodes AS d WHERE d.id = h.j) AS memory_only, t.threads AS touchers, t.function AS function, t.functions AS functions,
      r.size_bytes > 0 AND r.size_bytes < u.nodes * r.page_bytes AS small, u.nodes AS user_nodes, q.pattern IS 'blocks' AS own_parts,
      EXISTS (SELECT 1 FROM object_sharing AS s WHERE s.object_id = r.object_id AND s.sharing = 'true sharing' AND s.observed >= 50) AS true_sharing,
      EXISTS (SELECT 1 FROM object_sharing AS s WHERE s.object_id = r.object_id AND s.sharing = 'false sharing' AND s.observed >= 50) AS false_sharing,
      t.bytes AS touched_bytes, p.samples * 2 >= r.addressed AND p.reused_low_pct >= 50 AS reused
    FROM remote AS r
    CROSS JOIN cpu_nodes AS n
    JOIN homes AS h ON h.object_id = r.object_id AND h.place = 1
    JOIN users AS u ON u.object_id = r.object_id AND u.place = 1
    JOIN rows_of AS w ON w.object_id = r.object_id
    LEFT JOIN touched AS t ON t.object_id = r.object_id AND t.home_node_id = h.j -- only first touches that placed pages on the home of most accesses. The pages of other first touches moved later, so they do not explain this home
    LEFT JOIN object_placement AS p ON p.object_id = r.object_id
    LEFT JOIN object_patterns AS q ON q.object_id = r.object_id
  ),
  placed AS (
    SELECT
      *, memory_only AND home_share >= 0.9 AS bind, home_share >= 0.9 AS one_home, home_share >= 0.9 AND node_share >= 0.9 AS one_way,
      nodes > 1 AND home_share - 0.5 * noise <= 1.25 / nodes AND most <= 1.25 / nodes AS interleaved
    FROM facts
  ),
  run AS MATERIALIZED run_totals(),
  waited AS ( -- two shares of the thread time: in one, threads waited for cache lines of the object that other threads used at the same time; in the other, they spun (waited in a loop) on a word of the object
    SELECT
      c.object_id AS object_id, 100.0 * c.period / r.thread_time AS pct, share_low(c.period, r.thread_time, r.thread_time_sq) AS low,
      share_high(c.period, r.thread_time, r.thread_time_sq) AS high, 100.0 * c.spun / r.thread_time AS spun_pct,
      share_low(c.spun, r.thread_time, r.thread_time_sq) AS spun_low
    FROM (
      SELECT c.object_id AS object_id, total(iif(k.time_kind = 10, c.period, 0)) AS period, total(iif(k.time_kind = 6, c.period, 0)) AS spun
      FROM kind_totals AS c
      JOIN access_kinds AS k ON k.id = c.kind_id
      JOIN kind_measures AS m ON m.id = c.kind_id
      WHERE c.scope = 'object' AND c.object_id IS NOT NULL AND k.time_kind IN (6, 10) AND m.timed
      GROUP BY c.object_id
    ) AS c
    CROSS JOIN run AS r
  ),
  large AS MATERIALIZED ( -- objects that may be too large for the caches, with at least 5 % of the cost or accesses
    SELECT
      t.object_id AS object_id, share_low((t.cost + t.lost_cost), (a.cost + a.lost_cost), a.cost_sq) AS cost_low_pct,
      iif(a.unit = 'period', share_low(t.cost + t.lost_cost, a.thread_time, a.thread_time_sq), share_low((t.cost + t.lost_cost), (a.cost + a.lost_cost), a.cost_sq)) AS time_low_pct, t.addressed AS addressed
    FROM totals AS t
    CROSS JOIN run AS a
    JOIN objects AS o ON o.id = t.object_id
    CROSS JOIN runs AS r
    WHERE t.scope = 'object' AND o.size_bytes > coalesce(r.l2_bytes, 1 << 20)
      AND coalesce(share_low((t.cost + t.lost_cost), (a.cost + a.lost_cost), a.cost_sq), iif(a.thread_time = 0, share_low(t.estimate, a.estimate, a.estimate_sq), NULL)) >= 5
  ),
  wide AS MATERIALIZED ( -- those of them that are arrays and heap objects with structs as elements
    SELECT l.object_id AS object_id, o.type_id AS type_id, t.name AS type, t.size_bytes AS type_bytes, o.size_bytes AS size_bytes
    FROM large AS l
    JOIN objects AS o ON o.id = l.object_id
    JOIN types AS t ON t.id = o.type_id
    WHERE l.addressed >= 190 AND o.kind IN ('heap', 'static') AND o.type_repeats AND t.kind = 'struct'
  ),
  hits AS (
    SELECT object_id, member_id, sum(accesses) AS drawn FROM drawn_samples WHERE object_id IN (SELECT object_id FROM wide) GROUP BY object_id, member_id
  ),
  ranked AS ( -- hot: 1 if the member is one of those with most samples that together have at least 95 % of them
    SELECT
      w.object_id AS object_id, w.type AS type, w.type_bytes AS type_bytes, w.size_bytes AS size_bytes, m.name AS name, m.offset AS offset, m.size_bytes AS member_bytes, h.drawn AS drawn,
      h.drawn AND 20 * coalesce(sum(h.drawn) OVER (PARTITION BY w.object_id ORDER BY h.drawn DESC, m.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) < 19 * sum(h.drawn) OVER (PARTITION BY w.object_id) AS hot
    FROM wide AS w
    JOIN members AS m ON m.type_id = w.type_id
    LEFT JOIN hits AS h ON h.object_id = w.object_id AND h.member_id = m.id
    ORDER BY w.object_id, m.id
  ),
  split AS ( -- waits_only: 1 if samples show where a thread waits (a timer, or a perf.data of cycles), not each access. used_bytes: size of the hot members; line_bytes: size of the cache lines in which they begin, if elements start at one
    SELECT
      object_id, type, type_bytes, size_bytes, sum(drawn) AS drawn, sum(iif(hot, drawn, 0)) AS hot_drawn, sum(hot) AS used, count(name) AS members,
      sum(iif(hot, member_bytes, 0)) AS used_bytes, min(type_bytes, 64 * count(DISTINCT iif(hot, offset / 64, NULL))) AS line_bytes,
      group_concat(iif(hot, name, NULL), ', ') AS names,
      coalesce((SELECT sampler FROM runs), iif((SELECT unit FROM run) = 'latency', 'hardware', 'timer')) = 'timer' AS waits_only
    FROM ranked
    GROUP BY object_id
    HAVING sum(drawn) >= 190 AND sum(drawn) * 10 >= 9 * (SELECT sum(a.drawn) FROM hits AS a WHERE a.object_id = ranked.object_id)
  ),
  walks AS MATERIALIZED ( -- drawn samples by step and column; step: NULL for samples that are not of a walk by large steps; n: number of samples
    SELECT
      object_id, thread_id, instruction_id, iif(step NOT BETWEEN -511 AND 511, abs(step), NULL) AS step,
      iif(step NOT BETWEEN -511 AND 511, object_offset % abs(step), NULL) AS matrix_column, count(*) AS n
    FROM drawn_samples
    WHERE object_id IN (SELECT object_id FROM large)
    GROUP BY 1, 2, 3, 4, 5
  ),
  walk AS ( -- same: pairs of samples of one instruction and thread in the same column of the matrix; pairs: all pairs of samples of one instruction and thread; drawn: all drawn samples of the object. With max(n), SQLite takes instruction_id from the row with the maximum
    SELECT
      object_id, step, instruction_id, sum(n) AS n, sum(same) AS same, sum(pairs) AS pairs, max(n), sum(sum(n)) OVER (PARTITION BY object_id) AS drawn,
      row_number() OVER (PARTITION BY object_id ORDER BY step IS NULL, sum(n) DESC, step) AS place
    FROM (
      SELECT object_id, step, instruction_id, sum(same) AS same, sum(n * (n - 1)) AS pairs, sum(n) AS n
      FROM (SELECT object_id, step, instruction_id, sum(n * (n - 1)) AS same, sum(n) AS n FROM walks GROUP BY 1, 2, 3, thread_id)
      GROUP BY 1, 2, 3
    )
    GROUP BY object_id, step
  ),
  swap AS (
    SELECT w.*
    FROM walk AS w
    JOIN large AS l ON l.object_id = w.object_id
    WHERE w.place = 1 AND w.step IS NOT NULL AND w.n >= 50 AND w.n * 2 >= w.drawn AND l.cost_low_pct * w.n >= 5 * w.drawn AND w.same * 3 <= w.pairs
  ),
  far AS MATERIALIZED ( -- large objects in pages of the system's size
    SELECT l.object_id AS object_id, l.time_low_pct AS time_low_pct, p.kind AS kind, p.size_bytes AS size_bytes
    FROM large AS l
    JOIN object_placement AS p ON p.object_id = l.object_id
    CROSS JOIN runs AS r
    WHERE l.time_low_pct >= 5 AND p.size_bytes >= 16 << 20 AND r.page_bytes <= 16384 AND 2 * p.pages * r.page_bytes >= p.size_bytes AND 2 * p.pages * r.page_bytes >= p.bytes
  ),
  jumps AS MATERIALIZED ( -- distance and delay (ns): from the sample before, of the same instruction and thread; range: of all their addresses. All are NULL if the address is not known
    SELECT
      object_id, thread_id, instruction_id, time, address - lag(address) OVER in_time AS distance, time - lag(time) OVER in_time AS delay,
      max(address) OVER same - min(address) OVER same + 1 AS range
    FROM drawn_samples
    WHERE object_id IN (SELECT object_id FROM far)
    WINDOW same AS (PARTITION BY object_id, thread_id, instruction_id, address IS NULL), in_time AS (same ORDER BY time)
  ),
  apart AS ( -- drawn: all drawn samples of the object; n: those of instructions and threads whose successive samples are far apart
    SELECT object_id, sum(drawn) AS drawn, sum(iif(range >= 12 << 20 AND pairs = 20 AND mean <= 0.4 * 0.4, drawn, 0)) AS n
    FROM (
      SELECT object_id, range, count(*) AS drawn, sum(place <= 20 AND 8 * delay <= range) AS pairs,
        pow(avg(iif(place <= 20, cos(2 * pi() * distance / range), NULL)), 2) + pow(avg(iif(place <= 20, sin(2 * pi() * distance / range), NULL)), 2) AS mean
      FROM (SELECT *, row_number() OVER (PARTITION BY object_id, thread_id, instruction_id, range ORDER BY delay IS NULL, delay, time) AS place FROM jumps)
      GROUP BY object_id, thread_id, instruction_id, range
    )
    GROUP BY object_id
  ),
  hints AS (
    SELECT
      object_id, CASE WHEN bind OR one_way OR NOT small THEN 1 WHEN read_only THEN 3 ELSE 2 END AS priority,
      CASE WHEN bind THEN 'bind to CPUs' WHEN one_way THEN 'move' WHEN small AND read_only THEN 'copies' WHEN small THEN 'pad' ELSE 'spread' END AS hint, remote AS samples,
      printf('%.0f %% of its %s%s (%d of %d) are of another node', remote_pct, iif(all_counted(), 'accesses', 'samples'), iif(abs(remote_pct - 100.0 * remote / known) >= 1, ', by period', ''), remote, known) || iif(home_pct < 99.95, printf(' (known for %.0f %%)', home_pct), '') AS evidence,
      CASE
        WHEN bind THEN 'its pages are on node ' || home || ', which is memory without CPUs: bind it to a node with CPUs (mbind, numactl --membind), if that was not meant'
        WHEN one_way THEN 'node ' || node || ' uses it and its pages are on node ' || home || ': run these threads there, or move the pages (mbind, migratepages)'
        WHEN small THEN printf('with %s it is in fewer pages than the %d nodes that use it, so it cannot be spread: ', counted(size_bytes, 'byte'), user_nodes)
          || iif(read_only, 'give each node a copy of its own', 'let the part of each thread begin at a page of its own, and initialise it in that thread')
        WHEN one_home AND reused THEN 'its pages are on node ' || home || ' since memory that malloc gave out before: map it afresh and initialise it in the threads that use it, or interleave it (mbind)'
        WHEN one_home AND touchers = 1 AND functions = 1 AND touched_bytes * 2 >= size_bytes THEN 'its pages are on node ' || home || ', where one thread touched them first in ' || function || ': initialise it in the threads that use it, or interleave it'
        WHEN one_home THEN 'its pages are on node ' || home || ': initialise it in the threads that use it, or interleave it'
        ELSE 'its pages are on several nodes, but not on those of the threads that use them: let each thread initialise what it uses, or run it where that is'
      END AS advice
    FROM placed
    WHERE (one_home OR interleaved IS NOT 1) AND (bind OR one_way OR NOT small OR iif(read_only, NOT true_sharing, own_parts AND NOT false_sharing))
    UNION ALL
    SELECT
      s.object_id, iif(s.is_false, 2, 3), iif(s.is_false, 'pad', 'copies'), s.drawn_object,
      iif(s.is_false,
        printf('%s the same cache lines (%d, by up to %d threads) in %d %s, %.1f %% of its %s%s: false sharing',
          iif(s.writers = 1, 'one thread writes and others read different bytes of', 'threads write to different bytes of'), s.cache_lines, s.threads,
          iif(all_counted(), s.drawn_estimate_object, s.drawn_object), iif(all_counted(), 'accesses', 'samples'), s.share_pct, iif(all_counted(), 'accesses', 'samples'),
          iif(has_counts(), printf(', which move between threads %d times', s.drawn_hitm), '')),
        printf('threads write and use the same bytes of its cache lines (%d, up to %d threads): true sharing, and ', s.cache_lines, s.threads)
        || iif(r.unit = 'latency', printf('accesses to these lines took %.1f %% (%.1f-%.1f) of the cost', s.cost_pct, s.cost_low_pct, s.cost_high_pct),
          printf('waits for lines that other threads use took %.1f %% (%.1f-%.1f) of the thread time', w.pct, w.low, w.high)
          || iif(w.spun_low >= 5, printf(', spinning on a word of it another %.1f %%', w.spun_pct), ''))),
      iif(s.is_false, 'keep what each thread writes 64 bytes apart',
        iif(w.spun_low >= 5, 'keep the word that threads spin on 64 bytes apart from what its owner uses: then neither slows down the other; or ', '') || 'give each thread a copy of its own and add them up at the end, or write it less often')
    FROM (SELECT *, sharing = 'false sharing' AS is_false FROM object_sharing WHERE sharing <> 'cannot tell') AS s
    JOIN objects AS o ON o.id = s.object_id
    CROSS JOIN run AS r
    LEFT JOIN waited AS w ON w.object_id = s.object_id
    WHERE s.observed >= 50 AND o.kind <> 'stack'
      AND CASE WHEN s.is_false THEN s.share_low_pct >= 5 AND (NOT has_counts() OR (s.drawn_estimate_object >= 50 AND s.drawn_hitm * 2000 >= (SELECT estimate FROM totals WHERE scope = 'run'))) WHEN r.unit = 'latency' THEN s.cost_low_pct >= 5 AND claims((r.waits + r.lost_waits), r.addressed) ELSE w.low >= 5 END
    UNION ALL
    SELECT
      s.object_id, 5, 'swap', s.n,
      printf('the inner loop%s reads or writes it with a step of %,d bytes (%d of its %d drawn samples), so a pass of the loop uses at most half of each cache line, as along a column of a matrix',
        coalesce(' at ' || coalesce(file_name(f.path) || ':' || l.line, l.function), ''), s.step, s.n, s.drawn),
      'swap the loops, or transpose it, so that the inner loop uses elements that are next to each other; if other arrays then get large steps, work in blocks that fit into the cache'
    FROM swap AS s
    LEFT JOIN instructions AS i ON i.id = s.instruction_id
    LEFT JOIN locations AS l ON l.id = i.location_id
    LEFT JOIN files AS f ON f.id = l.file_id
    UNION ALL
    SELECT
      f.object_id, 6, 'huge pages', s.n,
      printf('successive samples of the same code are far apart (%d of %d drawn samples), all over %s in pages of %d KiB; the TLBs of most processors cover less, so these accesses may also wait for the page table',
        s.n, s.drawn, short_bytes(f.size_bytes), r.page_bytes / 1024),
      'try huge pages: '
      || iif(f.kind = 'heap', 'GLIBC_TUNABLES=glibc.malloc.hugetlb=1 (glibc 2.35 or newer), or madvise(MADV_HUGEPAGE) before its memory is initialised', 'madvise(MADV_HUGEPAGE) before its memory is initialised')
      || ', unless /sys/kernel/mm/transparent_hugepage/enabled says never; otherwise make it smaller, or order the accesses so that successive ones are near each other'
    FROM far AS f
    JOIN apart AS s ON s.object_id = f.object_id
    CROSS JOIN runs AS r
    WHERE s.n >= 50 AND s.n * 2 >= s.drawn AND f.time_low_pct * s.n >= 5 * s.drawn
    UNION ALL
    SELECT
      object_id, 7, 'split', drawn,
      iif(waits_only,
        printf('of %d samples in %s, %s at %d of its %d members (%s), where the thread waits for the cache line; it hardly waits for members that it uses after these in the same line',
          drawn, type, most, used, members, iif(used > 3, 'see the members', names)),
        printf('of %d %s in %s, %s in %d of its %d members (%s): %d of %d bytes, in %d bytes of cache lines', drawn, iif(all_counted(), 'drawn accesses', 'samples'), type, most, used, members, iif(used > 3, 'see the members', names), used_bytes, type_bytes, line_bytes)),
      iif(waits_only,
        'find all members that this code uses (memdb annotate, or `memdb record --sampler exact`); if they have at most half of the bytes, keep them together and the others in memory of their own (a second array, or behind a pointer)',
        printf('keep the others in memory of their own (a second array, or behind a pointer): the used part is then about %s instead of %s', short_bytes((size_bytes / type_bytes * used_bytes)), short_bytes((size_bytes / type_bytes * line_bytes)))
          || iif((SELECT sampler FROM runs) IN ('exact', 'soft'), '', '; first check with `memdb record --sampler exact`, because members that are only used right after others in one cache line may have no samples'))
    FROM (SELECT *, iif(hot_drawn = drawn, 'all are', printf('%.1f %% are', 100.0 * hot_drawn / drawn)) AS most FROM split)
    WHERE used < members AND used_bytes * iif(waits_only, 4, 2) <= line_bytes
    UNION ALL
    SELECT object_id, 4, 'reuse', fault_samples, printf('its memory was placed %.0f times, page faults of which took %.1f %% of the thread time', times, fault_time_pct), 'reuse its memory'
    FROM object_placement
    WHERE object_id IS NOT NULL AND times >= 4 AND pages >= 100 AND fault_samples >= 20 AND fault_time_low_pct >= 5
  )
SELECT
  h.object_id AS object_id, -- objects.id
  o.name AS object,         -- objects.name, such as the name of the variable
  h.priority AS priority,   -- of several hints for an object, try the one with the lowest number first
  h.hint AS hint,           -- the suggested change: "bind to CPUs", "move", "spread", "pad", "copies", "reuse", "swap", "huge pages" or "split"; advice says what it means
  h.samples AS samples,     -- number of samples that support the hint: remote samples, drawn samples in shared cache lines, samples in page faults, drawn samples with that step, drawn samples far apart, or drawn samples in known members
  h.evidence AS evidence,   -- the evidence, a sentence
  h.advice AS advice        -- the advice, a sentence
FROM hints AS h
JOIN objects AS o ON o.id = h.object_id;
