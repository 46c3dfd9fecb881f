-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    numa_time
-- summary: Share of all thread time that passed waiting for memory of another node: more than that better placement cannot gain.
-- grain:   one row per kind of thing ("of", as in shares) and thing, where the timer sampled and homes are known
-- source:  Σ period of remote retired samples / Σ period of all: an upper bound, since a page that comes home still takes time
-- note:    waits whose address is gone have no home and count as not remote: home_pct says how many of the waits have one
-- column:  of              TEXT     "run", "function", "line", "object", "thread", "function_object", "object_thread"
-- column:  symbol_id       INTEGER  function…: symbols.id; NULL: no symbol
-- column:  dso_id          INTEGER  function…: dsos.id; NULL: not known
-- column:  function        TEXT     line: innermost function
-- column:  file_id         INTEGER  line: files.id; NULL: not known
-- column:  line            INTEGER  line: the source line; NULL: not known
-- column:  object_id       INTEGER  object…: objects.id
-- column:  thread_id       INTEGER  thread…: threads.id
-- column:  samples         INTEGER  timer samples of the whole run (count)
-- column:  remote_waits    INTEGER  samples that waited for an address on another node (count)
-- column:  remote_wait_ns  INTEGER  their time, ns
-- column:  numa_pct        REAL     their share of the thread time of the whole run, 0-100
-- column:  numa_low_pct    REAL     lower end of its 95 % Wilson interval, by count
-- column:  numa_high_pct   REAL     upper end
-- column:  home_pct        REAL     coverage: the thing's waits whose nodes are known of its waits, 0-100
CREATE VIEW numa_time AS
WITH
  run AS (
    SELECT timed AS n, time_ns FROM thing_sums WHERE of = 'run'
  )
SELECT
  h.of AS of,
  h.symbol_id AS symbol_id,
  h.dso_id AS dso_id,
  h.function AS function,
  h.file_id AS file_id,
  h.line AS line,
  h.object_id AS object_id,
  h.thread_id AS thread_id,
  r.n AS samples,
  h.remote_waits AS remote_waits,
  h.remote_wait_ns AS remote_wait_ns,
  100.0 * h.remote_wait_ns / r.time_ns AS numa_pct,
  wilson_low(h.remote_waits, r.n) AS numa_low_pct,
  wilson_high(h.remote_waits, r.n) AS numa_high_pct,
  100.0 * h.placed_waits / h.waits AS home_pct
FROM shares AS h, run AS r
WHERE r.time_ns > 0 AND h.placed_waits > 0;
