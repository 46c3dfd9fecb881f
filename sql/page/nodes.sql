-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   nodes
-- summary: NUMA nodes, including nodes with memory but without CPUs.
-- keep:    1024 rows at most
SELECT
  id AS node,                          -- the kernel's number of the node
  cpus AS cpus,                        -- the node's CPUs in list format; "": the node has only memory
  mem_total_bytes AS mem_total_bytes,  -- size of the node's memory, bytes
  mem_free_bytes AS mem_free_bytes     -- free memory of the node at the start of the recording, bytes
FROM nodes
ORDER BY id;
