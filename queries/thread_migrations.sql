-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   thread_migrations
-- summary: How often each thread was moved by a thread of the program, from node to node.
-- param:   top 50 rows at most
-- column:  tid        thread
-- column:  comm       its name
-- column:  from_node  node it left; empty: not known
-- column:  to_node    node it came to
-- column:  moves      how often
-- column:  crosses    1: another node
SELECT
  tid,
  comm,
  from_node_id AS from_node,
  to_node_id AS to_node,
  count(*) AS moves,
  crosses
FROM thread_migrations
GROUP BY tid, comm, from_node_id, to_node_id
ORDER BY crosses DESC, moves DESC, tid, from_node_id, to_node_id
LIMIT coalesce(:top, 50);
