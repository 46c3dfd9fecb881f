-- SPDX-License-Identifier: GPL-2.0-or-later
-- gather is inlined into worker, and has its own rows as everywhere.
.read data/hardware.sql
