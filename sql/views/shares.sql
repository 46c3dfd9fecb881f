-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    shares
-- summary: What each thing has of the samples, waiting time, latency and remote accesses; the views of one kind of thing start here.
-- grain:   one row per kind of thing ("of") and thing; of "run" one row, of the others those with a sample
-- source:  M_l, M_r: Liu & Mellor-Crummey 2014, 4.1; intervals: Wilson 1927, 95 %, by number of samples
-- note:    ask for one kind: WHERE of = '…'. Objects and what they are crossed with leave out samples without an object, and
--          waits whose address is gone; the other kinds count these waits in waits and wait_ns.
-- note:    local and remote compare the page's node with the CPU's; hw_local and hw_remote are what the hardware said. A page
--          whose home is remote may be served by a near cache, so the two differ, and are never mixed.
-- column:  of              TEXT     "run", "function", "line", "object", "thread", "function_object", "object_thread"
-- column:  symbol_id       INTEGER  function…: symbols.id; NULL: no symbol
-- column:  dso_id          INTEGER  function…: dsos.id; NULL: not known
-- column:  function        TEXT     line: innermost function; else the symbol; [file] without one
-- column:  file_id         INTEGER  line: files.id; NULL: not known
-- column:  line            INTEGER  line: the source line; NULL: not known
-- column:  object_id       INTEGER  object…: objects.id
-- column:  thread_id       INTEGER  thread, object_thread: threads.id; NULL: not known
-- column:  threads         INTEGER  threads with an access (count)
-- column:  writers         INTEGER  threads that wrote (count)
-- column:  samples         INTEGER  samples (count)
-- column:  accesses        INTEGER  samples with a data address (count)
-- column:  loads           INTEGER  accesses that read (count)
-- column:  stores          INTEGER  accesses that write (count)
-- column:  time_ns         INTEGER  thread time, ns (timer)
-- column:  waits           INTEGER  samples that waited for a memory access (count, timer or cycles)
-- column:  wait_ns         INTEGER  their time, ns (timer)
-- column:  wait_pct        REAL     share of the waiting time of all of this kind, 0-100; NULL: none was measured
-- column:  wait_low_pct    REAL     lower end of its interval
-- column:  wait_high_pct   REAL     upper end
-- column:  lost_waits      INTEGER  of waits, those whose access' address is gone (count)
-- column:  lost_wait_ns    INTEGER  their time, ns (timer)
-- column:  weighted        INTEGER  accesses with a weight (count, hardware)
-- column:  weight_sum      INTEGER  sum of the weights, core cycles (hardware)
-- column:  weight_avg      REAL     mean weight, core cycles; NULL: none was measured
-- column:  weight_pct      REAL     share of all weights of this kind, 0-100; NULL: none was measured
-- column:  local           INTEGER  M_l: accesses to the CPU's own node (count)
-- column:  remote          INTEGER  M_r: accesses to another node (count)
-- column:  unknown         INTEGER  accesses whose page's or CPU's node is not known (count)
-- column:  remote_pct      REAL     remote of local and remote, 0-100; NULL: no home is known
-- column:  remote_low_pct  REAL     lower end of its interval
-- column:  remote_high_pct REAL     upper end
-- column:  home_pct        REAL     coverage of remote_pct: local and remote of all accesses, 0-100
-- column:  placed_waits    INTEGER  waits for an address whose node is known, from a known one (count, timer)
-- column:  remote_waits    INTEGER  those for an address on another node (count, timer)
-- column:  remote_wait_ns  INTEGER  their time, ns (timer)
-- column:  hw_local        INTEGER  accesses served by this node's caches or memory, says the hardware (count)
-- column:  hw_remote       INTEGER  accesses served by another node's caches or memory, says the hardware (count)
-- column:  hw_remote_pct   REAL     hw_remote of both, 0-100; NULL: the hardware says nothing
-- column:  hw_remote_low_pct  REAL  lower end of its interval
-- column:  hw_remote_high_pct REAL  upper end
-- column:  hw_pct          REAL     coverage of hw_remote_pct: hw_local and hw_remote of all accesses, 0-100
CREATE VIEW shares AS
WITH
  part AS (
    SELECT
      t.*,
      iif(t.of <> 'line', i.symbol_id, NULL) AS symbol_id,
      iif(t.of <> 'line', i.dso_id, NULL) AS dso_id,
      iif(t.of = 'line', code_name(coalesce(l.function, s.name), d.short_name), NULL) AS function,
      l.file_id AS file_id,
      l.line AS line,
      t.waits + iif(t.object_id IS NULL, t.lost_waits, 0) AS part_waits,
      t.wait_ns + iif(t.object_id IS NULL, t.lost_wait_ns, 0) AS part_wait_ns
    FROM thing_sums AS t
    LEFT JOIN instructions AS i ON i.id = t.instruction_id
    LEFT JOIN locations AS l ON t.of = 'line' AND l.id = i.location_id
    LEFT JOIN symbols AS s ON t.of = 'line' AND s.id = i.symbol_id
    LEFT JOIN dsos AS d ON t.of = 'line' AND d.id = i.dso_id
  ),
  whole AS (
    SELECT
      *,
      sum(part_waits) OVER kind AS all_waits,
      sum(part_wait_ns) OVER kind AS all_wait_ns,
      sum(weight) OVER kind AS all_weight
    FROM part
    WINDOW kind AS (PARTITION BY of)
  )
SELECT
  of,
  symbol_id,
  dso_id,
  function,
  file_id,
  line,
  object_id,
  thread_id,
  threads,
  writers,
  samples,
  accesses,
  loads,
  stores,
  time_ns,
  part_waits AS waits,
  part_wait_ns AS wait_ns,
  100.0 * part_wait_ns / all_wait_ns AS wait_pct,
  wilson_low(part_waits, all_waits) AS wait_low_pct,
  wilson_high(part_waits, all_waits) AS wait_high_pct,
  lost_waits,
  lost_wait_ns,
  weighted,
  weight AS weight_sum,
  1.0 * weight / weighted AS weight_avg,
  100.0 * weight / all_weight AS weight_pct,
  local,
  remote,
  accesses - local - remote AS unknown,
  100.0 * remote / (local + remote) AS remote_pct,
  wilson_low(remote, (local + remote)) AS remote_low_pct,
  wilson_high(remote, (local + remote)) AS remote_high_pct,
  100.0 * (local + remote) / accesses AS home_pct,
  placed_waits,
  remote_waits,
  remote_wait_ns,
  hw_local,
  hw_remote,
  100.0 * hw_remote / (hw_local + hw_remote) AS hw_remote_pct,
  wilson_low(hw_remote, (hw_local + hw_remote)) AS hw_remote_low_pct,
  wilson_high(hw_remote, (hw_local + hw_remote)) AS hw_remote_high_pct,
  100.0 * (hw_local + hw_remote) / accesses AS hw_pct
FROM whole;
