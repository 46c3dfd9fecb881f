-- SPDX-License-Identifier: GPL-2.0-or-later
-- Rebuilds allocation_cells from the samples.
DELETE FROM allocation_cells;
INSERT INTO allocation_cells (allocation_id, evsel_id, addr_source, samples, period, weighted, weight)
SELECT s.allocation_id, k.evsel_id, k.addr_source, count(*), sum(s.period), count(nullif(s.weight, 0)), coalesce(sum(s.weight), 0)
FROM sample_data AS s
JOIN access_kinds AS k ON k.id = s.kind_id
WHERE s.allocation_id IS NOT NULL
GROUP BY s.allocation_id, k.evsel_id, k.addr_source;
