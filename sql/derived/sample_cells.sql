-- SPDX-License-Identifier: GPL-2.0-or-later
-- Rebuilds sample_cells from the samples.
DELETE FROM sample_cells;
INSERT INTO sample_cells (
  instruction_id, kind_id, thread_id, object_id, samples, period, period_sq, weighted, weighted_period, latency, latency_sq
)
SELECT
  instruction_id, kind_id, thread_id, object_id, count(*), sum(period), sum(1.0 * period * period), sum(coalesce(weight, 0) > 0),
  sum(period * (coalesce(weight, 0) > 0)), total(1.0 * weight * period), total(1.0 * weight * period * weight * period)
FROM sample_data
GROUP BY instruction_id, kind_id, thread_id, object_id;
