-- SPDX-License-Identifier: GPL-2.0-or-later
-- Functions that SQLite has not, for views and reports: tools/embed.c writes the text behind ":=" out
-- where one is called, so that a view in a database needs nobody's help. One definition a line.

-- Lower and upper end of the 95 % interval of the share k of n, percent; NULL where n is 0.
-- Wilson 1927; Brown, Cai & DasGupta 2001, eq. 4, with z = 1.96: z^2/2 = 1.9208, z^2/4 = 0.9604.
wilson_low(k, n) := round(max(0, 100.0 * (k + 1.9208 - 1.96 * sqrt(1.0 * k * (n - k) / n + 0.9604)) / (n + 3.8416)), 6)
wilson_high(k, n) := round(min(100, 100.0 * (k + 1.9208 + 1.96 * sqrt(1.0 * k * (n - k) / n + 0.9604)) / (n + 3.8416)), 6)

-- The name of code: its function, else its file in brackets.
code_name(function, dso) := coalesce(function, '[' || trim(coalesce(dso, 'unknown'), '[]') || ']')
