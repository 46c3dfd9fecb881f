-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   layout
-- summary: A layout that ends the false sharing of an object: the members of its type in several parts, each of which begins at its own cache line.
-- param:   object - only this object: its id or name
-- param:   top 100 rows at most
-- column:  object_id   objects.id
-- column:  object      name of the object
-- column:  separates   what the layout puts 64 bytes apart: members: members of the type; elements: elements, blocks, or variables next to each other; threads: the parts of the threads, because there are too many elements to pad each: give each thread a contiguous part that begins at a cache line
-- column:  offset      offset of the member in the new layout, bytes
-- column:  was         offset of the member in the current layout, bytes
-- column:  size_bytes  size of the member, bytes
-- column:  member      the member; a part begins at alignas(64); "align the elements": an array of structs, of which each element gets its own cache line; empty: the element itself, which has no members
-- column:  member_type type of the member; empty: not known, or a nested struct
-- column:  written_by  threads (tid) that write the member while other threads use the object, or their number; of a member that only one thread uses, at any time; empty with read_by: no sample shows the member in use
-- column:  read_by     threads (tid) that read the member while other threads use the object, or their number
-- column:  type        type of an element
-- column:  type_bytes  size of an element now, bytes
-- column:  new_bytes   size of an element in the new layout, bytes; empty: the same as now
-- column:  object_bytes size of the object now, bytes; of a heap object: the maximum number of bytes allocated at one time
-- column:  new_object_bytes size of the object with the new layout, bytes; empty: the same as now, or not known, because only the first element of each block has samples
-- column:  drawn       number of the object's drawn samples in bytes that share a line with other threads' bytes
SELECT
  object_id,
  object,
  separates,
  new_offset AS offset,
  offset AS was,
  size_bytes,
  iif(aligned, 'alignas(64)' || iif(member = '', '', ' '), '') || member || iif(padded, ': align the elements to 64 bytes', '') AS member,
  member_type,
  written_by,
  read_by,
  type,
  type_bytes,
  new_type_bytes AS new_bytes,
  object_bytes,
  new_object_bytes,
  drawn
FROM object_layouts
WHERE :object IS NULL OR object_id = :object OR object = :object
ORDER BY drawn DESC, object_id, new_offset
LIMIT coalesce(:top, 100);
