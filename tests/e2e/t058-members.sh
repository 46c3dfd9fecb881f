#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that samples of heap, static and stack objects name the element type and the member that they hit. The
# programs print the right answers. At least 90 % of the samples have a type and a member, and 99 % of these are
# right. Local arrays of a caller have them, too, by the pointers through which the code accesses them.
. "$(dirname "$0")/lib.sh"
need_perf

# judge: prints for each array the number of its samples, of those with type and member, and of those whose type and
# member are right.
judge()
{
	awk -v OFS='\t' '$1 == "typed" { print $2, $3, $4, $5 }' "$T/stdout" >"$T/typed"
	awk -v OFS='\t' '$1 == "part" { print $2, $3 == "-" ? "" : $3, $4, $5 }' "$T/stdout" >"$T/part"
	sqlite3 -separator $'\t' "$T/answers.db" "CREATE TABLE typed (array, type, bytes INTEGER, start INTEGER);
		CREATE TABLE parts (type, member, offset INTEGER, bytes INTEGER);" ".import '$T/typed' typed" ".import '$T/part' parts" \
		"CREATE TABLE blocks AS SELECT DISTINCT a.*, t.type, t.bytes AS type_bytes, t.start FROM arrays a JOIN typed t ON t.array = a.name"
	sql "
		WITH known AS (
			SELECT b.name AS array, s.id, x.type, x.member, x.element, w.size_bytes, b.type_bytes,
				(s.address - b.address - b.start) / b.type_bytes AS number,
				(SELECT p.member FROM parts p WHERE p.type = b.type
					AND (s.address - b.address - b.start) % b.type_bytes BETWEEN p.offset AND p.offset + p.bytes - 1) AS truth
			FROM blocks b JOIN samples s ON s.address >= b.address AND s.address < b.address + b.bytes
				AND s.time BETWEEN b.start_ns AND b.end_ns
			JOIN access_samples x ON x.sample_id = s.id AND x.address IS NOT NULL -- which a lost wait has not
			LEFT JOIN objects o ON o.id = s.object_id LEFT JOIN types w ON w.id = o.type_id)
		SELECT array, count(*), count(member), total(member IS truth AND (element IS number OR array LIKE 'lent%')
			AND (size_bytes = type_bytes OR type_bytes > 1000000)) FROM known GROUP BY 1"
}

# check BUILD PROGRAM ARRAYS...: records PROGRAM, built as BUILD says, and checks the samples of
# these arrays.
check()
{
	local build=$1 array n known right

	shift 2
	verdicts=$(judge)
	[[ $build == *-O0* ]] || for array; do # without optimisation, most samples are on the loops' own variables
		IFS='|' read -r _ n known right < <(grep "^$array|" <<<"$verdicts")
		assert_ge "$build: samples in $array" 1 "${n:-0}"
	done
	read -r n known right < <(awk -F'|' '{ n += $2; known += $3; right += $4 } END { print n, known, int(right) }' <<<"$verdicts")
	assert_ge "$build: samples with a member, of $n: $verdicts" $((n * 9 / 10)) "$known"
	assert_ge "$build: of $known these are right: $verdicts" $(((known * 99 + 99) / 100)) "$right"
}

# build_members SOURCE FLAG...: builds the program as $build says. If it ends with "apart", moves the debug information to
# a file of its own.
build_members()
{
	(
		cd "$T" || exit # for files of modules and of split DWARF
		${build% apart} -g -w -I"$SRC/tests/programs" -o members "${@:2}" "$SRC/tests/programs/$1"
		[[ $build == *apart ]] || exit 0
		objcopy --only-keep-debug members members.debug
		strip members
		objcopy --add-gnu-debuglink=members.debug members
	)
}

for build in "gcc -O2" "gcc -O0 -gdwarf-4" "gcc -O3 -flto" "clang -O2" "gcc -O2 -gz apart"; do
	command -v "${build%% *}" >/dev/null || continue
	build_members members.c -D_GNU_SOURCE
	record --sampler=timer --freq=3000 "$T/members" 0.05
	check "$build" members nodes list edges cloud values words held linked table numbers local lent lent_numbers
	[[ $build == *-O0* || $build == *lto* ]] || assert_eq "$build: types that only accesses tell" "accessed held node|accessed linked node" "$(sql "
		SELECT group_concat(x, '|') FROM (SELECT DISTINCT o.type_source || ' ' || b.name || ' ' || replace(t.name, 'struct ', '') AS x
		FROM arrays b JOIN samples s ON s.address >= b.address AND s.address < b.address + b.bytes
		JOIN objects o ON o.id = s.object_id JOIN types t ON t.id = o.type_id WHERE b.name IN ('held', 'linked') ORDER BY 1)")"
done

for build in "g++ -O2" "g++ -O0" "clang++ -O2 -gdwarf-4" "g++ -O2 -fdebug-types-section" \
	"g++ -O2 -gdwarf-4 -fdebug-types-section" "clang++ -O2 -fdebug-types-section" "g++ -O2 -gsplit-dwarf" "g++ -O2 apart"; do
	command -v "${build%% *}" >/dev/null || continue
	build_members members.cc -std=gnu++17
	record --sampler=timer --freq=3000 "$T/members" 0.05
	check "$build" members orders once book cells named bodies queue shared numbers ledger
done

build="clang++ -O2 -gsplit-dwarf -fdebug-types-section"
if command -v clang++; then
	build_members members.cc -std=gnu++17
	record --sampler=timer "$T/members" 0.05
	assert_eq "$build: name of a type in a namespace" market::Order "$(sql "SELECT DISTINCT t.name FROM objects o
		JOIN types t ON t.id = o.type_id WHERE o.name = 'orders'")"
fi

for build in "gfortran -O2" "gfortran -O3 -flto" "gfortran -O2 apart"; do
	command -v "${build%% *}" >/dev/null || continue
	build_members members.f90
	record --sampler=timer --freq=3000 "$T/members"
	check "$build" members orders table cloud nodes
done

if command -v g++; then
	(cd "$T" && g++ -O2 -g -w -std=gnu++17 -gsplit-dwarf -I"$SRC/tests/programs" -o members "$SRC/tests/programs/members.cc" && rm ./*.dwo)
	record --sampler=timer --freq=3000 "$T/members" 0.05
	assert_eq "objects with the name of an allocator, without the split DWARF" "" \
		"$(sql "SELECT name FROM objects WHERE name LIKE 'operator new%' ORDER BY 1")"
fi
