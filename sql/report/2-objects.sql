-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the objects with the highest cost. One more row is for the rest, which includes all objects below 1 %. Samples without an object have two rows: waits for unknown memory,
-- and addresses of no known object.
-- :by groups the objects: site (name and place; default), path (one object per call path that allocates), type, wrapper (function that the allocating code calls).
-- cost: share of the run's cost. The cost is time spent waiting (from a timer or cycle counter) or latency (from the hardware). If no cost was measured, cost is empty, and
--       accesses is the share of all accesses. With too few samples both are empty, and rows are ranked by samples.
-- 95 %: interval of the share.
-- of time: the cost as a share of the thread time.
-- at most: upper bound of the share of the thread time, which counts all time that may have been waiting for the object.
-- shared: the part of the cost that waited for cache lines that other threads use.
-- remote: range of the share of the accesses that are remote: its 95 % interval, widened by the unknown part.
-- size: of a heap object, the most bytes that were allocated at one time; of several objects, the sum of these.
-- nodes: nodes with at least a twentieth of the accesses.
-- pattern: as in the view object_patterns; empty if no row has a known pattern. Several objects in one row have a pattern, and a hint, if it is the same for all of them.
-- placed by: the code that touched most of the object's pages first; code of libraries only if it touched at least four times as many as any of the program's own. If nothing did: "(no page fault)", if none hit it, because its pages were there before it, as in memory that
--       malloc or the stack uses again, or because the kernel placed them on request (mlock, MADV_POPULATE_WRITE); or "(only read)", if its page faults and its sampled accesses are all reads, which place no page.
-- object: without namespaces and classes, unless objects with different names, with a row or not, would then have the same. If sampled objects of different kinds have the same name, such as a pointer and its target, their kind follows the name. If they have the same kind, `site` shows how they differ.
CREATE TEMP TABLE member ( -- the sampled objects, each with the first one of its row; empty if rows are not for objects. SQLite builds no index of its own for all of its uses
  id INTEGER PRIMARY KEY,
  first_id INTEGER
);

INSERT INTO member
SELECT o.id AS id, min(o.id) OVER (PARTITION BY object_site(o), iif(:by = 'path', o.id, NULL)) AS first_id
FROM totals AS t
JOIN objects AS o ON o.id = t.object_id
WHERE t.scope = 'object' AND coalesce(:by, 'site') IN ('site', 'path');

CREATE TEMP TABLE listed AS
-- is_row: 1 if the object gets a row of its own, 0 if it counts in the row for the rest. If the rest is a single small object, that object gets its own row
WITH
  run AS MATERIALIZED (
    SELECT *, iif(cost + lost_cost > 0, cost + lost_cost, estimate) AS whole, iif(cost + lost_cost > 0, cost_sq, estimate_sq) AS whole_sq
    FROM run_totals()
  ),
  others AS grouped_waits(member),
  used AS grouped_totals(member),
  placed AS (
    SELECT t.object_id AS object_id, o.name AS object, o.kind AS kind, t.sampled AS sampled, time_most(t, r, coalesce(w.period, 0)) AS time_most_pct, cost_columns(t, r, coalesce(w.period, 0))
    FROM used AS t
    CROSS JOIN run AS r
    JOIN objects AS o ON o.id = t.object_id
    LEFT JOIN others AS w ON w.first_id = t.object_id
  ),
  grouped AS (
    SELECT object_id, object, kind, sampled AS objects, addressed, threads, remote_pct, remote_low_pct, remote_high_pct, cost_pct, cost_low_pct, cost_high_pct, time_most_pct, access_pct, access_low_pct, access_high_pct
    FROM placed
    UNION ALL
    SELECT object_id, type, NULL, sampled, addressed, threads, remote_pct, remote_low_pct, remote_high_pct, cost_pct, cost_low_pct, cost_high_pct, time_most_pct, access_pct, access_low_pct, access_high_pct
    FROM type_costs
    WHERE :by = 'type'
    UNION ALL
    SELECT object_id, wrapper, NULL, sampled, addressed, threads, remote_pct, remote_low_pct, remote_high_pct, cost_pct, cost_low_pct, cost_high_pct, time_most_pct, access_pct, access_low_pct, access_high_pct
    FROM wrapper_costs
    WHERE :by = 'wrapper'
  ),
  cost AS (
    SELECT object_id, object, kind, objects, addressed AS samples, threads, remote_pct, remote_low_pct, remote_high_pct, coalesce(cost_pct, access_pct) AS pct, coalesce(cost_low_pct, access_low_pct) AS low, coalesce(cost_high_pct, access_high_pct) AS high, time_most_pct AS most
    FROM grouped
    WHERE object_id IS NOT NULL AND addressed > 0
    UNION ALL
    SELECT NULL, '[address is gone]', NULL, NULL, t.lost_waits, NULL, NULL, NULL, NULL,
      100.0 * t.lost_cost / nullif(r.whole, 0), share_low(t.lost_cost, r.whole, r.whole_sq), share_high(t.lost_cost, r.whole, r.whole_sq), NULL
    FROM totals AS t, run AS r
    WHERE t.scope = 'object' AND t.object_id IS NULL AND t.lost_waits > 0
    UNION ALL
    SELECT NULL, '[no object there]', NULL, NULL, t.addressed, t.threads, NULL, NULL, NULL,
      100.0 * t.part / nullif(r.whole, 0), share_low(t.part, r.whole, r.whole_sq), share_high(t.part, r.whole, r.whole_sq), NULL
    FROM run AS r, (SELECT *, iif((SELECT unit IS NULL AND thread_time = 0 FROM run), estimate, cost) AS part FROM totals) AS t
    WHERE t.scope = 'object' AND t.object_id IS NULL AND t.addressed > 0
  ),
  claimed AS (
    SELECT *, coalesce(claim, 100.0 * samples / nullif(sum(samples) OVER (), 0)) < 1 AS small
    FROM (SELECT c.*, iif(claims((r.waits + r.lost_waits), r.addressed), c.pct, NULL) AS claim FROM cost AS c CROSS JOIN run AS r)
  ),
  ranked AS ( -- the two rows for samples without an object, [address is gone] and [no object there], are ranked by their cost, like objects
    SELECT *, row_number() OVER (ORDER BY claim DESC, samples DESC, object_id) AS place FROM claimed
  )
SELECT
  *, place <= 10 AND (NOT small OR (place = 1 AND coalesce(claim, 1) > 0) OR (sum(small OR place > 10) OVER () = 1 AND coalesce(claim, 1) >= 0.05)) AS is_row
FROM ranked;

WITH
  run AS MATERIALIZED (
    SELECT *, iif(cost + lost_cost > 0, cost + lost_cost, estimate) AS whole, iif(cost + lost_cost > 0, cost_sq, estimate_sq) AS whole_sq
    FROM run_totals()
  ),
  alike AS MATERIALIZED (
    SELECT object_id AS id, object, kind FROM listed WHERE is_row AND kind IS NOT NULL
  ),
  different AS MATERIALIZED (SELECT * FROM told_apart(alike)),
  wanted AS MATERIALIZED (SELECT DISTINCT base_code(object) AS base FROM listed WHERE is_row),
  names AS MATERIALIZED ( -- among which a printed name must be unique: also those of objects without a row or without samples, which the user could mean, too. Names that are equal in short are equal in base, so only these few are shortened and compared
    SELECT object, min(base) AS base, short_code(object) AS short
    FROM (
      SELECT object, base_code(object) AS base FROM listed WHERE object_id IS NULL OR coalesce(:by, 'site') NOT IN ('site', 'path')
      UNION ALL
      SELECT name, base_code(name) FROM objects WHERE coalesce(:by, 'site') IN ('site', 'path')
    )
    WHERE base IN wanted
    GROUP BY object
  ),
  bases AS MATERIALIZED (SELECT base FROM names GROUP BY base HAVING count(*) = 1),
  shorts AS MATERIALIZED (SELECT short FROM names GROUP BY short HAVING count(*) = 1),
  shown AS (
    SELECT place, object_id, iif(:by = 'type', object, CASE WHEN base_code(object) IN bases THEN base_code(object) WHEN short_code(object) IN shorts THEN short_code(object) ELSE object END) || coalesce(nullif(' (' || objects || ' objects)', ' (1 objects)'), '') || iif(several_kinds, ' (' || kind || ')', '') AS object, samples, threads, remote_pct, remote_low_pct,
      remote_high_pct, claim AS pct, low, high, most
    FROM (SELECT *, min(kind) OVER same < max(kind) OVER same AS several_kinds FROM listed WINDOW same AS (PARTITION BY object))
    WHERE is_row
    UNION ALL
    SELECT 11, NULL, count(*) || CASE WHEN :by IN ('type', 'wrapper') THEN ' more' WHEN count(*) = 1 THEN ' more object' ELSE ' more objects' END, sum(c.samples), NULL, NULL, NULL, NULL, sum(c.claim),
      share_low((sum(c.claim) * max(r.whole) / 100), max(r.whole), max(r.whole_sq)), share_high((sum(c.claim) * max(r.whole) / 100), max(r.whole), max(r.whole_sq)), NULL
    FROM listed AS c, run AS r
    WHERE NOT c.is_row
    HAVING sum(c.claim) >= 0.05 OR (count(*) > 0 AND sum(c.claim) IS NULL)
  ),
  lines AS (
    SELECT b.first_id AS object_id, 100.0 * total(l.period) / sum(t.cost) AS pct
    FROM member AS b
    JOIN totals AS t ON t.scope = 'object' AND t.object_id = b.id AND t.cost > 0
    LEFT JOIN (
      SELECT c.object_id AS object_id, sum(c.period) AS period
      FROM kind_totals AS c
      JOIN kind_measures AS m ON m.id = c.kind_id AND m.cost = 'period'
      JOIN access_kinds AS k ON k.id = c.kind_id AND k.time_kind = 10
      WHERE c.scope = 'object'
      GROUP BY c.object_id
    ) AS l ON l.object_id = b.id
    GROUP BY b.first_id
  ),
  homes AS (
    SELECT object_id, group_concat(node_id, ',') AS nodes
    FROM (
      SELECT b.first_id AS object_id, a.home_node_id AS node_id, 1.0 * sum(a.estimate) / sum(sum(a.estimate)) OVER (PARTITION BY b.first_id) AS share
      FROM access_matrix AS a
      JOIN member AS b ON b.id = a.object_id
      WHERE a.scope = 'object' AND a.home_node_id IS NOT NULL AND (SELECT nodes FROM run) > 1
      GROUP BY b.first_id, a.home_node_id
      ORDER BY b.first_id, a.home_node_id
    )
    WHERE share >= 0.05
    GROUP BY object_id
  ),
  sizes AS (
    SELECT b.first_id AS object_id, min(o.kind) AS kind, sum(o.size_bytes) AS size_bytes, max(o.estimated) AS estimated
    FROM member AS b
    JOIN objects AS o ON o.id = b.id
    GROUP BY b.first_id
  ),
  patterns AS (
    SELECT b.first_id AS object_id, min(p.pattern) AS pattern
    FROM member AS b
    JOIN object_patterns AS p ON p.object_id = b.id
    GROUP BY b.first_id
    HAVING min(p.pattern) = max(p.pattern)
  ),
  placed AS ( -- with max(weight), SQLite takes the other columns, function and line, from the row with the maximum. Code of libraries, such as memset in a thread whose callers are not known, helps only if the program's own code placed little
    SELECT object_id, function, file, line, max(weight)
    FROM (
      SELECT b.first_id AS object_id, t.function AS function, t.file AS file, t.line AS line, sum(t.bytes * iif(t.location_id IS NULL OR library_code(t.file, d), 1, 4)) AS weight
      FROM first_touches AS t
      JOIN member AS b ON b.id = t.object_id
      LEFT JOIN locations AS l ON l.id = t.location_id
      LEFT JOIN dsos AS d ON d.id = l.dso_id
      GROUP BY b.first_id, t.function, t.file, t.line
    )
    GROUP BY object_id
  ),
  faults AS (
    SELECT c.object_id AS object_id, sum(c.samples) AS faults, sum(iif(o.name = 'Load', 0, c.samples)) AS writes
    FROM fault_cells AS c
    JOIN access_kinds AS k ON k.id = c.kind_id
    LEFT JOIN memory_opcodes AS o ON o.id = k.memory_opcode
    GROUP BY c.object_id
  ),
  stores AS (
    SELECT DISTINCT c.object_id AS object_id
    FROM kind_totals AS c
    JOIN access_kinds AS k ON k.id = c.kind_id
    JOIN memory_opcodes AS o ON o.id = k.memory_opcode AND o.name <> 'Load'
    WHERE c.scope = 'object'
  ),
  unplaced AS ( -- why an object has no first touch; not known if page faults are missing
    SELECT
      b.first_id AS object_id,
      CASE
        WHEN count(f.faults) = 0 THEN iif(min(o.kind IN ('heap', 'stack') AND o.name NOT LIKE '[%'), '(no page fault)', NULL)
        WHEN sum(f.writes) = 0 AND count(w.object_id) = 0 AND min(o.kind <> 'mapping') THEN '(only read)'
      END AS reason
    FROM member AS b
    JOIN objects AS o ON o.id = b.id
    LEFT JOIN faults AS f ON f.object_id = b.id
    LEFT JOIN stores AS w ON w.object_id = b.id
    WHERE EXISTS (SELECT 1 FROM fault_cells) AND NOT EXISTS (SELECT 1 FROM losses WHERE source = 'faults')
    GROUP BY b.first_id
  ),
  hint AS ( -- all hints of an object, the one to try first in front
    SELECT b.first_id AS object_id, min(h.hints) AS hint
    FROM member AS b
    LEFT JOIN (
      SELECT object_id, group_concat(hint, ', ') AS hints
      FROM (SELECT object_id, hint, min(priority) AS priority FROM object_hints GROUP BY object_id, hint ORDER BY object_id, 3)
      GROUP BY object_id
    ) AS h ON h.object_id = b.id
    GROUP BY b.first_id
    HAVING min(coalesce(h.hints, '')) = max(coalesce(h.hints, ''))
  )
SELECT
  c.object_id AS id,
  iif(c.pct IS NULL OR r.unit IS NULL, NULL, printf('%.1f %%', c.pct)) AS cost,
  iif(c.pct IS NULL OR r.unit IS NOT NULL, NULL, printf('%.1f %%', c.pct)) AS accesses,
  iif(c.pct IS NULL, NULL, interval_text(c.low, c.high)) AS "95 %",
  iif(c.pct IS NULL OR r.unit IS NOT 'period', NULL, printf('%.1f %%', c.pct * r.whole / r.thread_time)) AS "of time",
  iif(c.pct IS NOT NULL AND c.most IS NOT NULL, printf('%.1f %%', c.most), NULL) AS "at most",
  iif(c.pct > 0 AND s.pct >= 5, printf('%.0f %%', s.pct), NULL) AS shared,
  iif(has_counts(), short_count(c.samples), NULL) AS counted,
  iif((c.pct IS NULL OR r.nodes <= 1) AND NOT has_counts(), c.samples, NULL) AS samples, -- NULL, which hides the column, if the columns of cost and of nodes need the space
  iif(c.remote_pct IS NOT NULL, printf('%.0f-%.0f %%', c.remote_low_pct, c.remote_high_pct), NULL) AS remote,
  h.nodes AS nodes,
  nullif(c.threads, 0) AS threads, -- NULL if no thread is known
  iif(max(p.pattern <> 'cannot tell') OVER (), p.pattern, NULL) AS pattern, -- NULL, which hides the column, if there is none that is known
  iif(o.kind = 'heap' OR o.size_bytes > 0, iif(o.estimated, '~', '') || short_bytes(o.size_bytes), NULL) AS size,
  c.object AS object,
  w.site AS site,
  coalesce(nullif(trim(coalesce(nullif(base_code(f.function), '[unknown]'), '') || coalesce(' ' || file_name(f.file) || ':' || f.line, '')), ''), u.reason) AS "placed by",
  a.hint AS hint
FROM shown AS c
CROSS JOIN run AS r
LEFT JOIN different AS w ON w.id = c.object_id
LEFT JOIN lines AS s ON s.object_id = c.object_id
LEFT JOIN homes AS h ON h.object_id = c.object_id
LEFT JOIN sizes AS o ON o.object_id = c.object_id
LEFT JOIN patterns AS p ON p.object_id = c.object_id
LEFT JOIN placed AS f ON f.object_id = c.object_id
LEFT JOIN unplaced AS u ON u.object_id = c.object_id
LEFT JOIN hint AS a ON a.object_id = c.object_id
ORDER BY c.place;
