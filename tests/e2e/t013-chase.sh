#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the time spent waiting for a linked list is attributed to the list. Each load overwrites its own address
# register, so the next load through the new pointer gives the address.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer chase 1
assert_sound

in_walk="symbol_id IN (SELECT id FROM symbols WHERE name = 'walk')"
assert_ge "samples in the walk" 500 "$(sql "SELECT count(*) FROM samples WHERE $in_walk")"
assert_ge "percent of them that waited for memory" 80 "$(sql "
	SELECT 100.0 * sum(waited IS 1) / count(*) FROM samples WHERE $in_walk")"
assert_eq "samples that waited for their address, but are not said to" 0 "$(sql "
	SELECT count(*) FROM samples JOIN addr_sources r ON r.id = addr_source
	WHERE r.name = 'retired' AND waited IS NOT 1")"

# line_costs also contains the waits whose address is unknown, because the line of a sample is always
# known.
assert_eq "function and line with the largest waiting" "walk|chase.c" "$(sql "
	SELECT function, replace(file, rtrim(file, replace(file, '/', '')), '') FROM line_costs
	WHERE line = $(value first_line) + 5 -- the load, not the statement behind it
		AND cost = (SELECT max(cost) FROM line_costs)")"
# the making of the list waits, too, and on some machines for a third of the walk's time
assert_ge "the walk's percent of the waiting after the list was made" 80 "$(sql "
	SELECT 100.0 * cost / (SELECT sum(cost) FROM function_costs WHERE function IS NOT 'link_list')
	FROM function_costs WHERE function = 'walk'")"
assert_ge "percent of the walk's time that is waiting" 80 "$(sql "
	SELECT 100.0 * cost / thread_time FROM function_costs WHERE function = 'walk'")"
assert_eq "sums by function, by object and by sample" 0.0 "$(sql "
	SELECT max(a, b, c) - min(a, b, c) FROM (SELECT (SELECT sum(cost) FROM function_costs) AS a,
		(SELECT sum(cost) FROM object_costs) AS b, (SELECT sum(cost) FROM access_samples) AS c)")"

assert_ge "percent of the walk's waiting at the list" 95 "$(sql "
	SELECT 100.0 * coalesce(sum(period) FILTER (WHERE array IS 'list'), 0) / (
		SELECT sum(period) FROM samples WHERE $in_walk AND waited)
	FROM samples s LEFT JOIN (SELECT id AS hit, array FROM hits) ON hit = s.id WHERE $in_walk AND waited")"
assert_eq "what costs most" list "$(sql "SELECT object FROM object_costs ORDER BY cost DESC LIMIT 1")"
assert_eq "what coverage says of the waiting" again "$(sql "
	SELECT answer FROM coverage WHERE question = 'wait' ORDER BY samples DESC LIMIT 1")"

# members FUNCTION: prints for each struct member its percentage of the waits in FUNCTION ("-": the member
# is unknown).
members()
{
	sql "SELECT coalesce(member, '-'), 100 * sum(cost) / sum(sum(cost)) OVER () FROM access_samples
		WHERE function = '$1' AND object_kind = 'heap' AND cost > 0 GROUP BY 1"
}

# of MEMBER FUNCTION: prints MEMBER's percentage of the waits in FUNCTION, 0 if it has none.
of()
{
	members "$2" | awk -F'|' -v member="$1" '$1 == member { p = $2 } END { print int(p) }'
}

record --sampler=timer chase 0.4 members
assert_ge "percent of the waits at the member read first: $(members walk_near)" 90 "$(of near walk_near)"
assert_ge "percent of the waits at the member that leads on: $(members walk_far)" 80 "$(of next walk_far)"
assert_eq "members of a step down that cannot be told apart" "-,near" "$(members descend | awk -F'|' '$2 > 2 { print $1 }' | paste -sd,)"
assert_eq "addresses nearby, of which a member is said" "1|0" "$(sql "
	SELECT count(*) > 0, count(member) FROM access_samples WHERE function = 'descend' AND address_source = 'nearby'")"
