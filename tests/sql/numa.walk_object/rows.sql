-- SPDX-License-Identifier: GPL-2.0-or-later
-- Waits whose address is lost may be for any object. So up to 99.8 % of the time may be waits for pages of
-- `table` on another node.
.read data/walk.sql
