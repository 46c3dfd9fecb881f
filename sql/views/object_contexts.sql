-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_contexts AS
-- view:    object_contexts
-- summary: Which part of an object each thread uses, by calling context: the function and who called it.
-- grain:   one row per object, function, caller and thread with a sample
-- source:  Liu & Mellor-Crummey 2014, 5.2: the address range of each thread, by calling context
-- note:    from drawn_samples; a pattern that is a mixture over the whole run may be regular in each context. The query contexts
--          has lines and whole procedures with all that they call
WITH
  code AS MATERIALIZED ( -- each sampled instruction: its innermost function, and the one that this was inlined into
    SELECT i.id AS id, code_name(coalesce(l.function, s.name), d.short_name) AS function, n.function AS inlined_into
    FROM instructions AS i
    LEFT JOIN locations AS l ON l.id = i.location_id
    LEFT JOIN symbols AS s ON s.id = i.symbol_id
    LEFT JOIN dsos AS d ON d.id = i.dso_id
    LEFT JOIN inlined_frames AS n ON n.location_id = i.location_id AND n.depth = 1
  ),
  callers AS MATERIALIZED ( -- each call path: the function that called its innermost one
    SELECT p.id AS id, CASE c.kind WHEN 'root' THEN NULL WHEN 'truncated' THEN '[unknown]' ELSE coalesce(l.function, s.name, '[unknown]') END AS caller
    FROM call_paths AS p
    JOIN call_paths AS c ON c.id = p.parent_id
    LEFT JOIN locations AS l ON l.id = c.location_id
    LEFT JOIN symbols AS s ON s.id = c.symbol_id
  )
SELECT
  s.object_id AS object_id,   -- objects.id
  f.function AS function,     -- innermost source function, inlined or not; else the symbol; [file] without one
  coalesce(f.inlined_into, c.caller) AS caller, -- the function that called it, or that it was inlined into; NULL: none, or not recorded; "[unknown]": not known
  s.thread_id AS thread_id,   -- threads.id; NULL: not known
  min(s.place) AS low,        -- lowest offset, as a part of the object's extent, in [0, 1]
  max(s.place) AS high,       -- highest offset
  count(*) AS drawn,          -- drawn samples (count)
  sum(s.stores) AS drawn_stores, -- of these, that write (count)
  sum(s.cost) * max(s.one_in) AS cost, -- what they cost, scaled to the run, in run_costs.cost_unit
  coalesce(sum(s.home_node_id = s.cpu_node_id), 0) AS local, -- drawn samples of a page on the CPU's own node (count)
  coalesce(sum(s.home_node_id <> s.cpu_node_id), 0) AS remote, -- of a page on another node (count)
  min(s.call_path_id) AS call_path_id -- call_stacks.call_path_id of one of them; NULL: not recorded
FROM drawn_samples AS s
JOIN code AS f ON f.id = s.instruction_id
LEFT JOIN callers AS c ON c.id = s.call_path_id
WHERE s.extent_bytes > 0 AND s.object_id IS NOT NULL
GROUP BY s.object_id, f.function, coalesce(f.inlined_into, c.caller), s.thread_id;
