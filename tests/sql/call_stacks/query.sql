-- SPDX-License-Identifier: GPL-2.0-or-later
-- The frames of call paths as text.
SELECT call_path_id, depth, stack FROM call_stacks ORDER BY 1;
