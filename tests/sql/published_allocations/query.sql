-- SPDX-License-Identifier: GPL-2.0-or-later
select allocation_id, printf('%x', address_start), printf('%x', address_end), (select tid from threads where id = allocations.thread_id) as tid,
       count(*) as numSamples, sum(weight) as sumWeight, sum(weight)/count(*) as averageWeight
  from samples inner join allocations on samples.allocation_id = allocations.id group by allocation_id having allocation_id is not null;
