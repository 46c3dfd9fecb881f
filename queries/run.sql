-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   run
-- summary: Facts about the recording: program, machine, numbers of samples and objects.
-- column:  what   name of the fact
-- column:  value  the fact
WITH
  facts (place, what, value) AS (
    SELECT 1, 'command', command FROM runs
    UNION ALL SELECT 2, 'directory', directory FROM runs
    UNION ALL SELECT 3, 'started', strftime('%Y-%m-%d %H:%M:%S UTC', started_realtime_ns / 1000000000, 'unixepoch') FROM runs
    UNION ALL SELECT 4, 'seconds', round((end_ns - start_ns) / 1e9, 3) FROM runs
    UNION ALL SELECT 5, 'exit code', exit_code FROM runs
    UNION ALL SELECT 6, 'ended by signal', exit_signal FROM runs
    UNION ALL SELECT 7, 'host', hostname FROM runs
    UNION ALL SELECT 8, 'kernel', osrelease || coalesce(' ' || arch, '') FROM runs
    UNION ALL SELECT 9, 'cpu', cpudesc FROM runs
    UNION ALL SELECT 10, 'cpus', nullif(count(*), 0) FROM cpus
    UNION ALL SELECT 11, 'nodes', nullif(count(*), 0) FROM nodes
    UNION ALL SELECT 12, 'caches', printf('L1 %.0f KiB, L2 %.0f KiB, L3 %.0f KiB (%s)', l1_bytes / 1024.0, l2_bytes / 1024.0, l3_bytes / 1024.0, caches) FROM runs
    UNION ALL SELECT 12, 'sampler', coalesce(sampler, 'none: recorded by hand') FROM runs
    UNION ALL SELECT 13, 'clock', clock || coalesce(', converted from ' || recorded_clock || ' ' || clock_conversion, '') FROM runs
    UNION ALL SELECT 14, 'allocations recorded', iif(tracked, 'yes', 'no') FROM runs
    UNION ALL SELECT 15, 'memdb', memdb_version FROM runs
    UNION ALL SELECT 16, 'perf', perf_version FROM runs
    UNION ALL SELECT 17, 'perf command', perf_command FROM runs
    UNION ALL SELECT 18, 'recording', 'damaged or not finished: see losses' FROM runs WHERE damaged
    UNION ALL SELECT 20, 'processes', count(*) FROM processes
    UNION ALL SELECT 21, 'threads', count(*) FROM threads
    UNION ALL SELECT 22, 'samples', coalesce(sum(samples), 0) FROM totals WHERE scope = 'run'
    UNION ALL SELECT 23, 'samples with an address', coalesce(sum(c.samples), 0) FROM kind_totals AS c JOIN kind_measures AS m ON m.id = c.kind_id JOIN access_kinds AS k ON k.id = c.kind_id WHERE c.scope = 'run' AND m.addressed AND k.addr_source <> 9
    UNION ALL SELECT 24, 'samples with an object', coalesce(sum(addressed), 0) FROM totals WHERE scope = 'object' AND object_id IS NOT NULL
    UNION ALL SELECT 25, 'page faults', coalesce(sum(samples), 0) FROM fault_cells
    UNION ALL SELECT 26, 'allocations', coalesce(sum(allocations), 0) FROM objects
    UNION ALL SELECT 27, 'objects', count(*) FROM objects
    UNION ALL SELECT 28, 'losses', CAST(total(count) AS INTEGER) FROM losses
  )
SELECT what, value
FROM facts
WHERE value IS NOT NULL
ORDER BY place, what;
