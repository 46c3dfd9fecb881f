-- SPDX-License-Identifier: GPL-2.0-or-later
-- Thread 2 may have reached its instruction by a path without the writes to "lost", so the lines are not shared.
.read object_layouts/rows.sql
