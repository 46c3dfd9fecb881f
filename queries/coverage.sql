-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   coverage
-- summary: How many samples have an address, a wait, an object, a function, a line, a home, and why the rest have not.
-- column:  question  what was asked; wait: whether the timer's sample has the cost of an access, and its address
-- column:  answer    where it comes from, or why it is missing
-- column:  known     1: the sample has it
-- column:  samples   samples
-- column:  pct       share of all samples (wait: of the timer's), 0-100
-- column:  low       lower end of its 95 % interval
-- column:  high      upper end
SELECT
  question,
  answer,
  known,
  samples,
  round(samples_pct, 2) AS pct,
  round(low_pct, 2) AS low,
  round(high_pct, 2) AS high
FROM coverage;
