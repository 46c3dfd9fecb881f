-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns notes on the verdicts in temp.change, which contains the result of 1-changes.sql with the same :noise, or of 4-means.sql: what they
-- mean and what they leave out. One sentence per row. warns: 1 if the note says that the changes mean nothing, or that one
-- thing may appear in two rows, else 0. There are no rows if only totals were compared.
WITH
  same AS ( -- 1: both databases come from the same recording. Two recordings of one machine do not begin in the same nanosecond
    SELECT coalesce(a.started_realtime_ns = b.started_realtime_ns, a.start_ns = b.start_ns AND a.end_ns = b.end_ns, 0) AND a.hostname IS b.hostname AS yes
    FROM main.runs AS a, after.runs AS b
  ),
  retyped AS MATERIALIZED (diff_retyped(main, after)),
  programs AS ( -- common: the share of samples in functions of the same name in both runs, 0-1
    SELECT diff_program(main, after) AS a, diff_program(after, main) AS b, (SELECT command FROM main.runs) AS was, (SELECT command FROM after.runs) AS is_now,
      (SELECT total(min(x.share, y.share)) FROM (diff_functions(main, diff_program(main, after), retyped)) AS x JOIN (diff_functions(after, diff_program(after, main), retyped)) AS y ON y.name = x.name) AS common
  ),
  texts AS ( -- newer: a source file that was newer than the program. text: 1 if the run has source text
    SELECT 'before' AS run, (SELECT detail FROM main.losses WHERE source = 'sources' AND what = 'newer than the program') AS newer, EXISTS (SELECT 1 FROM main.source_lines) AS text
    UNION ALL
    SELECT 'after', (SELECT detail FROM after.losses WHERE source = 'sources' AND what = 'newer than the program'), EXISTS (SELECT 1 FROM after.source_lines)
  ),
  parts AS (
    SELECT max(iif(part <> 'run', unit, NULL)) AS unit, ceil(max(iif(verdict IN ('less', 'more'), noise, NULL))) AS noise
    FROM temp.change
    HAVING unit IS NOT NULL
  ),
  kinds AS ( -- the kinds of time that changed beyond chance, those with the largest change first
    SELECT change, printf('%s (%+.1f %s)', name, change, unit) AS text
    FROM temp.change
    WHERE part = 'kind of time' AND verdict IN ('less', 'more')
    ORDER BY abs(change) DESC
  ),
  moved AS (
    SELECT
      (SELECT group_concat(text, ', ') FROM kinds WHERE change < 0) AS less, (SELECT group_concat(text, ', ') FROM kinds WHERE change > 0) AS more,
      total(max(-change, 0)) AS lost, total(max(change, 0)) AS gained
    FROM kinds
  )
SELECT 'both databases are of one recording: what differs is how it was imported, and no row tells of a change of the program' AS text, 1 AS warns
FROM same, parts
WHERE yes
UNION ALL
SELECT printf('the runs are of programs with different names, %s and %s: functions of the same name have %.0f %% of the samples%s', a, b, 100 * common,
    iif(common < 0.5, ', so the programs have little in common, and most rows compare one with nothing', '')), common < 0.5
FROM programs, parts
WHERE a IS NOT NULL AND b IS NOT NULL AND a <> b
UNION ALL
SELECT printf('the commands differ, %s and %s: what differs may be their work', quote(was), quote(is_now)), 1
FROM programs, parts
WHERE (a IS NULL OR b IS NULL OR a = b) AND was <> is_now
UNION ALL
SELECT printf('in the run %s, source text was not used%s: objects that it would name are called by function and line; they are matched by the place of their allocation if it is unique there, otherwise they and their members show as gone or new',
    group_concat(run, ' and in the run '), coalesce(', because it was newer than the program: ' || max(newer), '')), 1
FROM texts, parts
WHERE newer IS NOT NULL OR NOT text AND (SELECT max(text) FROM texts)
HAVING count(*) = 1 OR min(newer) <> max(newer)
UNION ALL
SELECT printf('time moved from one kind to another, so most of it is not saved: from %s to %s', less, more), 0
FROM moved, parts
WHERE min(lost, gained) * 2 >= max(lost, gained) AND lost > 0
UNION ALL
SELECT iif(:noise = 0 AND diff_counted(main) AND diff_counted(after), 'counts of all accesses, without chance: runs of one program differ if its work depends on time, addresses or the turns of its threads',
  printf('%s%s; within chance is what the sampling explains, and %.3g %% of the larger value, by which two runs of one program may differ (--noise); the 95 %% are for the totals together, and for all other rows together',
  iif(unit = 'accesses', 'counts of ', 'costs in '), unit, :noise)), 0
FROM parts
UNION ALL
SELECT printf('threads that computed were off the CPUs for %.0f %% of their time before and %.0f %% after: other threads had these, which makes two runs of one program differ by more; on an idle machine, smaller changes show', 100 * before, 100 * after), 0
FROM (SELECT coalesce(diff_displaced(main), 0) AS before, coalesce(diff_displaced(after), 0) AS after), parts
WHERE :noise > diff_noise(0, 0) AND :noise = diff_noise(before, after)
UNION ALL
SELECT printf('some time depends on which threads ran at the same time: they did so for %.0f %% of the time in which they could before and %.0f %% after; what this may explain is within chance, too', c.before, c.after), 0
FROM temp.change AS c, parts
WHERE c.part = 'run' AND c.name = 'threads at the same time'
UNION ALL
SELECT printf('both runs are of the same program file: if nothing else was changed, then two runs of this program differ by more: compare later ones with --noise %.0f', noise), 0
FROM parts
WHERE noise > :noise AND diff_builds(main) = diff_builds(after) AND NOT (SELECT yes FROM same)
UNION ALL
SELECT printf('values are means of %d runs before and %d after; %s by what two runs leave to chance, divided by the square root of %d', k, k,
    iif(k > 2, 'the totals are judged by how much these runs differ among each other, all other rows', 'they are judged'), k), 0
FROM (SELECT count(DISTINCT pair) AS k FROM temp.pairs), parts
WHERE k > 1;
