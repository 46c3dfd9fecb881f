-- SPDX-License-Identifier: GPL-2.0-or-later
-- The threads use the line one after another. It moves again and again only to main.
SELECT sharing, together, threads, writers, drawn, drawn_hitm FROM shared_lines;
