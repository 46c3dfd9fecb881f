-- SPDX-License-Identifier: GPL-2.0-or-later
-- Indexes, which memdb creates after it loaded the tables. The big tables have no index: samples are in the order of the
-- recording, and creating an index on a column with almost random values takes as long as loading the samples.
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
