-- SPDX-License-Identifier: GPL-2.0-or-later
-- Which threads use the same cache lines.

-- Returns 1 if it is certain that the thread of D, a row of drawn_samples, made the access. If the address is the operand of an earlier instruction
-- (addr_source 8, 10), the thread may have reached ip by a path without that instruction. So a sample of the thread with a different addr_source
-- must confirm the access to this address.
certain_access(D) := max(D.thread_id IS NULL OR D.addr_source NOT IN (8, 10)) OVER (PARTITION BY D.process_id, D.thread_id, D.address)

-- Returns the cache lines that move again and again between threads, if has_counts(). One row for each line and each thread for which it moves more
-- than once: process_id (or 0), line, thread_id, moved. Each line has at least two such threads. A line moves for a store if another thread has used
-- it since this thread's last access, and for a load if another thread has written it since then. The first move for each thread is not counted,
-- because it transfers data that another thread has prepared. The other moves number at least 10, and at least one in 1000 accesses to the line.
moving_lines() := (
    WITH
      counted AS MATERIALIZED ( -- at most one row; if there are no counts, this table is empty, and no sample is read. SQLite would evaluate has_counts() in a WHERE clause for each sample
        SELECT 1 WHERE has_counts()
      ),
      moves AS MATERIALIZED (
        SELECT coalesce(t.process_id, 0) AS process, s.address >> 6 AS line, s.thread_id AS thread_id, sum(s.period) AS moved
        FROM counted AS once
        CROSS JOIN sample_data AS s
        CROSS JOIN kind_measures AS m ON m.id = s.kind_id AND m.hitm
        LEFT JOIN threads AS t ON t.id = s.thread_id
        GROUP BY 1, 2, 3
      ),
      again AS MATERIALIZED (
        SELECT process, line, sum(moved - 1) AS moved FROM moves GROUP BY process, line HAVING sum(moved - 1) >= 10 AND sum(moved > 1) >= 2
      ),
      uses AS (
        SELECT coalesce(t.process_id, 0) AS process, s.address >> 6 AS line, sum(s.period) AS accesses
        FROM counted AS once
        CROSS JOIN sample_data AS s
        CROSS JOIN kind_measures AS m ON m.id = s.kind_id AND m.addressed
        LEFT JOIN threads AS t ON t.id = s.thread_id
        WHERE s.address >> 6 IN (SELECT line FROM again)
        GROUP BY 1, 2
      )
    SELECT m.process AS process, m.line AS line, m.thread_id AS thread_id, m.moved AS moved
    FROM again AS a
    JOIN uses AS u ON u.process = a.process AND u.line = a.line AND 1000 * a.moved >= u.accesses
    JOIN moves AS m ON m.process = a.process AND m.line = a.line AND m.moved > 1
  )

-- Returns 1 if the n counted accesses of a thread to a member only initialise it: they are stores, and they are few among all counted accesses to
-- the member. The times of counts do not show whether other threads use the member at the same time.
initialises(stores, n, all_of_member) := (has_counts() AND stores AND (n < 4 OR n * 1000 < all_of_member))

-- Returns 1 if a thread writes X and a different thread uses Y. first_thread and last_thread are the smallest and the largest id of the threads
-- that use X or Y, first_writer and last_writer those of the threads that write X (NULL: no thread).
writes_beside(X, Y) := (X.first_writer < X.last_writer OR X.first_writer <> Y.first_thread OR X.first_writer <> Y.last_thread)
