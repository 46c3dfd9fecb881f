-- SPDX-License-Identifier: GPL-2.0-or-later
-- Waits whose address is gone may be for any object: up to 99.8 % of the time may have been for table on another node.
.read data/walk.sql
