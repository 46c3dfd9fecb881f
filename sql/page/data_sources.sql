-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   data_sources
-- summary: What served the accesses, according to the hardware: cache level or memory, TLB (hardware samplers).
-- keep:    2000 rows at most
SELECT
  scope AS scope,                   -- kind of the row: "run", "object"; select one
  object_id AS object_id,           -- object: objects.object_id
  question AS question,             -- "level", "snoop", "tlb", "lock", "blocked"
  answer AS answer,                 -- the hardware's answer
  samples AS samples,               -- number of samples
  share_pct AS share_pct,           -- share of the samples that have an answer, 0-100
  share_low_pct AS share_low_pct,   -- lower bound of the share of all samples, including those without an answer
  share_high_pct AS share_high_pct, -- upper bound of the share of all samples, including those without an answer
  known_pct AS known_pct,           -- coverage: share of samples that have an answer, 0-100
  latency_avg AS latency_avg        -- mean latency of these samples, core cycles
FROM data_sources
WHERE scope IN ('run', 'object')
ORDER BY scope = 'run' DESC, estimate DESC, object_id, question, answer;
