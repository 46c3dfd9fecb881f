-- SPDX-License-Identifier: GPL-2.0-or-later
-- Rebuilds sample_cells from the samples.
DELETE FROM sample_cells;
INSERT INTO sample_cells (instruction_id, kind_id, thread_id, object_id, samples, period, weighted, weight)
SELECT instruction_id, kind_id, thread_id, object_id, count(*), sum(period), count(nullif(weight, 0)), coalesce(sum(weight), 0)
FROM sample_data
GROUP BY instruction_id, kind_id, thread_id, object_id;
