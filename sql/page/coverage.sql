-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   coverage
-- summary: How many samples have an address, a wait, an object, a function, a line, a home, and why the rest have not.
-- keep:    200
SELECT
  question AS question,       -- "address", "wait", "object", "function", "line", "home"
  answer AS answer,           -- where it comes from, or why it is missing
  known AS known,             -- 1: the sample has it
  samples AS samples,         -- samples (count)
  samples_pct AS samples_pct, -- share of all samples, 0-100
  low_pct AS low_pct,         -- lower end of its 95 % interval
  high_pct AS high_pct        -- upper end
FROM coverage
ORDER BY question, known DESC, samples DESC, answer;
