-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_points
-- summary: When each thread accesses which place of an object: points to draw.
-- grain:   one row per drawn sample with an object
-- source:  Trahay et al. 2018, 3.4 (NumaMMA): time × offset, coloured by thread
-- column:  object_id       INTEGER  objects.id
-- column:  time            INTEGER  ns
-- column:  thread_id       INTEGER  threads.id; NULL: not known
-- column:  place           REAL     offset as a part of the object's extent, in [0, 1]; NULL: its extent is not known
-- column:  object_offset   INTEGER  bytes from the start of the block or variable
-- column:  writes          INTEGER  1: the access writes
-- column:  cpu_node_id     INTEGER  node of the CPU; NULL: not known
-- column:  home_node_id    INTEGER  node of the page; NULL: not known
CREATE VIEW object_points AS
SELECT
  object_id,
  time,
  thread_id,
  max(0.0, min(1.0 * object_offset / extent_bytes, 1.0)) AS place,
  object_offset,
  writes,
  cpu_node_id,
  home_node_id
FROM drawn_samples
WHERE object_id IS NOT NULL;
