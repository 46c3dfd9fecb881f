-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   nodes
-- summary: NUMA nodes; one with memory but no CPUs is a node too.
-- keep:    1024
SELECT
  id AS node,                          -- the kernel's number
  cpus AS cpus,                        -- its CPUs in list format; "" for memory only
  mem_total_bytes AS mem_total_bytes,  -- its memory
  mem_free_bytes AS mem_free_bytes     -- free when the recording began
FROM nodes
ORDER BY id;
