-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/neighbours.sql
