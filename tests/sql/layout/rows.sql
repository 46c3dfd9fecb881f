-- SPDX-License-Identifier: GPL-2.0-or-later
.read object_layouts/rows.sql
