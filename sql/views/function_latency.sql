-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    function_latency
-- summary: What memory costs in each function.
-- grain:   one row per function (symbol); code without a symbol is one row per file
-- source:  Helm & Taura 2017, listing 1, with waiting time where the sampler is the timer
-- column:  symbol_id       INTEGER  symbols.id; NULL: no symbol
-- column:  dso_id          INTEGER  dsos.id; NULL: not known
-- column:  function        TEXT     its name; [file] where there is no symbol
-- column:  dso             TEXT     the file it is in
-- column:  time_ns         INTEGER  thread time spent in it, ns (timer)
-- column:  samples         INTEGER  samples (count)
-- column:  accesses        INTEGER  samples with a data address (count)
-- column:  loads           INTEGER  accesses that read (count)
-- column:  stores          INTEGER  accesses that write (count)
-- column:  waits           INTEGER  samples that waited for a memory access (count, timer)
-- column:  wait_ns         INTEGER  waiting time, ns (timer)
-- column:  wait_pct        REAL     share of all waiting time, 0-100; NULL: none was measured
-- column:  wait_low_pct    REAL     lower end of the 95 % Wilson interval of wait_pct, by count
-- column:  wait_high_pct   REAL     upper end
-- column:  lost_waits      INTEGER  those of waits whose access' address is gone: no object has them (count, timer)
-- column:  lost_wait_ns    INTEGER  their part of wait_ns, ns (timer)
-- column:  weighted        INTEGER  accesses with a weight (count, hardware)
-- column:  weight_sum      INTEGER  sum of the weights, core cycles (hardware)
-- column:  weight_avg      REAL     mean weight, core cycles; NULL: none was measured
-- column:  weight_pct      REAL     share of all weights, 0-100; NULL: none was measured
-- column:  local           INTEGER  accesses to the CPU's own node (count)
-- column:  remote          INTEGER  accesses to another node (count)
-- column:  remote_pct      REAL     remote of local and remote, 0-100; NULL: no home is known
CREATE VIEW function_latency AS
WITH
  part AS (
    SELECT symbol_id, dso_id, sum(time_ns) AS time_ns,
    sum(samples) AS samples, sum(accesses) AS accesses, sum(loads) AS loads, sum(stores) AS stores,
    sum(waits + lost_waits) AS waits, sum(wait_ns + lost_wait_ns) AS wait_ns,
    sum(lost_waits) AS lost_waits, sum(lost_wait_ns) AS lost_wait_ns, sum(weighted) AS weighted, sum(weight) AS weight,
    sum(local) AS local, sum(remote) AS remote
    FROM accesses
    GROUP BY symbol_id, dso_id
  ),
  total AS (
    SELECT sum(waits) AS n, sum(wait_ns) AS wait_ns, sum(weight) AS weight FROM part
  )
SELECT
  p.symbol_id AS symbol_id,
  p.dso_id AS dso_id,
  coalesce(s.name, '[' || trim(coalesce(d.short_name, 'unknown'), '[]') || ']') AS function,
  d.short_name AS dso,
  p.time_ns AS time_ns,
  p.samples AS samples,
  p.accesses AS accesses,
  p.loads AS loads,
  p.stores AS stores,
  p.waits AS waits,
  p.wait_ns AS wait_ns,
  100.0 * p.wait_ns / t.wait_ns AS wait_pct,
  round(max(0, 100.0 * (p.waits + 1.9208 - 1.96 * sqrt(1.0 * p.waits * (t.n - p.waits) / t.n + 0.9604)) / (t.n + 3.8416)), 6)
    AS wait_low_pct,
  round(min(100, 100.0 * (p.waits + 1.9208 + 1.96 * sqrt(1.0 * p.waits * (t.n - p.waits) / t.n + 0.9604)) / (t.n + 3.8416)), 6)
    AS wait_high_pct,
  p.lost_waits AS lost_waits,
  p.lost_wait_ns AS lost_wait_ns,
  p.weighted AS weighted,
  p.weight AS weight_sum,
  1.0 * p.weight / p.weighted AS weight_avg,
  100.0 * p.weight / t.weight AS weight_pct,
  p.local AS local,
  p.remote AS remote,
  100.0 * p.remote / (p.local + p.remote) AS remote_pct
FROM part AS p, total AS t
LEFT JOIN symbols AS s ON s.id = p.symbol_id
LEFT JOIN dsos AS d ON d.id = p.dso_id;
