-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   coverage
-- summary: Number of samples with a known address, wait, object, name, type, member, function, line and home, and the reasons why the others have none.
-- column:  question  the property; wait: whether a timer sample waited for an access, and whether its address is known
-- column:  answer    source of the property, or the reason why the samples do not have it
-- column:  known     1: the samples have the property
-- column:  samples   number of samples
-- column:  pct       share of all samples, 0-100 (wait: of the timer samples; name, type, member: of the samples with an object)
-- column:  low       lower end of the 95 % interval of pct
-- column:  high      upper end of the 95 % interval of pct
-- column:  estimate_pct share by what the samples represent (Σ period), 0-100
SELECT
  question,
  answer,
  known,
  samples,
  round(samples_pct, 2) AS pct,
  round(low_pct, 2) AS low,
  round(high_pct, 2) AS high,
  round(estimate_pct, 2) AS estimate_pct
FROM coverage;
