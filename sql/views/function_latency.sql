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
-- column:  weight_pct      REAL     share of all weights, 0-100 (a sum of weights is no proportion: no interval); NULL: none was measured
-- column:  local           INTEGER  accesses to the CPU's own node (count)
-- column:  remote          INTEGER  accesses to another node (count)
-- column:  remote_pct      REAL     remote of local and remote, 0-100; NULL: no home is known
-- column:  remote_low_pct  REAL     lower end of its 95 % Wilson interval
-- column:  remote_high_pct REAL     upper end
-- column:  home_pct        REAL     coverage of remote_pct: local and remote of all accesses, 0-100
CREATE VIEW function_latency AS
SELECT
  h.symbol_id AS symbol_id,
  h.dso_id AS dso_id,
  code_name(s.name, d.short_name) AS function,
  d.short_name AS dso,
  h.time_ns AS time_ns,
  h.samples AS samples,
  h.accesses AS accesses,
  h.loads AS loads,
  h.stores AS stores,
  h.waits AS waits,
  h.wait_ns AS wait_ns,
  h.wait_pct AS wait_pct,
  h.wait_low_pct AS wait_low_pct,
  h.wait_high_pct AS wait_high_pct,
  h.lost_waits AS lost_waits,
  h.lost_wait_ns AS lost_wait_ns,
  h.weighted AS weighted,
  h.weight_sum AS weight_sum,
  h.weight_avg AS weight_avg,
  h.weight_pct AS weight_pct,
  h.local AS local,
  h.remote AS remote,
  h.remote_pct AS remote_pct,
  h.remote_low_pct AS remote_low_pct,
  h.remote_high_pct AS remote_high_pct,
  h.home_pct AS home_pct
FROM shares AS h
LEFT JOIN symbols AS s ON s.id = h.symbol_id
LEFT JOIN dsos AS d ON d.id = h.dso_id
WHERE h.of = 'function';
