-- SPDX-License-Identifier: GPL-2.0-or-later
-- Functions that SQLite lacks, for views and reports. tools/embed.c replaces each call with the text after ":=", so a view in a
-- database works in any SQLite client. Lines that begin with a blank continue a definition.
--
-- This file: intervals of numbers, what may be said of them, and how they are printed.

-- Return the lower and upper end of the 95 % interval of the share w / n, percent; NULL if n is 0. n is the sum of all weights, sq the sum of
-- their squares, and w the sum of the weights in the share. The interval is that of Wilson 1927 (Brown, Cai & DasGupta 2001, eq. 4) with
-- z = 1.96 (z^2 = 3.8416) and the effective sample size n * n / sq (Kish 1965), multiplied out.
share_low(w, n, sq) := round(max(0, 100.0 * (1.0 * w * n + 1.9208 * sq - 1.96 * sqrt(1.0 * w * (n - w) * sq + 0.9604 * sq * sq)) / (1.0 * n * n + 3.8416 * sq)), 6)
share_high(w, n, sq) := round(min(100, 100.0 * (1.0 * w * n + 1.9208 * sq + 1.96 * sqrt(1.0 * w * (n - w) * sq + 0.9604 * sq * sq)) / (1.0 * n * n + 3.8416 * sq)), 6)

-- Return the lower and upper end of the 95 % interval of a sum w of weights that is not a share of a total. n and sq are as
-- above. The sum is treated as a Poisson count of equal weights of sq / n each, of which w / (sq / n) were observed. The
-- interval is the score interval of such a count (Brown, Cai & DasGupta 2003).
sum_low(w, n, sq) := max(0, 1.0 * w + 1.9208 * sq / n - 1.96 * sqrt(1.0 * w * sq / n + 0.9604 * sq / n * sq / n))
sum_high(w, n, sq) := (1.0 * w + 1.9208 * sq / n + 1.96 * sqrt(1.0 * w * sq / n + 0.9604 * sq / n * sq / n))

-- Return the lower and upper end of the 95 % interval of the share k / n of equal weights, percent.
wilson_low(k, n) := share_low(k, n, n)
wilson_high(k, n) := share_high(k, n, n)

-- Returns 1 if every access was counted (samplers exact and soft with period 1), so that shares of all samples have no sampling error.
all_counted() := EXISTS (SELECT 1 FROM access_kinds AS k JOIN selected_events AS e ON e.id = k.evsel_id WHERE e.role = 'access' AND e.sample_period = 1)

-- Returns 1 if the samplers exact or soft counted every access. Then a row stands for the accesses of up to a second. So its time does not show which
-- threads use a line at the same time, and its CPU does not show where the accesses were made. Use moving_lines() instead.
has_counts() := ((SELECT sampler FROM runs) IN ('exact', 'soft') AND all_counted())

-- Returns 1 if there are enough samples for a statement about the cost of memory: 20 samples in which a thread waited or, if the sampler does
-- not show waits, 20 samples of accesses. Shares of fewer samples would depend on chance. If every access was counted, there is no chance.
claims(waits, accesses) := (iif(waits > 0, waits, accesses) >= 20 OR (accesses > 0 AND all_counted()))

-- Returns 1 if `cpu` is the name of an emulated CPU. Timer samples of such a CPU do not show which instruction waited.
emulated(cpu) := (coalesce(cpu, '') LIKE '%TCG%')

-- Returns a number with its noun: "1 sample", "2 samples".
counted(n, noun) := (n || ' ' || noun || iif(n = 1, '', 's'))

-- Returns a number of accesses, with a unit if it has six digits or more: "99999", "142k", "1.6M", "4.2G".
short_count(n) := iif(n < 99999.5, CAST(n AS INTEGER), iif(n < 999500, printf('%.0fk', n / 1e3), iif(n < 999950000, printf('%.1fM', n / 1e6), printf('%.1fG', n / 1e9))))

-- Returns the number of samples with its noun, which is "accesses" if every access was counted.
sampled(n) := iif(has_counts(), short_count(n) || iif(n = 1, ' access', ' accesses'), counted(n, 'sample'))

-- Returns a 95 % interval as text. NULL: it is a single number, because every access was counted.
interval_text(low, high) := iif(has_counts() AND printf('%.1f', low) = printf('%.1f', high), NULL, printf('%.1f-%.1f', low, high))

-- Returns a number of bytes in at most 5 characters, with the unit as `ls -h` prints it: "512", "4.0K", "64M".
short_bytes(n) := iif(n < 1024, n, iif(n < 1048064, printf(iif(n < 10189, '%.1fK', '%.0fK'), n / 1024.0), iif(n < 1073217536, printf(iif(n < 10433331, '%.1fM', '%.0fM'), n / 1048576.0), printf(iif(n < 10683731148, '%.1fG', '%.0fG'), n / 1073741824.0))))

-- Returns 1 if a row of losses with this `what` is what the recording itself cost, which is in no figure. Nothing of the program is lost by it.
own_cost(what) := (what LIKE '% in the tracker' OR what = 'samples in perf')

-- Returns the last part of a path: the name of the file.
file_name(path) := replace(path, rtrim(path, replace(path, '/', '')), '')

-- Returns the different words of a list of words with commas between them.
different_words(list) := (SELECT group_concat(DISTINCT value) FROM json_each('["' || replace(list, ',', '","') || '"]'))
