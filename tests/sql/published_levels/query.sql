-- SPDX-License-Identifier: GPL-2.0-or-later
select (select name from symbols where id = symbol_id) as function, (select name from memory_levels where id = memory_level) as lvl,
       count(*) as "count" from samples where function = 'worker' group by lvl order by count desc;
