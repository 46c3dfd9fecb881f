-- SPDX-License-Identifier: GPL-2.0-or-later
-- Indexes, created after the load: few, and none on the big tables. Samples are stored in the order of
-- the recording; an index on a near-random column of them costs as much as loading them.
CREATE INDEX fault_cells_object ON fault_cells (object_id);
CREATE INDEX inlined_frames_location ON inlined_frames (location_id, depth);
CREATE INDEX members_type ON members (type_id, offset);
CREATE INDEX source_lines_place ON source_lines (file_id, line);
CREATE INDEX page_homes_address ON page_homes (process_id, address_start);

PRAGMA analysis_limit = 400;
ANALYZE fault_cells;
ANALYZE inlined_frames;
ANALYZE members;
ANALYZE source_lines;
ANALYZE page_homes;
