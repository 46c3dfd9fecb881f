-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns all rows of sample_cells, from which the table totals is computed.
SELECT instruction_id, kind_id, thread_id, object_id, samples, period, period_sq, weighted, weighted_period, latency, latency_sq
FROM sample_cells;
