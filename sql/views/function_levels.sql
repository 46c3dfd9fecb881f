-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    function_levels
-- summary: What served the accesses of each function: cache levels and memory.
-- grain:   one row per function and memory level that the hardware named
-- source:  Helm & Taura 2017, listing 2
-- note:    the timer does not know levels: no rows
-- column:  symbol_id       INTEGER  symbols.id; NULL: no symbol
-- column:  dso_id          INTEGER  dsos.id; NULL: not known
-- column:  function        TEXT     its name; [file] where there is no symbol
-- column:  level           TEXT     memory_levels.name
-- column:  accesses        INTEGER  accesses (count)
-- column:  accesses_pct    REAL     share of the function's accesses with a level, 0-100
-- column:  accesses_low_pct  REAL   lower end of its 95 % Wilson interval
-- column:  accesses_high_pct REAL   upper end
-- column:  weight_sum      INTEGER  sum of the weights, core cycles
-- column:  weight_avg      REAL     mean weight, core cycles; NULL: none was measured
CREATE VIEW function_levels AS
WITH
  part AS (
    SELECT i.symbol_id AS symbol_id, i.dso_id AS dso_id, k.memory_level AS memory_level, sum(c.samples) AS n,
      sum(c.weighted * m.measured) AS weighted, sum(c.weight * m.measured) AS weight
    FROM thing_cells AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    LEFT JOIN instructions AS i ON i.id = c.instruction_id
    WHERE c.of = 'function' AND m.accesses AND k.memory_level IS NOT NULL
    GROUP BY 1, 2, 3
  ),
  shares AS (
    SELECT *, sum(n) OVER (PARTITION BY symbol_id, dso_id) AS total FROM part
  )
SELECT
  p.symbol_id AS symbol_id,
  p.dso_id AS dso_id,
  code_name(s.name, d.short_name) AS function,
  m.name AS level,
  p.n AS accesses,
  100.0 * p.n / p.total AS accesses_pct,
  wilson_low(p.n, p.total) AS accesses_low_pct,
  wilson_high(p.n, p.total) AS accesses_high_pct,
  p.weight AS weight_sum,
  1.0 * p.weight / p.weighted AS weight_avg
FROM shares AS p
LEFT JOIN symbols AS s ON s.id = p.symbol_id
LEFT JOIN dsos AS d ON d.id = p.dso_id
LEFT JOIN memory_levels AS m ON m.id = p.memory_level;
