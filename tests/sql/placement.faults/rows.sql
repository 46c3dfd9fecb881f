-- SPDX-License-Identifier: GPL-2.0-or-later
.read object_placement.faults/rows.sql
