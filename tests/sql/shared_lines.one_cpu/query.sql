-- SPDX-License-Identifier: GPL-2.0-or-later
SELECT count(*) AS cache_lines, sum(together) AS together FROM shared_lines;
