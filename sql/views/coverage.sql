-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW coverage AS
-- view:    coverage
-- summary: Number of samples with a known address, wait, object, name, type, member, function, line and home, and the reasons why the others have none.
-- grain:   one row per question and answer
-- note:    all samples have equal weight here; in other views, home_pct is a share of the addressed samples by their periods
-- note:    question "address": known for samples with a data address. A sample in a page fault does not count, because it is not an access
-- note:    question "object": known for samples of a known object, even if the address is lost (addr_source 9). A sample in a page fault does not
--          count, although its page has an object and a home. `memdb report` and the page print the shares for "address" and "object"
-- note:    question "wait": how memdb knows for which access a timer sample waited: a name in addr_sources, or one of these answers.
--          "address lost": the access is not known, so its cost counts for the code, not for an object. "cached": the access is expected to hit
--          the first-level cache. "synchronisation": a fence, or a wait for another thread. "atomic": an atomic operation that did not wait.
--          "kernel": in the kernel, or right after a system call. "something else": the thread did not wait for memory, or that is uncertain; the
--          sample has no cost
-- note:    question "name": "variable", "file", "section" (data of a file that no variable covers), or what the object is named after because
--          no variable is known
-- note:    question "type": how the type was found, as in objects.type_source
-- note:    question "member": counts drawn samples that are not in a page fault
WITH
  kinds AS (
    SELECT
      c.samples AS samples, c.period AS estimate,
      coalesce(r.name, s.name, 'unknown') AS address, m.addressed AND k.addr_source <> 9 AS has_address,
      m.timed AS timed,
      CASE WHEN m.waits THEN s.name WHEN k.missed = 0 AND k.time_kind IN (4, 6, 7) THEN 'synchronisation' WHEN k.missed = 0 AND k.time_kind = 5 THEN 'atomic'
        WHEN k.missed = 0 AND k.time_kind = 9 THEN 'kernel'
        WHEN k.missed = 0 THEN 'cached' WHEN k.waited = 1 THEN 'address lost'
        WHEN k.waited = 0 THEN 'something else' ELSE coalesce(r.name, 'unknown') END AS wait,
      m.waits AS has_wait,
      iif(m.addressed AND k.addr_source <> 9, coalesce(h.name, 'unknown'), 'no-address') AS home,
      m.addressed AND k.addr_source <> 9 AND k.home_node_id IS NOT NULL AS has_home
    FROM kind_totals AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    LEFT JOIN addr_sources AS s ON s.id = k.addr_source
    LEFT JOIN addr_reasons AS r ON r.id = k.addr_reason
    LEFT JOIN home_sources AS h ON h.id = k.home_source
    WHERE c.scope = 'run'
  ),
  data AS (
    SELECT
      c.samples AS samples, c.period AS estimate, iif(c.object_id IS NOT NULL AND NOT m.addressed, coalesce(r.name, 'no-address'), coalesce(o.kind, n.name, 'unknown')) AS object,
      c.object_id IS NOT NULL AND m.addressed AS has_object,
      CASE
        WHEN o.name GLOB '[[]frame of *' THEN 'frame'
        WHEN o.name GLOB '[[]stack *' THEN 'stack'
        WHEN o.name GLOB '[[]*' AND o.kind = 'static' THEN 'section'
        WHEN o.name GLOB '[[]*' AND o.kind = 'mapping' THEN 'mapping'
        WHEN o.name GLOB '*+0x[0-9a-f]*' THEN 'code address'
        WHEN (o.kind = 'heap' OR (o.kind = 'mapping' AND o.dso_id IS NULL)) AND o.name GLOB '* (*:[0-9]*)' THEN 'code line'
        ELSE iif(o.kind = 'mapping' AND (o.call_path_id IS NULL OR instr(e.short_name, o.name)), 'file', 'variable')
      END AS name,
      CASE
        WHEN o.type_id IS NOT NULL THEN o.type_source
        WHEN o.kind = 'mapping' THEN 'mapping'
        WHEN o.kind IN ('stack', 'static') AND o.name GLOB '[[]*' THEN 'no variable'
        WHEN coalesce(p.has_lines, e.has_lines) = 0 THEN 'no debug information'
        ELSE 'not stated'
      END AS type,
      o.type_id IS NOT NULL AS has_type
    FROM kind_totals AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    LEFT JOIN objects AS o ON o.id = c.object_id
    LEFT JOIN object_reasons AS n ON n.id = k.object_reason
    LEFT JOIN addr_reasons AS r ON r.id = k.addr_reason
    LEFT JOIN locations AS l ON l.id = o.location_id
    LEFT JOIN dsos AS p ON p.id = l.dso_id
    LEFT JOIN dsos AS e ON e.id = o.dso_id
    WHERE c.scope = 'object'
  ),
  code AS (
    SELECT
      c.samples AS samples, c.estimate AS estimate,
      CASE WHEN i.symbol_id IS NOT NULL THEN 'symbol' WHEN d.id IS NULL THEN 'no mapping'
        WHEN d.state IS NULL OR d.state = 'ok' THEN 'no symbol here' ELSE d.state END AS function,
      i.symbol_id IS NOT NULL AS has_function,
      CASE WHEN l.line IS NOT NULL THEN 'source line' WHEN d.id IS NULL THEN 'no mapping' WHEN d.has_lines THEN 'no line here'
        WHEN d.state IS NULL OR d.state = 'ok' THEN 'no debug information' ELSE d.state END AS line,
      l.line IS NOT NULL AS has_line
    FROM (
      SELECT c.instruction_id AS instruction_id, sum(iif(has_counts(), c.period, c.samples)) AS samples, sum(c.period) AS estimate
      FROM sample_cells AS c
      CROSS JOIN kind_measures AS m ON m.id = c.kind_id
      GROUP BY c.instruction_id
    ) AS c
    LEFT JOIN instructions AS i ON i.id = c.instruction_id
    LEFT JOIN dsos AS d ON d.id = i.dso_id
    LEFT JOIN locations AS l ON l.id = i.location_id
  ),
  parts AS (
    SELECT
      sum(s.accesses) AS samples, sum(s.estimate) AS estimate,
      CASE
        WHEN o.type_id IS NULL THEN 'no type'
        WHEN s.object_offset IS NULL THEN 'address lost'
        WHEN s.addr_source = 10 THEN 'nearby'
        WHEN s.member_id IS NULL THEN 'outside the element'
        WHEN b.name IS NULL THEN 'hole'
        WHEN b.name = '' THEN 'scalar'
        ELSE 'member'
      END AS member,
      coalesce(b.name IS NOT NULL, 0) AS has_member
    FROM drawn_samples AS s
    JOIN objects AS o ON o.id = s.object_id
    LEFT JOIN members AS b ON b.id = s.member_id
    GROUP BY 3, 4
  ),
  answers AS (
    SELECT 1 AS place, 'address' AS question, address AS answer, has_address AS known, samples, estimate FROM kinds
    UNION ALL SELECT 2, 'wait', wait, has_wait, samples, estimate FROM kinds WHERE timed
    UNION ALL SELECT 3, 'object', object, has_object, samples, estimate FROM data
    UNION ALL SELECT 4, 'name', name, name IN ('variable', 'file', 'section'), samples, estimate FROM data WHERE has_object
    UNION ALL SELECT 5, 'type', type, has_type, samples, estimate FROM data WHERE has_object
    UNION ALL SELECT 6, 'member', member, has_member, samples, estimate FROM parts
    UNION ALL SELECT 7, 'function', function, has_function, samples, estimate FROM code
    UNION ALL SELECT 8, 'line', line, has_line, samples, estimate FROM code
    UNION ALL SELECT 9, 'home', home, has_home, samples, estimate FROM kinds
  ),
  counts AS (
    SELECT place, question, answer, known, sum(samples) AS k, sum(estimate) AS estimate FROM answers GROUP BY place, question, answer, known
  ),
  shares AS (
    SELECT *, sum(k) OVER (PARTITION BY place) AS n, total(estimate) OVER (PARTITION BY place) AS estimates FROM counts
  )
SELECT
  question AS question, -- the property in question: "address", "wait" (timer samples only), "object", "name", "type", "member", "function", "line" or "home"
  answer AS answer, -- how the property became known or, if known is 0, why it is not known
  coalesce(known, 0) AS known, -- 1: the property of these samples is known, 0: it is not
  k AS samples, -- number of samples with this answer
  100.0 * k / n AS samples_pct, -- share of all samples, 0-100; for "wait", share of the timer samples; for "name", "type" and "member", share of the samples with an object
  iif(has_counts(), 100.0 * k / n, wilson_low(k, n)) AS low_pct, -- lower end of the 95 % Wilson interval of samples_pct
  iif(has_counts(), 100.0 * k / n, wilson_high(k, n)) AS high_pct, -- upper end of the 95 % Wilson interval of samples_pct
  100.0 * estimate / nullif(estimates, 0) AS estimate_pct -- share by what the samples represent (sum of their periods), 0-100
FROM shares
ORDER BY place, known DESC, k DESC, answer;
