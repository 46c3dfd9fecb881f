-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW time_spent AS
-- view:    time_spent
-- summary: Thread time by kind and source line: waiting for memory, computing, synchronisation, page faults, system calls.
-- grain:   one row per kind of time and source line (of the innermost frame); code without line numbers has one row per function
-- note:    the kind depends on the instruction that precedes ip in a sample of the timer or of cycles: an instruction that waits for the result of
--          an earlier load counts by its own kind, such as "compute". Other samplers and an emulated CPU do not measure time, so there are no rows
WITH
  run AS MATERIALIZED run_totals(),
  cells AS (
    SELECT
      k.time_kind AS kind,
      i.location_id AS location_id, i.symbol_id AS symbol_id, i.dso_id AS dso_id, c.samples AS samples, c.period AS period
    FROM sample_cells AS c
    CROSS JOIN kind_measures AS m ON m.id = c.kind_id
    CROSS JOIN access_kinds AS k ON k.id = c.kind_id
    LEFT JOIN instructions AS i ON i.id = c.instruction_id
    WHERE m.timed AND k.time_kind IS NOT NULL
  ),
  places AS (
    SELECT
      c.kind AS kind, code_name(coalesce(l.function, s.name), d.short_name) AS function, f.path AS file, l.line AS line, d.id AS dso_id, d.short_name AS dso,
      c.samples AS samples, c.period AS period
    FROM cells AS c
    LEFT JOIN locations AS l ON l.id = c.location_id
    LEFT JOIN symbols AS s ON s.id = c.symbol_id
    LEFT JOIN dsos AS d ON d.id = c.dso_id
    LEFT JOIN files AS f ON f.id = l.file_id
  )
SELECT
  n.name AS time_kind,          -- time_kinds.name; "sharing": waits for cache lines that other threads use at the same time, while at least one thread writes them; "cached": also waits for frames of a stack, and for an object or local variable of 1 byte to 32 KiB that no thread writes while others use it
  p.function AS function,       -- function of the innermost frame, inlined or not; the symbol if there is no debug information; [file] if there is no symbol
  p.file AS file,               -- source file; NULL: not known
  p.line AS line,               -- source line; NULL: not known
  p.dso_id AS dso_id,           -- dsos.id; NULL: not known
  p.dso AS dso,                 -- name of the program or library that contains the code
  sum(p.samples) AS samples,    -- number of samples with this kind of time and this line
  sum(p.period) AS thread_time, -- time that threads spent in this way, in ns (timer) or core cycles (cycle counter)
  100.0 * sum(p.period) / nullif(r.thread_time, 0) AS time_pct, -- share of the run's thread time, 0-100
  share_low(sum(p.period), r.thread_time, r.thread_time_sq) AS time_low_pct, -- lower end of the 95 % interval of time_pct
  share_high(sum(p.period), r.thread_time, r.thread_time_sq) AS time_high_pct -- upper end of the 95 % interval of time_pct
FROM places AS p
CROSS JOIN run AS r
LEFT JOIN time_kinds AS n ON n.id = p.kind
GROUP BY p.kind, p.function, p.file, p.line, p.dso_id;
