-- SPDX-License-Identifier: GPL-2.0-or-later
-- gather is inlined into worker. It still has its own rows, like in the other views.
.read data/hardware.sql
