-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    accesses
-- summary: Sums over samples with everything that may be asked for: code × data × threads × kinds of access.
-- grain:   one row per cell: instruction × kind of access × thread × object (a cell may come twice: sum)
-- note:    it grows with the recording. Ask shares for what one thing has: it is summed already
-- note:    cost counts only where it belongs to the address: hardware (weight) and retired (waiting time)
-- note:    waiting whose address is gone belongs to no object, also where object_id names the next access' object
-- note:    local and remote compare the page's node with the CPU's; hw_local and hw_remote are what the hardware said
-- column:  instruction_id  INTEGER  instructions.id
-- column:  location_id     INTEGER  locations.id
-- column:  symbol_id       INTEGER  symbols.id
-- column:  dso_id          INTEGER  dsos.id
-- column:  thread_id       INTEGER  threads.id
-- column:  object_id       INTEGER  objects.id; NULL: no object
-- column:  kind_id         INTEGER  access_kinds.id
-- column:  evsel_id        INTEGER  selected_events.id
-- column:  role            TEXT     the event's role
-- column:  addr_source     INTEGER  addr_sources.id
-- column:  memory_opcode   INTEGER  memory_opcodes.id
-- column:  memory_level    INTEGER  memory_levels.id
-- column:  cpu_node_id     INTEGER  node of the CPU
-- column:  home_node_id    INTEGER  node of the page
-- column:  thread_pinned   INTEGER  1: the thread could not leave its node, 0: it could; NULL: not known
-- column:  page_pinned     INTEGER  1: the page was placed by such a thread or a policy, 0: not; NULL: not known
-- column:  samples         INTEGER  samples (count)
-- column:  accesses        INTEGER  samples with a data address (count)
-- column:  loads           INTEGER  accesses that read (count)
-- column:  stores          INTEGER  accesses that write (count)
-- column:  time_ns         INTEGER  thread time that the samples stand for, ns (timer)
-- column:  timed           INTEGER  samples of the timer (count)
-- column:  waits           INTEGER  samples that waited for their address (count, timer or cycles)
-- column:  wait_ns         INTEGER  their time, ns (timer)
-- column:  lost_waits      INTEGER  samples that waited for an access whose address is gone, as of mov (%rax),%rax (count, timer or cycles)
-- column:  lost_wait_ns    INTEGER  their time, ns (timer)
-- column:  weighted        INTEGER  accesses with a weight (count, hardware)
-- column:  weight          INTEGER  sum of the weights, core cycles (hardware)
-- column:  local           INTEGER  accesses to the CPU's own node (count)
-- column:  remote          INTEGER  accesses to another node (count)
-- column:  placed_waits    INTEGER  waits for an address on a known node, from a known one (count, timer)
-- column:  remote_waits    INTEGER  those for an address on another node (count, timer)
-- column:  remote_wait_ns  INTEGER  their time, ns (timer)
-- column:  hw_local        INTEGER  accesses that the hardware says this node's caches or memory served (count)
-- column:  hw_remote       INTEGER  accesses that the hardware says another node's caches or memory served (count)
CREATE VIEW accesses AS
SELECT
  c.instruction_id AS instruction_id,
  i.location_id AS location_id,
  i.symbol_id AS symbol_id,
  i.dso_id AS dso_id,
  c.thread_id AS thread_id,
  c.object_id AS object_id,
  c.kind_id AS kind_id,
  k.evsel_id AS evsel_id,
  e.role AS role,
  k.addr_source AS addr_source,
  k.memory_opcode AS memory_opcode,
  k.memory_level AS memory_level,
  k.cpu_node_id AS cpu_node_id,
  k.home_node_id AS home_node_id,
  k.thread_pinned AS thread_pinned,
  k.page_pinned AS page_pinned,
  c.samples AS samples,
  c.samples * m.accesses AS accesses,
  c.samples * m.loads AS loads,
  c.samples * m.stores AS stores,
  c.period * m.timed AS time_ns,
  c.samples * m.timed AS timed,
  c.samples * m.waits AS waits,
  c.period * (m.waits AND m.timed) AS wait_ns,
  c.samples * m.lost_waits AS lost_waits,
  c.period * (m.lost_waits AND m.timed) AS lost_wait_ns,
  c.weighted * m.measured AS weighted,
  c.weight * m.measured AS weight,
  c.samples * m.local AS local,
  c.samples * m.remote AS remote,
  c.samples * m.placed_waits AS placed_waits,
  c.samples * m.remote_waits AS remote_waits,
  c.period * m.remote_waits AS remote_wait_ns,
  c.samples * m.hw_local AS hw_local,
  c.samples * m.hw_remote AS hw_remote
FROM sample_cells AS c
CROSS JOIN kind_measures AS m ON m.id = c.kind_id
LEFT JOIN access_kinds AS k ON k.id = c.kind_id
LEFT JOIN instructions AS i ON i.id = c.instruction_id
LEFT JOIN selected_events AS e ON e.id = k.evsel_id;
