-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   coverage
-- summary: Number of samples with a known address, wait, object, name, type, member, function, line and home, and the reasons why the others have none.
-- column:  question  the property of a sample; wait: whether the thread waited for an access in a timer sample, and whether the address of this access is known
-- column:  answer    source of the property, or the reason why the samples do not have it
-- column:  known     1: the samples have the property
-- column:  samples   number of samples
-- column:  pct       share of all samples, 0-100; wait: share of the timer samples; name, type, member: share of the samples with an object
-- column:  low       lower end of the 95 % interval of pct
-- column:  high      upper end of the 95 % interval of pct
-- column:  estimate_pct share of what the samples represent (Σ period), 0-100
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
