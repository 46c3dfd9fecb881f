-- SPDX-License-Identifier: GPL-2.0-or-later
-- gather is inlined into worker, and must have rows of its own, as in the other views.
.read data/hardware.sql
