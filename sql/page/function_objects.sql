-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   function_objects
-- summary: Cost of memory by function and object.
-- keep:    2000 rows at most
SELECT
  function AS function,           -- innermost source function, which may be inlined
  object_id AS object_id,         -- objects.object_id; NULL: samples without an object
  object AS object,               -- the object's name
  addressed AS addressed,         -- samples of the function that access the object (count)
  stores AS stores,               -- samples in addressed that write (count)
  cost_pct AS cost_pct,           -- share of the run's cost, 0-100
  cost_low_pct AS cost_low_pct,   -- lower end of the 95 % interval of cost_pct
  cost_high_pct AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  access_pct AS access_pct,       -- share of the run's accesses, 0-100; NULL: samples are of time, not of accesses
  access_low_pct AS access_low_pct, -- lower end of the 95 % interval of access_pct
  access_high_pct AS access_high_pct -- upper end of the 95 % interval of access_pct
FROM function_object_costs
ORDER BY cost DESC, access_pct DESC, addressed DESC, function, object_id;
