# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the script accuracy: comparisons with the sampler exact, which sees every access of a program.
: "${memdb:?}" "${work:?}" "${here:?}" # of that script

# Programs of fixed work in C, C++ (unordered, trie), Fortran (cg, jacobi), and C with OpenMP. The tenth is an interpreter:
# perl with script.pl, or for the comparison of costs the program interpreter.
fixed=(spmv hashjoin bst stencil unordered trie cg jacobi openmp)
export PERL_HASH_SEED=0 # otherwise, each run of perl has other accesses

# ended CODE FILE COMMAND...: says what failed if memdb record ended with an exit code other than 0. If it made a
# recording nevertheless (FILE), that is used, and this is said only once.
ended() {
	local code=$1 file=$2
	shift 2
	if [ ! -e "$file" ]; then
		echo "accuracy: memdb record made no recording of '$*' (exit code $code, its reason is above): correct that, and start again" >&2
		exit 1
	fi
	[ ! -e "$work/ended" ] || return 0
	: >"$work/ended"
	echo "accuracy: '$*' ended with exit code $code: what it did until then is compared; if it should not fail, run it alone, and correct the arguments or the folder" >&2
}

# exactly DATABASE OPTION... -- COMMAND...: records the command with the sampler exact. Its output goes to $work/said.
exactly() {
	local db=$1 options=()
	shift
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	rm -f "$db"
	"$memdb" record -q --sampler exact -o "$db" "${options[@]}" "$@" >"$work/said" || ended $? "$db" "${@:2}"
}

# compile_edited PROGRAM NAME SCRIPT: compiles a copy of the program, changed by this script of sed, in the folder NAME.
# Prints its path.
compile_edited() {
	local all=$here copy
	mkdir -p "$work/$2/programs"
	cp -p "$here"/programs/{program.h,main.c} "$work/$2/programs"
	copy=$work/$2/programs/$(basename "$(source_of "$1")")
	sed -E "$3" "$(source_of "$1")" >"$copy.new"
	cmp -s "$copy.new" "$copy" || mv "$copy.new" "$copy"
	here=$work/$2 compile "$1" "-O2 -fdebug-prefix-map=$work/$2=$all" "" ""
}

# passes_of PROGRAM: prints how many passes over its data the program makes under the sampler exact, which is slow.
# More passes would have the same cache hits and misses.
passes_of() {
	case $1 in
	spmv) echo 20 ;;
	cg | jacobi) echo 2 ;;
	stencil | openmp) echo 1 ;;
	*) echo '\2' ;;
	esac
}

# small_of PROGRAM: prints a script of sed that makes the program's data so small that all its accesses can be counted,
# some hundred thousand in one pass. Rows are as long as before.
small_of() {
	case $1 in
	spmv) echo 's/ROWS = 14000, VALUES = 1853104/ROWS = 700, VALUES = 92655/' ;;
	bst) echo 's|1 << 22|1 << 15|; s|1 << 20|1 << 13|g; s|16384|128|' ;;
	hashjoin) echo 's/1 << 2([34])/1 << 1\1/g' ;;
	stencil) echo 's/256/16/g; s/X = 16/X = 256/; s/X \* 300/X * 30/' ;;
	unordered) echo 's/1 << 2([023])/1 << 1\1/g' ;;
	trie) echo 's/3 << 19/3 << 9/; s/1 << 20/1 << 12/' ;;
	cg) echo 's/n = 3145728, rows = 174762/n = 24576, rows = 2048/' ;;
	jacobi) echo 's/n = 2896/n = 2896, few = 16/; s/\(n, n\)/(n, few)/; s/j = 2, n - 1/j = 2, few - 1/' ;;
	openmp) echo 's/1 << 23/1 << 14/' ;;
	*) ;;
	esac
	echo 's/(repeat < |repeat = 1, )[0-9]+/\11/'
}

# small PROGRAM: sets `words` to the command that runs the small version of the program. The number of passes can be added.
small() {
	case $1 in
	script) words=(perl "$here/programs/script.pl") ;;
	*) words=("$(compile_edited "$1" small "$(small_of "$1")")") ;;
	esac
}

# oracle NAME FUNCTIONS FEW COMMAND...: compares timer samples of COMMAND with the exact accesses of FEW, and
# prints a line of the table. FEW is the same command with fewer passes.
oracle() {
	local name=$1 functions=$2 few=$3 every=$work/$1.every.db time=$work/$1.time.db words
	shift 3
	read -ra words <<<"$few"
	[ "$every" -nt "$1" ] || exactly "$every" -c 1000 --model-caches -- "${words[@]}"
	record "$time" 5000 "$@"
	sqlite3 -cmd ".parameter init" -cmd ".parameter set :program '$name'" -cmd ".parameter set :code '$functions'" \
		-cmd "ATTACH '$every' AS every" -cmd ".mode markdown" "$time" ".read $here/oracle.sql"
}

# code_of DATABASE PROGRAM LIBRARIES: prints, as a JSON list, the program and, if LIBRARIES is 1, the libraries that it uses. libc and the
# loader are left out: on another CPU, as that of the emulator, they choose other functions.
code_of() {
	sqlite3 "$1" "
		SELECT json_group_array(code) FROM (SELECT DISTINCT trim(dso, '[]') AS code FROM access_samples)
		WHERE code = '$2' OR ($3 AND code LIKE '%.so%' AND code NOT GLOB 'libc.so*' AND code NOT GLOB 'ld-*' AND code NOT GLOB 'libmemdb*')"
}

# addresses NAME FEW RUNS RATE COMMAND...: checks which addresses of timer samples of COMMAND are among the accesses of FEW, and
# prints a line of the table. The samples come from RUNS recordings with this rate.
addresses() {
	local name=$1 few=$2 runs=$3 rate=$4 every=$work/$1.all.db time=$work/$1.addressed.db words code n
	shift 4
	read -ra words <<<"$few"
	exactly "$every" -c 1 -- "${words[@]}"
	code=$(code_of "$every" "$(basename "$1")" $((${#command[@]} > 0)))
	rm -f "$work/places.db"
	sqlite3 -cmd ".parameter init" -cmd ".parameter set :code '$code'" -cmd "ATTACH '$work/places.db' AS places" "$every" \
		".read $here/places.sql"
	for ((n = 0; n < runs; n++)); do
		# perl copies its environment to its heap, so both recordings must have as many variables
		GLIBC_TUNABLES=glibc.cpu.hwcaps=-ERMS,-FSRM MEMDB_ACCESS_PROGRAM='' MEMDB_ACCESS_STREAM='' record "$time" "$rate" "$@"
		sqlite3 -cmd ".parameter init" -cmd ".parameter set :code '$code'" -cmd "ATTACH '$work/places.db' AS every" \
			-csv "$time" ".read $here/addresses.sql"
	done | awk -F, -v name="$name" '
		function cell(part, whole) { return whole ? sprintf(" %d (%.2f %%) |", part, 100 * part / whole) : "  |" }
		{ for (i = 1; i <= 5; i++) sum[i] += $i }
		END { print "| " name " | " sum[1] " |" cell(sum[2], sum[1]) cell(sum[3], sum[1]) " " sum[4] " |" cell(sum[5], sum[4]) }'
}

# access_shares DATABASE: prints for each object its share of all accesses, the interval of this share (none if several
# objects have the name), and the number of samples in the database.
access_shares() {
	sqlite3 -csv "$1" "
		SELECT object || ' ' || kind, sum(access_pct), iif(count(*) = 1, min(access_low_pct), NULL), iif(count(*) = 1, max(access_high_pct), NULL),
			(SELECT count(*) FROM access_samples WHERE address IS NOT NULL)
		FROM object_costs WHERE access_pct IS NOT NULL GROUP BY 1" | sed 's/, pid [0-9]*//'
}

# drawn NAME RUNS COMMAND...: counts how often the intervals that memdb computes from drawn accesses contain the share
# that it gets by counting all accesses, and prints a line of the table. Each run draws different accesses, some 5,000.
drawn() {
	local name=$1 runs=$2 n every
	shift 2
	exactly "$work/all.db" -c 1 -- "$@"
	every=$(sqlite3 "$work/all.db" "SELECT max(2, sum(estimate) / 5000) FROM access_samples")
	access_shares "$work/all.db" >"$work/all.csv"
	: >"$work/drawn.csv"
	for ((n = 0; n < runs; n++)); do
		exactly "$work/drawn.db" -c "$every" -- "$@" 2>"$work/complaint" || { cat "$work/complaint" >&2 && exit 1; }
		access_shares "$work/drawn.db" | sed "s/^/$n,/" >>"$work/drawn.csv"
	done
	sqlite3 -cmd "CREATE TABLE truth (object, share REAL, low, high, n)" \
		-cmd "CREATE TABLE drawn (run INTEGER, object, share REAL, low REAL, high REAL, n INTEGER)" \
		-cmd ".import --csv '$work/all.csv' truth" -cmd ".import --csv '$work/drawn.csv' drawn" \
		-cmd ".parameter init" -cmd ".parameter set :name '$name'" -cmd ".parameter set :every $every" -cmd ".parameter set :objects ${#command[@]}" -cmd ".mode markdown" :memory: ".read $here/drawn.sql"
}

# lackey_counts COMMAND...: prints the loads and stores that valgrind's lackey counts.
lackey_counts() {
	GLIBC_TUNABLES=glibc.cpu.hwcaps=-ERMS,-FSRM valgrind --tool=lackey --basic-counts=no --trace-mem=yes --log-fd=9 "$@" 9>&1 >/dev/null 2>"$work/complaint" |
		awk '/^ [LM] / { loads++ } /^ [SM] / { stores++ } END { print loads + 0, stores + 0 }'
}

# exact_counts COMMAND...: prints the loads and stores that the sampler exact counts.
exact_counts() {
	exactly "$work/counted.db" -c 1 -- "$@"
	sqlite3 -separator ' ' "$work/counted.db" "SELECT total(estimate * is_load), total(estimate * is_store) FROM access_samples"
}

# lackey NAME COMMAND [MORE]: compares the numbers of accesses of the command with those of lackey, and prints a line of the
# table. MORE is the same command with more passes: what it counts more has no start-up.
lackey() {
	local once more counts
	read -ra once <<<"$2"
	read -ra more <<<"${3-}"
	counts="$(lackey_counts "${once[@]}") $(exact_counts "${once[@]}")"
	if [ ${#more[@]} -gt 0 ]; then
		counts+=" $(lackey_counts "${more[@]}") $(exact_counts "${more[@]}")"
	else
		counts+=" $counts"
	fi
	awk -v name="$1" '
		function cell(theirs, ours) { return theirs ? sprintf(" %d | %+d (%+.3f %%) |", theirs, ours - theirs, 100 * (ours - theirs) / theirs) : "  |  |" }
		{ print "| " name " |" cell($1, $3) cell($2, $4) cell($5 - $1, $7 - $3) cell($6 - $2, $8 - $4) }' <<<"$counts"
}

# passes_for COMMAND...: prints how many passes the program makes in about two seconds.
passes_for() {
	"$@" 100 | sed -nE 's/^kernel ([0-9.]+) ms.*/\1/p' | awk '{ print int(200000 / ($1 + 1)) + 1 }'
}

# compared MODE [RUNS] [PROGRAM]...: runs one comparison for each of the programs, or for the command of the user.
compared() {
	local mode=$1 runs=200 names words name
	shift
	rm -f "$work/ended"
	if [ "$mode" = drawn ] && [[ ${1-} =~ ^[0-9]+$ ]]; then
		runs=$1
		shift
	fi
	names=("$@")
	if [ ${#names[@]} = 0 ]; then
		names=("${fixed[@]}" script)
		[ "$mode" != oracle ] || names=("${fixed[@]}" interpreter)
	fi
	[ ${#command[@]} = 0 ] || names=("$(basename "${command[0]}")")
	if [ "$mode" = addresses ]; then
		echo '| program | addressed samples | in an object | seen | instruction known | seen there |'
		echo '|---|---|---|---|---|---|'
	elif [ "$mode" = lackey ]; then
		command -v valgrind >/dev/null || { echo "accuracy: there is no valgrind in PATH (package valgrind), whose tool lackey counts accesses" >&2 && exit 1; }
		echo '| program | loads (lackey) | exact | stores (lackey) | exact | loads of 3 passes | exact | stores of 3 passes | exact |'
		echo '|---|---|---|---|---|---|---|---|---|'
	fi
	for name in "${names[@]}"; do
		words=("${command[@]}")
		[ ${#words[@]} -gt 0 ] || [ "$mode" = oracle ] || small "$name"
		case $mode-${#command[@]}$name in
		oracle-0*) oracle "$name" 'kernel%' "$(compile_edited "$name" few "s/(repeat < |repeat = 1, )([0-9]+)/\1$(passes_of "$name")/")" "$(compile "$name" -O2 "" "")" ;;
		oracle-*) oracle "$name" % "${words[*]}" "${words[@]}" ;;
		addresses-0script | addresses-[1-9]*) addresses "$name" "${words[*]}" 20 20000 "${words[@]}" ;;
		addresses-0*) addresses "$name" "${words[*]}" 1 5000 "${words[@]}" "$(passes_for "${words[@]}")" ;;
		drawn-*) drawn "$name" "$runs" "${words[@]}" ;;
		lackey-0*) lackey "$name" "${words[*]}" "${words[*]} 4" ;;
		lackey-*) lackey "$name" "${words[*]}" ;;
		esac
	done | awk '/^\| +program / && seen++ { heading = 2 } heading && heading-- { next } { print; fflush() }'
}
