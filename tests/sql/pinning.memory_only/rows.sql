-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/advice.sql
UPDATE access_kinds SET thread_pinned = 1, page_pinned = 1;
