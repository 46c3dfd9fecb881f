-- SPDX-License-Identifier: GPL-2.0-or-later
-- What one sample stands for, and how samples are drawn.

-- Returns the cost of sample S, whose row of kind_measures is M, in the unit of run_costs; 0: no cost, or not measured.
sample_cost(M, S) := CASE M.cost WHEN 'period' THEN 1.0 * S.period WHEN 'latency' THEN 1.0 * coalesce(S.weight, 0) * S.period ELSE 0.0 END

-- Draws one of each `step` successive samples: groups of samples, each with a random number that chooses one of them. E is a table with one row, whose
-- column n is the number of samples. No row or n = 0: draws none. The result has the columns id and one_in.
draw_samples(E) := (
    WITH RECURSIVE
      drawn (before, step, last, random) AS (
        SELECT 0, (n + 32767) / 32768, n, 48271 FROM E WHERE n > 0
        UNION ALL
        SELECT before + step, step, last, random * 48271 % 2147483647 FROM drawn WHERE before + step < last
      )
    SELECT before + 1 + random % step AS id, step AS one_in FROM drawn
  )

-- Returns the columns of S, a row of sample_data, that drawn_data has.
drawn_columns(S) := S.id, S.time, S.thread_id, S.cpu, S.instruction_id, S.kind_id, S.call_path_id, S.address, S.object_id, S.allocation_id, S.object_offset, S.period, S.weight

-- Returns the number of observed accesses that D, a row of drawn_samples, represents: its number of accesses if it is a count that is always
-- drawn, otherwise 1.
observed_accesses(D) := iif(D.estimate_sq = 0, D.estimate, 1)
