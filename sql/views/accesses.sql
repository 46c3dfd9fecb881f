-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    accesses
-- summary: Sums over samples with everything that the other views ask for; they all start here.
-- grain:   one row per cell: instruction × kind of access × thread × object (a cell may come twice: sum)
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
  iif(k.addr_source BETWEEN 1 AND 4, c.samples, 0) AS accesses,
  iif(k.addr_source BETWEEN 1 AND 4 AND k.memory_opcode IN (1, 3), c.samples, 0) AS loads,
  iif(k.addr_source BETWEEN 1 AND 4 AND k.memory_opcode IN (2, 3), c.samples, 0) AS stores,
  iif(e.role = 'time', c.period, 0) AS time_ns,
  iif(e.role = 'time', c.samples, 0) AS timed,
  iif(e.role IN ('time', 'cycles') AND k.addr_source = 2, c.samples, 0) AS waits,
  iif(e.role = 'time' AND k.addr_source = 2, c.period, 0) AS wait_ns,
  iif(e.role IN ('time', 'cycles') AND k.waited = 1 AND k.addr_source IS NOT 2, c.samples, 0) AS lost_waits,
  iif(e.role = 'time' AND k.waited = 1 AND k.addr_source IS NOT 2, c.period, 0) AS lost_wait_ns,
  iif(k.addr_source = 1, c.weighted, 0) AS weighted,
  iif(k.addr_source = 1, c.weight, 0) AS weight,
  iif(k.addr_source BETWEEN 1 AND 4 AND k.home_node_id = k.cpu_node_id, c.samples, 0) AS local,
  iif(k.addr_source BETWEEN 1 AND 4 AND k.home_node_id <> k.cpu_node_id, c.samples, 0) AS remote,
  iif(e.role = 'time' AND k.addr_source = 2 AND k.home_node_id IS NOT NULL AND k.cpu_node_id IS NOT NULL, c.samples, 0) AS placed_waits,
  iif(e.role = 'time' AND k.addr_source = 2 AND k.home_node_id <> k.cpu_node_id, c.samples, 0) AS remote_waits,
  iif(e.role = 'time' AND k.addr_source = 2 AND k.home_node_id <> k.cpu_node_id, c.period, 0) AS remote_wait_ns,
  iif(k.addr_source BETWEEN 1 AND 4 AND k.remote = 0, c.samples, 0) AS hw_local,
  iif(k.addr_source BETWEEN 1 AND 4 AND k.remote = 1, c.samples, 0) AS hw_remote
FROM sample_cells AS c
LEFT JOIN access_kinds AS k ON k.id = c.kind_id
LEFT JOIN instructions AS i ON i.id = c.instruction_id
LEFT JOIN selected_events AS e ON e.id = k.evsel_id
WHERE e.role IS NOT 'instructions';
