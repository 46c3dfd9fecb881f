-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   data_sources
-- summary: What served the accesses, according to the hardware: cache level or memory, TLB (hardware samplers).
-- keep:    2000 rows at most
SELECT
  scope AS scope,                   -- what the row is about: "run" or "object"; select one scope, because the rows of each scope cover all samples
  object_id AS object_id,           -- for scope "object": objects.object_id
  question AS question,             -- what the hardware reports about an access: "level" (what served it), "snoop", "tlb", "lock" or "blocked" (what delayed it)
  answer AS answer,                 -- what the hardware reported, such as "L1" for the question "level"
  samples AS samples,               -- number of samples with this answer
  share_pct AS share_pct,           -- share of the samples that have an answer, 0-100
  share_low_pct AS share_low_pct,   -- lower bound of the share of all samples: samples without an answer do not count in this row
  share_high_pct AS share_high_pct, -- upper bound of the share of all samples: all samples without an answer count in this row
  known_pct AS known_pct,           -- coverage of share_pct: share of the samples that have an answer, 0-100
  latency_avg AS latency_avg        -- mean latency of the samples with this answer, core cycles
FROM data_sources
WHERE scope IN ('run', 'object')
ORDER BY scope = 'run' DESC, estimate DESC, object_id, question, answer;
