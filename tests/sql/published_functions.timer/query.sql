-- SPDX-License-Identifier: GPL-2.0-or-later
select (select name from symbols where id = symbol_id) as function, count(*) as numSamples, sum(weight) as "sumWeight",
       sum(weight)/count(*) as averageWeight from samples group by symbol_id order by sumWeight desc;
