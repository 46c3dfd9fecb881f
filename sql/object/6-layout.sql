-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns the members of one object's type (:id) in a layout that ends its false sharing.
SELECT
  new_offset AS "new offset", offset, size_bytes AS size, iif(aligned, 'alignas(64) ', '') || coalesce(nullif(member, ''), type) || iif(padded, ': align the elements to 64 bytes', '') AS "layout without false sharing",
  written_by AS "written by", read_by AS "read by"
FROM object_layouts
WHERE object_id = :id AND separates <> 'threads'
ORDER BY new_offset;
