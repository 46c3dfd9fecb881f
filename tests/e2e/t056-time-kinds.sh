#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a program's time is divided by kind. Each program does only one thing, in functions named after it.
. "$(dirname "$0")/lib.sh"
need_perf

# kinds FUNCTION: prints its samples by kind of time, most frequent first
kinds()
{
	sql "SELECT time_kind || ' ' || sum(samples) FROM time_spent WHERE function LIKE '$1%' GROUP BY time_kind ORDER BY sum(samples) DESC"
}

# mostly FUNCTION KIND...: checks that nine in ten of its samples are of these kinds
mostly()
{
	local function=$1 list
	shift
	list=$(printf "'%s'," "$@")
	assert_ge "samples in $function ($(kinds "$function" | tr '\n' ' '))" 100 "$(sql "SELECT sum(samples) FROM time_spent WHERE function LIKE '$function%'")"
	assert_ge "of ten in $function, $* ($(kinds "$function" | tr '\n' ' '))" 9 "$(sql "
		SELECT CAST(10 * total(iif(time_kind IN (${list%,}), samples, 0)) / sum(samples) + 0.001 AS INTEGER) FROM time_spent WHERE function LIKE '$function%'")"
}

# verdict BEGINNING: checks how the report's first line begins
verdict()
{
	local first

	first=$("$MEMDB" report "$DB" | sed -n 1p)
	case $first in
	"$1"*) ;;
	*) fail "the report begins with '$first', not with '$1'" ;;
	esac
}

record --sampler=timer timekinds compute
mostly compute compute cached
verdict 'not memory: '

record --sampler=timer timekinds stream
mostly compute_stream compute
verdict 'not memory: '

record --sampler=timer timekinds gather
mostly gather memory
verdict 'memory: '

record --sampler=timer timekinds atomic
mostly count_atomically atomic
verdict 'atomic operations: '

record --sampler=timer timekinds spin
mostly spin_wait spin fence
mostly compute compute cached

record --sampler=timer timekinds mutex
verdict 'synchronisation: '

record --sampler=timer timekinds barrier
verdict 'synchronisation: '

record --sampler=timer timekinds system
verdict 'the kernel: '
