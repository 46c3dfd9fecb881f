-- SPDX-License-Identifier: GPL-2.0-or-later
-- Compares samples of time (database main) with drawn accesses of the sampler exact (database every), both in the
-- functions of :program whose names are like :code. The waits of the samples are compared with the costs of the modelled
-- caches: 14 cycles for an access that hits the second level, 50 for the third level, 200 for memory. Accesses are matched
-- by names and offsets, because heap addresses differ between runs. All stacks count as one object, because their names
-- contain numbers of processes and threads. A timer sample with an address is "seen by the oracle" if the sampler exact
-- saw an access of the same function to the same object. An address in no object is never seen.
CREATE TEMP TABLE waits AS
SELECT
  s.ip AS instruction, a.file || ':' || a.line AS line, iif(a.object_kind = 'stack', '[stack]', a.object) || ' ' || a.object_kind AS object, iif(a.object_kind = 'stack', '[stack]', a.object) || '.' || a.member AS member,
  iif(a.object_kind = 'stack', '[stack]', a.object) || ' ' || (a.object_offset / 4096) AS page, a.symbol AS symbol, t.number AS thread, a.cost AS cost, a.address IS NOT NULL AS addressed
FROM access_samples AS a
JOIN samples AS s ON s.id = a.sample_id
JOIN (SELECT id, row_number() OVER (ORDER BY tid) AS number FROM threads WHERE id IN (SELECT thread_id FROM access_samples)) AS t ON t.id = a.thread_id
WHERE a.dso IN (:program, '[' || :program || ']') AND a.symbol LIKE :code;

CREATE TEMP TABLE accesses AS
SELECT
  s.ip AS instruction, a.file || ':' || a.line AS line, iif(a.object_kind = 'stack', '[stack]', a.object) || ' ' || a.object_kind AS object, iif(a.object_kind = 'stack', '[stack]', a.object) || '.' || a.member AS member,
  iif(a.object_kind = 'stack', '[stack]', a.object) || ' ' || (a.object_offset / 4096) AS page, a.symbol AS symbol, t.number AS thread,
  a.estimate * CASE a.level WHEN 'L2 (model)' THEN 14 WHEN 'L3 (model)' THEN 50 WHEN 'L3 miss (model)' THEN 200 ELSE 0 END AS cost
FROM every.access_samples AS a
JOIN every.samples AS s ON s.id = a.sample_id
JOIN (SELECT id, row_number() OVER (ORDER BY tid) AS number FROM every.threads WHERE id IN (SELECT thread_id FROM every.access_samples)) AS t ON t.id = a.thread_id
WHERE a.dso IN (:program, '[' || :program || ']') AND a.symbol LIKE :code AND a.address IS NOT NULL;

CREATE TEMP TABLE seen AS SELECT DISTINCT symbol, object FROM accesses WHERE object IS NOT NULL;

CREATE TEMP TABLE cells AS
WITH
  parts (grain, key, waited, modelled) AS (
    SELECT 'instruction', instruction, cost, 0 FROM waits UNION ALL SELECT 'instruction', instruction, 0, cost FROM accesses
    UNION ALL SELECT 'line', line, cost, 0 FROM waits UNION ALL SELECT 'line', line, 0, cost FROM accesses
    UNION ALL SELECT 'object', object, cost, 0 FROM waits UNION ALL SELECT 'object', object, 0, cost FROM accesses
    UNION ALL SELECT 'member', member, cost, 0 FROM waits UNION ALL SELECT 'member', member, 0, cost FROM accesses
    UNION ALL SELECT 'page', page, cost, 0 FROM waits UNION ALL SELECT 'page', page, 0, cost FROM accesses
    UNION ALL SELECT 'thread', thread, cost, 0 FROM waits UNION ALL SELECT 'thread', thread, 0, cost FROM accesses
  )
SELECT grain, key, total(waited) AS waited, total(modelled) AS modelled FROM parts WHERE key IS NOT NULL GROUP BY 1, 2;

WITH
  whole AS (SELECT grain, sum(waited) AS waited, sum(modelled) AS modelled FROM cells GROUP BY 1),
  distance AS (
    SELECT c.grain AS grain, round(sum(abs(c.waited / w.waited - c.modelled / w.modelled)) / 2, 2) AS d
    FROM cells AS c JOIN whole AS w USING (grain) GROUP BY 1
  ),
  ranks AS ( -- ranks of the objects that have at least 1 % of the waits or of the modelled costs
    SELECT rank() OVER (ORDER BY c.waited) AS a, rank() OVER (ORDER BY c.modelled) AS b
    FROM cells AS c JOIN whole AS w USING (grain) WHERE grain = 'object' AND max(c.waited / w.waited, c.modelled / w.modelled) >= 0.01
  ),
  means AS (SELECT avg(a) AS a, avg(b) AS b, count(*) AS n FROM ranks),
  hits AS (
    SELECT count(*) AS n, count(s.object) AS hit
    FROM waits AS w LEFT JOIN temp.seen AS s USING (symbol, object) WHERE w.addressed
  )
SELECT
  :program AS program,
  (SELECT n FROM hits) AS "addressed samples",
  printf('%.2f %%', (SELECT 100.0 * hit / n FROM hits)) AS "seen by the oracle",
  (SELECT d FROM distance WHERE grain = 'instruction') AS instruction,
  (SELECT d FROM distance WHERE grain = 'line') AS line,
  (SELECT d FROM distance WHERE grain = 'object') AS object,
  (SELECT d FROM distance WHERE grain = 'member') AS member,
  (SELECT d FROM distance WHERE grain = 'page') AS page,
  (SELECT d FROM distance WHERE grain = 'thread') AS thread,
  (SELECT n FROM means) AS objects,
  round((SELECT sum((r.a - m.a) * (r.b - m.b)) / sqrt(sum((r.a - m.a) * (r.a - m.a)) * sum((r.b - m.b) * (r.b - m.b))) FROM ranks AS r, means AS m), 2) AS "rank correlation";
