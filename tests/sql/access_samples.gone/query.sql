-- SPDX-License-Identifier: GPL-2.0-or-later
-- Compares the number of samples and the cost of each object with object_costs. A sample in a page
-- fault must not count for an object, because it is not an access.
SELECT a.object, a.n AS samples, c.addressed AS addressed, c.samples AS of_samples, a.cost AS cost, c.cost AS of_cost, a.addresses, a.homes, a.sources
FROM (
  SELECT object_id, object, count(*) AS n, sum(cost) AS cost, count(address) AS addresses, count(home) AS homes, group_concat(DISTINCT address_source) AS sources
  FROM access_samples
  GROUP BY object_id
) AS a
LEFT JOIN object_costs AS c ON c.object_id IS a.object_id
ORDER BY 1;
