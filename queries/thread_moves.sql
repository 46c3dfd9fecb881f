-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   thread_moves
-- summary: How often each thread ran on another CPU than before, from node to node.
-- param:   top 50 rows at most
-- column:  thread_id  threads.id
-- column:  tid        thread
-- column:  comm       its name
-- column:  from_node  node it left; empty: not known
-- column:  to_node    node it came to
-- column:  moves      how often
-- column:  crosses    1: another node
SELECT
  thread_id,
  tid,
  comm,
  from_node_id AS from_node,
  to_node_id AS to_node,
  count(*) AS moves,
  crosses
FROM thread_moves
GROUP BY thread_id, from_node_id, to_node_id
ORDER BY crosses DESC, moves DESC, thread_id, from_node_id, to_node_id
LIMIT coalesce(:top, 50);
