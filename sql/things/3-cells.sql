-- SPDX-License-Identifier: GPL-2.0-or-later
-- What is summed by thing.
SELECT instruction_id, kind_id, thread_id, object_id, samples, period, weighted, weight
FROM sample_cells;
