-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW numa_verdicts AS
-- view:    numa_verdicts
-- summary: Whether remote memory is worth fixing: for the run, each function and each line.
-- grain:   one row for each combination of scope ("run", "function", "line"), member of the scope, measure and remote_by; no rows on a machine with one node
-- source:  cycles per instruction: lpi_NUMA of Liu & Mellor-Crummey 2014, 4.2: eq. 2 (IBS: Σ latency of remote samples / sampled
--          instructions), eq. 3 (PEBS: mean latency of remote samples × Σ period of remote samples / Σ period of instruction samples),
--          computed for each event and then summed; threshold 0.1 from the same paper. Interval: Brown, Cai & DasGupta 2003 (a
--          Poisson count). Share of thread time (timer, cycles): Σ period of remote waits / Σ period of all; threshold 5 %
-- note:    low and high are a range: low counts accesses that are known to be remote, high also counts accesses with an unknown node, and
--          both are ends of a 95 % interval
-- note:    "worth it": low is above the threshold. "not worth it": high is not. "cannot tell, because …": neither is true; or high is above the
--          threshold, but less than 50 % is known or there are fewer than 50 samples; or fewer than 50 samples have a latency
-- note:    if no sample is remote, up to 3.8 remote samples may have been missed by chance (95 %). Then high is their cost, if each has the latency of
--          the slowest sampled level times the largest node distance relative to local memory
-- note:    the cycles are divided by the number of instructions of the function or line. IBS samples operations instead, of which an instruction
--          may have several. Accesses without a latency (stores of PEBS) have no cost here. Objects and threads have no instructions and no
--          verdict; see remote_cost_pct in object_costs and thread_costs
-- note:    IBS samples operations with and without an access. If only those with an access are there, as in a selection of samples, their
--          number is no divisor: "cannot tell"
-- note:    remote_by "home": the page is on a different node than the CPU, as in the paper; "hardware": a different node served the access,
--          so remote data that a near cache served is not remote
WITH
  run AS MATERIALIZED run_totals(),
  method AS ( -- number of the paper's equation: 2 with IBS, which itself samples operations; else 3, which needs an event that counts instructions
    SELECT CASE
      WHEN EXISTS (SELECT 1 FROM selected_events WHERE name LIKE 'ibs_op%') THEN 2
      WHEN EXISTS (SELECT 1 FROM selected_events AS e JOIN access_kinds AS k ON k.evsel_id = e.id WHERE e.role = 'instructions') THEN 3
      WHEN EXISTS (SELECT 1 FROM operation_cells) THEN 2
      ELSE 3
    END AS equation
  ),
  code AS MATERIALIZED ( -- for each instruction, the keys of its function and line: the key is the smallest instruction id in the function or line
    SELECT
      i.id AS id, min(i.id) OVER (PARTITION BY i.name, i.symbol_id, i.dso_id) AS function,
      min(i.id) OVER (PARTITION BY i.name, i.file_id, i.line) AS line
    FROM (
      SELECT n.id AS id, n.symbol_id AS symbol_id, n.dso_id AS dso_id, l.file_id AS file_id, l.line AS line,
        code_name(coalesce(l.function, s.name), d.short_name) AS name
      FROM instructions AS n
      LEFT JOIN locations AS l ON l.id = n.location_id
      LEFT JOIN symbols AS s ON s.id = n.symbol_id
      LEFT JOIN dsos AS d ON d.id = n.dso_id
    ) AS i
  ),
  counted AS ( -- n: how many instructions (IBS: operations) the samples of each function and line represent
    SELECT c.scope AS scope, c.instruction_id AS instruction_id, c.period AS n
    FROM method AS m
    CROSS JOIN kind_totals AS c
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    CROSS JOIN selected_events AS e ON e.id = k.evsel_id
    WHERE c.scope IN ('run', 'function', 'line') AND e.role = iif(m.equation = 3, 'instructions', 'access')
      AND (m.equation = 3 OR EXISTS (SELECT 1 FROM operation_cells)) -- n is unknown if only accesses are there
    UNION ALL
    SELECT 'run', NULL, c.period FROM method AS m CROSS JOIN operation_cells AS c WHERE m.equation = 2
    UNION ALL
    SELECT 'function', i.function, c.period
    FROM method AS m CROSS JOIN operation_cells AS c JOIN code AS i ON i.id = c.instruction_id
    WHERE m.equation = 2
    UNION ALL
    SELECT 'line', i.line, c.period
    FROM method AS m CROSS JOIN operation_cells AS c JOIN code AS i ON i.id = c.instruction_id
    WHERE m.equation = 2
  ),
  instructions_of AS MATERIALIZED (
    SELECT scope, instruction_id, sum(n) AS n FROM counted GROUP BY scope, instruction_id
  ),
  ways (remote_by) AS (VALUES ('home'), ('hardware')),
  access AS ( -- sums over the samples of the run, of each function and of each line, for each event and value of `remote` (1, 0; NULL: not known)
    SELECT
      c.scope AS scope, c.instruction_id AS instruction_id, w.remote_by AS remote_by, k.evsel_id AS evsel_id,
      iif(w.remote_by = 'home', k.home_node_id <> k.cpu_node_id, k.remote = 1) AS remote,
      sum(c.samples) AS samples, sum(c.weighted) AS measured, sum(c.period) AS period, sum(c.weighted_period) AS weighted_period,
      sum(c.latency) AS latency, sum(c.latency_sq) AS latency_sq
    FROM ways AS w
    CROSS JOIN kind_totals AS c
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    CROSS JOIN selected_events AS e ON e.id = k.evsel_id
    WHERE c.scope IN ('run', 'function', 'line') AND e.role = 'access' AND k.addr_source = 1
    GROUP BY 1, 2, 3, 4, 5
  ),
  scaled AS ( -- factor: in eq. 3, accesses whose latency was not recorded are taken to have the mean latency of the others
    SELECT *, iif(equation = 2, 1.0, period / nullif(weighted_period, 0)) AS factor FROM access CROSS JOIN method
  ),
  slowest AS ( -- assumed latency of a remote access if no remote access was sampled: the mean latency of the slowest sampled cache or memory level, times the largest node distance relative to local memory (10), or times 2 if no distances are known
    SELECT max(l.latency) * coalesce((SELECT max(distance) / 10.0 FROM node_distances), 2) AS latency
    FROM (
      SELECT sum(c.latency) / sum(c.weighted_period) AS latency
      FROM kind_totals AS c
      JOIN access_kinds AS k ON k.id = c.kind_id
      JOIN selected_events AS e ON e.id = k.evsel_id
      WHERE c.scope = 'run' AND e.role = 'access' AND k.addr_source = 1 AND c.weighted > 0
      GROUP BY k.evsel_id, k.memory_level
    ) AS l
  ),
  latency AS ( -- unit: latency that one remote sample adds to the sum. least_unit: the latency that it is assumed to add if there is no remote sample
    SELECT
      scope, instruction_id, remote_by, equation, sum(measured) AS samples, total(iif(remote, measured, 0)) AS remote,
      total(iif(remote, latency, 0)) / nullif(total(iif(remote, weighted_period, 0)), 0) AS latency_avg,
      total(iif(remote, latency * factor, 0)) AS known_remote, total(iif(coalesce(remote, 1), latency * factor, 0)) AS may_be_remote,
      max(total(latency_sq * factor * factor) / nullif(total(latency * factor), 0),
        coalesce(total(iif(remote, latency_sq * factor * factor, 0)) / nullif(total(iif(remote, latency * factor, 0)), 0), 0)) AS unit,
      (SELECT latency FROM slowest) * total(weighted_period * factor) / nullif(sum(measured), 0) AS least_unit,
      100.0 * total(iif(remote IS NULL, 0, weighted_period)) / nullif(sum(weighted_period), 0) AS known_pct
    FROM scaled
    GROUP BY scope, instruction_id, remote_by, equation
  ),
  measures AS (
    SELECT
      l.scope AS scope, l.instruction_id AS instruction_id, l.remote_by AS remote_by, 'cycles per instruction' AS measure,
      l.equation AS equation, l.samples AS samples, CAST(l.remote AS INTEGER) AS remote, l.latency_avg AS latency_avg, n.n AS instructions,
      iif(l.known_remote = 0, 0.0, l.known_remote / n.n) AS value, iif(l.may_be_remote = 0, 0.0, l.may_be_remote / n.n) AS most,
      iif(l.known_remote = 0, 0.0, sum_low(l.known_remote, 1, l.unit) / n.n) AS low,
      sum_high(l.may_be_remote, 1, iif(l.remote > 0, l.unit, max(l.unit, l.least_unit))) / n.n AS high,
      0.1 AS threshold, l.known_pct AS known_pct, NULL AS dealt_low, NULL AS maybe_local_pct, NULL AS maybe_remote_pct
    FROM latency AS l
    LEFT JOIN instructions_of AS n ON n.scope = l.scope AND n.instruction_id IS l.instruction_id AND n.n > 0
    WHERE l.samples > 0
      AND (l.remote_by = 'home' OR EXISTS (SELECT 1 FROM run WHERE hw_local + hw_remote > 0))
    UNION ALL
    SELECT
      t.scope, t.instruction_id, 'home', 'percent of thread time', NULL, t.waits + t.lost_waits, NULL, NULL, NULL,
      100.0 * t.remote_cost / r.thread_time, 100.0 * (t.cost - t.local_cost + t.lost_cost + t.undecided) / r.thread_time,
      share_low(max(0.0, t.remote_cost - r.maybe_local), r.thread_time, r.thread_time_sq),
      share_high((t.cost - t.local_cost + min(r.maybe_remote, t.local_cost) + t.lost_cost + t.undecided), r.thread_time, r.thread_time_sq), 5.0,
      100.0 * (t.local_cost + t.remote_cost) / nullif(t.cost + t.lost_cost + t.undecided, 0),
      share_low(t.remote_cost, r.thread_time, r.thread_time_sq), 100.0 * min(r.maybe_local, t.remote_cost) / r.thread_time,
      100.0 * min(r.maybe_remote, t.local_cost) / r.thread_time
    FROM totals AS t
    CROSS JOIN run AS r
    WHERE t.scope IN ('run', 'function', 'line') AND r.unit = 'period' AND r.thread_time > 0
      AND (t.scope = 'run' OR t.cost + t.lost_cost > 0)
    UNION ALL
    SELECT 'run', NULL, 'home', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, home_pct, NULL, NULL, NULL FROM run_costs WHERE cost_unit IS NULL
  )
SELECT
  v.scope AS scope,                 -- what the row is about: "run", "function" or "line"; select one scope, because the rows of each scope cover all samples
  iif(v.scope = 'run', NULL, code_name(coalesce(l.function, s.name), d.short_name)) AS function, -- for scopes "function" and "line": function of the innermost frame; the symbol if there is no debug information; [file] if there is no symbol
  iif(v.scope = 'function', s.name, NULL) AS symbol, -- for scope "function": the symbol that contains the function, which may be inlined there
  iif(v.scope = 'line', f.path, NULL) AS file, -- for scope "line": source file
  iif(v.scope = 'line', l.line, NULL) AS line, -- for scope "line": source line
  v.instruction_id AS instruction_id, -- for scopes "function" and "line": instruction_id of the same function or line in function_costs and line_costs
  v.measure AS measure,             -- what value, low, high and threshold are: "cycles per instruction" (latency per instruction, from hardware samples) or "percent of thread time" (from samples of time); NULL: no cost was measured
  v.remote_by AS remote_by,         -- what counts as remote: "home": the page is on a different node than the CPU; "hardware": according to the hardware, a different node served the access
  v.equation AS equation,           -- for "cycles per instruction": number of the equation in the paper: 2 (IBS) or 3 (PEBS)
  v.samples AS samples,             -- number of samples with a latency; for "percent of thread time": number of samples in which a thread waited, even for an access whose address is lost
  v.remote AS remote,               -- for "cycles per instruction": number of remote samples with a latency
  v.latency_avg AS latency_avg,     -- for "cycles per instruction": mean latency of the remote samples, core cycles; NULL: there are none
  v.instructions AS instructions,   -- for "cycles per instruction": the divisor, a number of instructions (IBS: operations); NULL: none were counted
  v.value AS value,                 -- the measure, counting only accesses that are known to be remote
  v.low AS low,                     -- lower end of the 95 % interval of value; for "percent of thread time", waits that may have been for local pages of other objects are left out
  v.high AS high,                   -- upper end of the 95 % interval of the measure if unknown accesses count as remote, too; for "percent of thread time", it includes waits that count as local but may have been for pages of other nodes
  v.threshold AS threshold,         -- value above which remote memory is worth fixing
  v.known_pct AS known_pct,         -- coverage: share of the samples with a latency, or of the waiting time, that is known to be local or remote, 0-100
  CASE
    WHEN v.measure IS NULL THEN 'cannot tell, because the sampler measures no cost'
    WHEN v.high IS NULL THEN iif((SELECT count(*) FROM instructions_of WHERE n > 0) = 0, 'cannot tell, because no instructions were counted', 'cannot tell, because no instructions were counted there')
    WHEN v.samples < 50 AND v.measure = 'cycles per instruction' THEN 'cannot tell, because only ' || v.samples || iif(v.samples = 1, ' sample has a latency', ' samples have a latency')
    WHEN v.high <= v.threshold THEN 'not worth it'
    WHEN v.samples < 50 THEN 'cannot tell, because only ' || v.samples || iif(v.samples = 1, ' sample waited for memory', ' samples waited for memory')
    WHEN coalesce(v.known_pct, 0) < 50 THEN printf('cannot tell, because it is known for only %.0f %% whether they are remote', coalesce(v.known_pct, 0))
    WHEN v.low > v.threshold THEN 'worth it'
    WHEN v.dealt_low > v.threshold THEN printf('cannot tell, because %.0f %% of the thread time counts as waiting for other nodes, but may have been for local memory', v.maybe_local_pct)
    WHEN v.value <= v.threshold AND v.most > v.threshold THEN printf('cannot tell, because it is not known for %.0f %% whether they are remote', 100 - v.known_pct)
    WHEN v.most <= v.threshold AND v.most + v.maybe_remote_pct > v.threshold THEN printf('cannot tell, because %.0f %% of the thread time counts as waiting for local memory, but may have been for other nodes', v.maybe_remote_pct)
    ELSE 'cannot tell, because ' || v.samples || ' samples are too few: run longer, or sample faster'
  END AS verdict                    -- whether remote memory is worth fixing: "worth it" (low is above the threshold), "not worth it" (high is not above it), "cannot tell, because …"
FROM measures AS v
LEFT JOIN instructions AS i ON i.id = v.instruction_id
LEFT JOIN locations AS l ON l.id = i.location_id
LEFT JOIN symbols AS s ON s.id = i.symbol_id
LEFT JOIN dsos AS d ON d.id = i.dso_id
LEFT JOIN files AS f ON f.id = l.file_id
WHERE (SELECT count(*) FROM nodes) <> 1;
