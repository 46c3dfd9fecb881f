-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    numa_latency
-- summary: Cycles that remote accesses cost for each instruction: lpi_NUMA. Above 0.1 NUMA is worth fixing.
-- grain:   one row per kind of thing ("of": "run", "function", "object"), thing, and what "remote" goes by; with hardware samples and counted instructions only
-- source:  Liu & Mellor-Crummey 2014, 4.2: eq. 2 (IBS: Σ latency of remote samples / sampled instructions), eq. 3 (PEBS: Σ latency of
--          remote samples / remote samples × Σ period of remote samples / Σ period of instruction samples); threshold 0.1: same
-- note:    instructions are those of the function, or of the run for the run and its objects, whose lpi add up to the run's;
--          IBS samples operations, of which an instruction may be several
-- note:    remote "home": the page lives on another node than the CPU, what the paper takes; "hardware": the data source names
--          another node, what is left where caches keep remote data near
-- column:  of              TEXT     "run", "function", "object"
-- column:  symbol_id       INTEGER  function: symbols.id; NULL: no symbol
-- column:  dso_id          INTEGER  function: dsos.id
-- column:  object_id       INTEGER  object: objects.id
-- column:  remote_by       TEXT     "home", "hardware"
-- column:  equation        INTEGER  2 (IBS) or 3 (PEBS)
-- column:  remote          INTEGER  remote accesses with a latency (count)
-- column:  latency_avg     REAL     their mean latency, core cycles; NULL: there are none
-- column:  instructions    INTEGER  eq. 2: sampled operations (count); eq. 3: Σ period of instruction samples
-- column:  lpi             REAL     cycles per instruction
-- column:  worth_fixing    INTEGER  1: lpi is above 0.1, 0: it is not
-- column:  known_pct       REAL     coverage: accesses of which is known whether they are remote, 0-100: the others cost nothing here
CREATE VIEW numa_latency AS
WITH
  method AS ( -- IBS counts its own operations; else an event that counts instructions must have been recorded
    SELECT CASE
      WHEN EXISTS (SELECT 1 FROM selected_events WHERE name LIKE 'ibs_op%') THEN 2
      WHEN EXISTS (SELECT 1 FROM selected_events AS e JOIN access_kinds AS k ON k.evsel_id = e.id WHERE e.role = 'instructions') THEN 3
      WHEN EXISTS (SELECT 1 FROM operation_cells) THEN 2
      ELSE 3
    END AS equation
  ),
  access AS (
    SELECT c.of AS of, i.symbol_id AS symbol_id, i.dso_id AS dso_id, c.object_id AS object_id, c.samples AS samples, c.period AS period,
      c.weight AS weight, c.weighted AS weighted, k.remote = 1 AS hardware, k.home_node_id <> k.cpu_node_id AS home,
      k.addr_source = 1 AS addressed
    FROM thing_cells AS c
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    CROSS JOIN selected_events AS e ON e.id = k.evsel_id
    LEFT JOIN instructions AS i ON i.id = c.instruction_id
    WHERE e.role = 'access'
  ),
  instruction AS (
    SELECT i.symbol_id AS symbol_id, i.dso_id AS dso_id, c.period AS n
    FROM method AS m
    CROSS JOIN thing_cells AS c
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    CROSS JOIN selected_events AS e ON e.id = k.evsel_id
    LEFT JOIN instructions AS i ON i.id = c.instruction_id
    WHERE m.equation = 3 AND c.of = 'function' AND e.role = 'instructions'
    UNION ALL
    SELECT i.symbol_id, i.dso_id, c.samples
    FROM method AS m
    CROSS JOIN operation_cells AS c
    LEFT JOIN instructions AS i ON i.id = c.instruction_id
    WHERE m.equation = 2
    UNION ALL
    SELECT a.symbol_id, a.dso_id, a.samples
    FROM method AS m
    CROSS JOIN access AS a
    WHERE m.equation = 2 AND a.of = 'function'
  ),
  of_function AS (
    SELECT symbol_id, dso_id, sum(n) AS n FROM instruction GROUP BY symbol_id, dso_id
  ),
  of_run AS (
    SELECT sum(n) AS n FROM instruction
  ),
  ways (remote_by) AS (VALUES ('home'), ('hardware')),
  part AS (
    SELECT
      a.of AS of, a.symbol_id AS symbol_id, a.dso_id AS dso_id, a.object_id AS object_id, w.remote_by AS remote_by,
      sum(a.samples) AS accesses,
      sum(iif(iif(w.remote_by = 'home', a.home, a.hardware) IS NULL, 0, a.samples)) AS known,
      sum(a.weighted * iif(w.remote_by = 'home', a.home, a.hardware)) AS weighted,
      sum(a.weight * iif(w.remote_by = 'home', a.home, a.hardware)) AS weight,
      sum(a.period * iif(w.remote_by = 'home', a.home, a.hardware)) AS period
    FROM ways AS w
    CROSS JOIN access AS a
    WHERE (a.of IN ('run', 'function') OR (a.of = 'object' AND a.object_id IS NOT NULL)) AND a.addressed
    GROUP BY 1, 2, 3, 4, 5
  )
SELECT
  p.of AS of,
  p.symbol_id AS symbol_id,
  p.dso_id AS dso_id,
  p.object_id AS object_id,
  p.remote_by AS remote_by,
  m.equation AS equation,
  p.weighted AS remote,
  1.0 * p.weight / p.weighted AS latency_avg,
  iif(p.of = 'function', f.n, r.n) AS instructions,
  iif(m.equation = 2, 1.0 * p.weight, coalesce(1.0 * p.weight / p.weighted * p.period, 0)) / iif(p.of = 'function', f.n, r.n) AS lpi,
  iif(m.equation = 2, 1.0 * p.weight, coalesce(1.0 * p.weight / p.weighted * p.period, 0)) / iif(p.of = 'function', f.n, r.n) > 0.1
    AS worth_fixing,
  100.0 * p.known / p.accesses AS known_pct
FROM part AS p, method AS m, of_run AS r
LEFT JOIN of_function AS f ON f.symbol_id IS p.symbol_id AND f.dso_id IS p.dso_id
WHERE iif(p.of = 'function', f.n, r.n) > 0 AND p.weighted IS NOT NULL;
