-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   coverage
-- summary: How many samples have a known address, wait, object, name, type, member, function, line and home, and why the others have none.
-- keep:    200 rows at most
SELECT
  question AS question,       -- "address", "wait", "object", "name", "type", "member", "function", "line", "home"
  answer AS answer,           -- source of the property, or the reason why it is missing
  known AS known,             -- 1: the samples have the property
  samples AS samples,         -- number of samples
  samples_pct AS samples_pct, -- share of all samples, 0-100 (name, type, member: of those with an object)
  low_pct AS low_pct,         -- lower end of the 95 % interval of samples_pct
  high_pct AS high_pct        -- upper end of the 95 % interval of samples_pct
FROM coverage
ORDER BY question, known DESC, samples DESC, answer;
