-- SPDX-License-Identifier: GPL-2.0-or-later
-- Rebuilds allocation_cells from the samples.
DELETE FROM allocation_cells;
INSERT INTO allocation_cells (
  allocation_id, kind_id, samples, period, period_sq, weighted, weighted_period, latency, latency_sq
)
SELECT
  allocation_id, kind_id, count(*), sum(period), sum(1.0 * period * period), sum(coalesce(weight, 0) > 0),
  sum(period * (coalesce(weight, 0) > 0)), total(1.0 * weight * period), total(1.0 * weight * period * weight * period)
FROM sample_data
WHERE allocation_id IS NOT NULL
GROUP BY allocation_id, kind_id;
