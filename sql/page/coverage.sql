-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   coverage
-- summary: How many samples have a known address, wait, object, name, type, member, function, line and home, and why the others have none.
-- keep:    200 rows at most
SELECT
  question AS question,       -- the property in question: "address", "wait", "object", "name", "type", "member", "function", "line" or "home"
  answer AS answer,           -- how the property became known, or why it is missing
  known AS known,             -- 1: the property of these samples is known, 0: it is not
  samples AS samples,         -- number of samples with this answer
  samples_pct AS samples_pct, -- share of all samples, 0-100; for "wait", share of the timer samples; for "name", "type" and "member", share of the samples with an object
  low_pct AS low_pct,         -- lower end of the 95 % interval of samples_pct
  high_pct AS high_pct        -- upper end of the 95 % interval of samples_pct
FROM coverage
ORDER BY question, known DESC, samples DESC, answer;
