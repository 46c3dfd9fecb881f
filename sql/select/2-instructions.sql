-- SPDX-License-Identifier: GPL-2.0-or-later
-- Stores the ids of the sampled instructions that are in :function itself. Their samples are selected even if they have no call path.
INSERT INTO temp.selected_instructions (id)
SELECT i.id
FROM instructions AS i
LEFT JOIN symbols AS s ON s.id = i.symbol_id
WHERE i.location_id IN (SELECT location_id FROM location_frames WHERE is_function(function, :function))
  OR (i.location_id IS NULL AND is_function(s.name, :function));
