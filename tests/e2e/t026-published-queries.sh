#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that published SQL queries for perf's SQLite databases run on ours without changes and give right answers.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer hot 0.4

sql "
select (select name from symbols where id = symbol_id) as function, count(*) as numSamples, sum(weight) as \"sumWeight\",
       sum(weight)/count(*) as averageWeight from samples group by symbol_id order by sumWeight desc;
" >"$T/listing1"
assert_eq "listing 1: samples of each function" "$(sql "
	SELECT y.name || '|' || count(*) FROM samples s LEFT JOIN symbols y ON y.id = s.symbol_id GROUP BY y.id" | sort)" \
	"$(cut -d '|' -f 1,2 "$T/listing1" | sed 's/^|.*//' | sort)"
assert_ge "samples of hot_loop" 100 "$(awk -F '|' '$1 == "hot_loop" { print $2 }' "$T/listing1")"

assert_eq "listing 2: samples of the function" "$(sql "
	SELECT count(*) FROM samples WHERE symbol_id IN (SELECT id FROM symbols WHERE name = 'hot_loop')")" \
	"$(sql "
select (select name from symbols where id = symbol_id) as function, (select name from memory_levels where id = memory_level) as lvl,
       count(*) as \"count\" from samples where function = 'hot_loop' group by lvl order by count desc;
" | awk -F '|' '{ sum += $3 } END { print sum }')"

sql "
select allocation_id, printf('%x', address_start), printf('%x', address_end), (select tid from threads where id = allocations.thread_id) as tid,
       count(*) as numSamples, sum(weight) as sumWeight, sum(weight)/count(*) as averageWeight
  from samples inner join allocations on samples.allocation_id = allocations.id group by allocation_id having allocation_id is not null;
" >"$T/listing3"
for array in gather idx out; do
	address=$(sql "SELECT printf('%x', address) FROM answers.arrays WHERE name = '$array'")
	assert_eq "listing 3: samples of $array" \
		"$(sql "SELECT count(*) FROM samples s JOIN allocations b ON b.id = s.allocation_id
			JOIN answers.arrays a ON a.address = b.address_start WHERE a.name = '$array'")" \
		"$(awk -F '|' -v a="$address" '$2 == a { n = $5 } END { print n + 0 }' "$T/listing3")"
done
