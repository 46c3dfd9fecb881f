-- SPDX-License-Identifier: GPL-2.0-or-later
-- For each kind of access where each sum of thing_sums comes from: a cell's 1 samples, 2 period, 3 weighted, 4 weight; 0: it
-- does not count.
SELECT
  k.id,
  m.id IS NOT NULL AS samples,
  m.accesses AS accesses,
  m.loads AS loads,
  m.stores AS stores,
  2 * m.timed AS time_ns,
  m.timed AS timed,
  m.waits AS waits,
  2 * (m.waits AND m.timed) AS wait_ns,
  m.lost_waits AS lost_waits,
  2 * (m.lost_waits AND m.timed) AS lost_wait_ns,
  3 * m.measured AS weighted,
  4 * m.measured AS weight,
  m.local AS local,
  m.remote AS remote,
  m.placed_waits AS placed_waits,
  m.remote_waits AS remote_waits,
  2 * m.remote_waits AS remote_wait_ns,
  m.hw_local AS hw_local,
  m.hw_remote AS hw_remote
FROM access_kinds AS k
LEFT JOIN kind_measures AS m ON m.id = k.id
ORDER BY k.id;
