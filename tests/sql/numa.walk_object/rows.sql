-- SPDX-License-Identifier: GPL-2.0-or-later
-- Waits that have lost their address may be for any object. Up to 99.8 % of the time may be waits for table on
-- another node.
.read data/walk.sql
