-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW data_sources AS
-- view:    data_sources
-- summary: Data sources of accesses, as the hardware reports them: cache level or memory, snoop, TLB, lock, delay.
-- grain:   one row for each combination of scope ("run", "function", "line", "object", "thread"), member of the scope, question and answer of
--          the hardware. Select one scope and one question, because the rows of each scope and of each question cover all samples
-- source:  Helm & Taura 2017, listing 2
-- note:    no rows with the timer, which does not record data sources
WITH
  questions (question) AS (VALUES ('level'), ('snoop'), ('tlb'), ('lock'), ('blocked')),
  answers AS ( -- the answer to each question for each kind of access (access_kinds); NULL: the hardware did not answer. Questions that the sampler never answers are left out
    SELECT k.id AS kind_id, q.question AS question,
      CASE q.question
        WHEN 'level' THEN l.name WHEN 'snoop' THEN s.name WHEN 'tlb' THEN t.name WHEN 'lock' THEN c.name ELSE b.name
      END AS answer
    FROM access_kinds AS k
    CROSS JOIN questions AS q
    LEFT JOIN memory_levels AS l ON l.id = k.memory_level
    LEFT JOIN memory_snoop AS s ON s.id = k.memory_snoop
    LEFT JOIN memory_dtlb AS t ON t.id = k.memory_dtlb
    LEFT JOIN memory_lock AS c ON c.id = k.memory_lock
    LEFT JOIN memory_blocked AS b ON b.id = k.memory_blocked
    WHERE EXISTS (SELECT 1 FROM access_kinds WHERE coalesce(memory_level, memory_snoop, memory_dtlb, memory_lock, memory_blocked) IS NOT NULL)
  ),
  part AS (
    SELECT
      c.scope AS scope, c.instruction_id AS instruction_id, c.object_id AS object_id, c.thread_id AS thread_id, a.question AS question,
      a.answer AS answer, sum(c.samples) AS samples, sum(c.period) AS estimate, sum(c.period_sq) AS estimate_sq,
      sum(c.weighted * m.measured) AS measured, sum(c.weighted_period * m.measured) AS weighted_period, sum(c.latency * m.measured) AS latency
    FROM kind_totals AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    JOIN answers AS a ON a.kind_id = c.kind_id
    WHERE m.addressed
    GROUP BY 1, 2, 3, 4, 5, 6
  ),
  share AS (
    SELECT *, sum(estimate) OVER w AS n, sum(estimate_sq) OVER w AS sq, sum(iif(answer IS NOT NULL, estimate, 0)) OVER w AS known
    FROM part
    WINDOW w AS (PARTITION BY scope, instruction_id, object_id, thread_id, question)
  )
SELECT
  p.scope AS scope,                   -- what the row is about: "run", "function", "line", "object" or "thread"; select one scope, because the rows of each scope cover all samples
  iif(p.instruction_id IS NULL, NULL, code_name(coalesce(l.function, s.name), d.short_name)) AS function, -- for scopes "function" and "line": function of the innermost frame; the symbol if there is no debug information; [file] if there is no symbol
  iif(p.scope = 'function', s.name, NULL) AS symbol, -- for scope "function": the symbol that contains the function
  iif(p.scope = 'line', f.path, NULL) AS file, -- for scope "line": source file
  iif(p.scope = 'line', l.line, NULL) AS line, -- for scope "line": source line
  p.object_id AS object_id,           -- for scope "object": objects.id; NULL: samples without an object
  p.thread_id AS thread_id,           -- for scope "thread": threads.id
  p.question AS question,             -- what the hardware reports about an access: "level" (what served it), "snoop", "tlb", "lock" or "blocked" (what delayed it)
  p.answer AS answer,                 -- the hardware's answer: a name in the table memory_levels, memory_snoop, memory_dtlb, memory_lock or memory_blocked
  p.samples AS samples,               -- number of addressed samples with this answer
  p.estimate AS estimate,             -- what these samples represent (sum of their periods): a number of accesses
  100.0 * p.estimate / p.known AS share_pct, -- share of what the samples with an answer to the question represent (sum of their periods), 0-100
  share_low(p.estimate, p.n, p.sq) AS share_low_pct, -- lower bound of the share of all samples: samples without an answer do not count in this row; lower end of the 95 % interval
  share_high((p.estimate + p.n - p.known), p.n, p.sq) AS share_high_pct, -- upper bound of the share of all samples: all samples without an answer count in this row; upper end of the 95 % interval
  100.0 * p.known / p.n AS known_pct, -- coverage of share_pct: share of the addressed samples that have an answer, 0-100
  p.measured AS measured,             -- number of these samples that have a latency
  p.latency / nullif(p.weighted_period, 0) AS latency_avg, -- mean latency of the samples in measured, core cycles; NULL: there are none
  p.latency AS cost                   -- sum of latency × period over the samples that `measured` counts, core cycles
FROM share AS p
LEFT JOIN instructions AS i ON i.id = p.instruction_id
LEFT JOIN locations AS l ON l.id = i.location_id
LEFT JOIN symbols AS s ON s.id = i.symbol_id
LEFT JOIN dsos AS d ON d.id = i.dso_id
LEFT JOIN files AS f ON f.id = l.file_id
WHERE p.answer IS NOT NULL;
