-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_threads
-- summary: Which thread uses which object: threads × objects.
-- grain:   one row per object and thread with a sample of both
-- column:  object_id       INTEGER  objects.id
-- column:  object          TEXT     the object's name
-- column:  thread_id       INTEGER  threads.id; NULL: not known
-- column:  pid             INTEGER  the kernel's process number
-- column:  tid             INTEGER  the kernel's thread number
-- column:  comm            TEXT     the thread's name
-- column:  samples         INTEGER  samples (count)
-- column:  accesses        INTEGER  samples with a data address (count)
-- column:  loads           INTEGER  accesses that read (count)
-- column:  stores          INTEGER  accesses that write (count)
-- column:  waits           INTEGER  samples that waited for their address (count, timer)
-- column:  wait_ns         INTEGER  waiting time, ns (timer)
-- column:  wait_pct        REAL     share of the waiting time at all objects, 0-100; NULL: none was measured
-- column:  wait_low_pct    REAL     lower end of the 95 % Wilson interval of wait_pct, by count
-- column:  wait_high_pct   REAL     upper end
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
CREATE VIEW object_threads AS
SELECT
  h.object_id AS object_id,
  o.name AS object,
  h.thread_id AS thread_id,
  th.pid AS pid,
  th.tid AS tid,
  th.comm AS comm,
  h.samples AS samples,
  h.accesses AS accesses,
  h.loads AS loads,
  h.stores AS stores,
  h.waits AS waits,
  h.wait_ns AS wait_ns,
  h.wait_pct AS wait_pct,
  h.wait_low_pct AS wait_low_pct,
  h.wait_high_pct AS wait_high_pct,
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
LEFT JOIN objects AS o ON o.id = h.object_id
LEFT JOIN threads AS th ON th.id = h.thread_id
WHERE h.of = 'object_thread';
