-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   function_objects
-- summary: Cost of memory by function and object.
-- keep:    2000 rows at most
SELECT
  function AS function,           -- function of the innermost frame, inlined or not
  nullif(symbol, function) AS symbol, -- the symbol that contains the function, if its name differs, as that of a function into which it was inlined
  object_id AS object_id,         -- objects.object_id; NULL: samples without an object
  object AS object,               -- objects.name, such as the name of the variable
  addressed AS addressed,         -- number of samples in which the function accesses the object
  stores AS stores,               -- number of these samples whose access writes
  cost_pct AS cost_pct,           -- share of the run's cost of memory, 0-100
  cost_low_pct AS cost_low_pct,   -- lower end of the 95 % interval of cost_pct
  cost_high_pct AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  access_pct AS access_pct,       -- share of the run's accesses, 0-100; NULL: the samples measure time and do not count accesses
  access_low_pct AS access_low_pct, -- lower end of the 95 % interval of access_pct
  access_high_pct AS access_high_pct -- upper end of the 95 % interval of access_pct
FROM function_object_costs
ORDER BY cost DESC, access_pct DESC, addressed DESC, function, object_id;
