-- SPDX-License-Identifier: GPL-2.0-or-later
SELECT count(*) AS lines, max(drawn) BETWEEN 16000 AND 16750 AS half_drawn, round(max(cost_pct)) AS cost_pct, max(cost_low_pct) < 50 AND max(cost_high_pct) > 50 AS covers FROM shared_lines;
