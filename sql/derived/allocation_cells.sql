-- SPDX-License-Identifier: GPL-2.0-or-later
-- Rebuilds allocation_cells from the samples.
DELETE FROM allocation_cells;
INSERT INTO allocation_cells (
  allocation_id, evsel_id, addr_source, samples, period, period_sq, weighted, weighted_period, latency, latency_sq
)
SELECT
  s.allocation_id, k.evsel_id, k.addr_source, count(*), sum(s.period), sum(1.0 * s.period * s.period), sum(coalesce(s.weight, 0) > 0),
  sum(s.period * (coalesce(s.weight, 0) > 0)), total(1.0 * s.weight * s.period), total(1.0 * s.weight * s.period * s.weight * s.period)
FROM sample_data AS s
JOIN access_kinds AS k ON k.id = s.kind_id
WHERE s.allocation_id IS NOT NULL
GROUP BY s.allocation_id, k.evsel_id, k.addr_source;
