#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# terminal.sh MEMDB SQLTOOL: tests the pager and the colours of report, query, annotate and diff. memdb uses them only
# on a terminal; environment variables and options can change or disable them.
set -u
command -v sqlite3 >/dev/null || { echo "skip: there is no sqlite3 shell"; exit 77; }
command -v script >/dev/null || { echo "skip: there is no script(1)"; exit 77; }
memdb=$(realpath "$1") tool=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
export HOME=$work LC_ALL=C.UTF-8 TERM=xterm
unset NO_COLOR PAGER MEMDB_PAGER LESS LV COLUMNS
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() { echo "FAIL $*"; failed=1; }

"$tool" empty run.db && (cd "$here" && sqlite3 -batch -bail "$work/run.db" "PRAGMA synchronous=off" \
	".read data/insert.sql" ".read data/timer.sql" ".read data/derived.sql") && "$tool" totals run.db || exit 1
# A pager that stores its input and its environment.
cat >pager <<'SCRIPT'
#!/bin/sh
echo "LESS=$LESS LV=$LV" >"$HOME/env"
tee "$HOME/paged"
SCRIPT
chmod +x pager

# at COMMAND...: runs the command at a new terminal of 90 columns. Stores the screen's contents in `screen`, and the
# pager's input in `paged`.
at()
{
	rm -f paged env
	timeout 60 script -qec "stty cols 90; exec $*" /dev/null </dev/null >raw 2>&1
	code=$?
	tr -d '\r' <raw >screen
}
escapes() { grep -c $'\033\\[' "$1"; }

MEMDB_PAGER=$work/pager PAGER=false at "'$memdb' report run.db"
[ $code = 0 ] && [ -s paged ] || fail "report: no pager: $code $(cat screen)"
[ "$(cat env)" = 'LESS=FRX LV=-c' ] || fail "the pager's environment: $(cat env)"
[ "$(escapes paged)" -ge 2 ] || fail "report: no colours in the pager"
COLUMNS=90 "$memdb" report run.db >plain 2>&1
diff <(sed 's/\x1b\[[0-9]*m//g' paged) plain >/dev/null || fail "the pager gets something else"
# Sentences are broken at spaces to fit the terminal, and are complete. In a file they are one line each.
"$memdb" report run.db >whole
for columns in 50 90; do
	COLUMNS=$columns "$memdb" report run.db >broken
	longest=$(awk '/^(id|function|--|   *[0-9])/ || !NF { table = NF } !table && length > n { n = length } END { print n + 0 }' broken)
	[ "$longest" -le "$columns" ] && [ "$longest" -gt $((columns / 2)) ] || fail "report: a sentence of $longest columns at a width of $columns"
	[ "$(sed '/^$/,$d' broken | tr -s '\n ' ' ')" = "$(sed '/^$/,$d' whole | tr -s '\n ' ' ')" ] || fail "report: at a width of $columns the sentences differ"
done
[ "$(sed '/^$/,$d' whole | awk '{ if (length > n) n = length } END { print n }')" -gt 90 ] || fail "report: no sentence is long"
sed '/^$/,$d' whole | grep -q '^    ' && fail "report: breaks sentences where there is no terminal"
MEMDB_PAGER=$work/pager at "'$memdb' annotate run.db"
[ $code = 0 ] && [ -s paged ] || fail "annotate: no pager: $code $(cat screen)"
# With a pager, tables are as wide as the terminal.
PAGER=$work/pager at "'$memdb' query objects run.db --color=never"
[ -s paged ] && cp paged wide
at "'$memdb' query objects run.db --no-pager"
diff <(sed 's/\x1b\[[0-9]*m//g' screen) wide >/dev/null || fail "query: behind the pager the table has another width"
# The report, too, uses the width of the terminal for long names, and is not wider. On a narrow terminal it leaves out columns.
cp run.db long.db && sqlite3 -batch long.db "UPDATE objects SET name = replace(hex(zeroblob(35)), '00', 'name') || id" || failed=1
for columns in 66 90 200; do
	timeout 60 script -qec "stty cols $columns; exec '$memdb' report --no-pager --color=never long.db" /dev/null </dev/null >screen 2>&1
	longest=$(tr -d '\r' <screen | awk '/^id|^ *[0-9]+ .*name/ { gsub(/…/, "."); if (length > n) n = length } END { print n + 0 }')
	[ "$longest" -gt $((columns - 40)) ] && [ "$longest" -le $columns ] || fail "report: a table of $longest columns at a terminal of $columns"
	grep '^id.*object' screen | tr -d '\r' | wc -w >words
	[ $columns != 66 ] || cp words narrow
	[ $columns = 66 ] || [ "$(cat words)" -gt "$(cat narrow)" ] || fail "report: the columns at a terminal of $columns are $(grep '^id' screen)"
done
grep -q 'namename1 ' screen || fail "report: cuts names that have room"
PAGER=$work/pager MEMDB_PAGER='' at "'$memdb' report run.db"
[ ! -e paged ] && grep -q sampler screen || fail "an empty MEMDB_PAGER is no pager"
export PAGER=cat
at "'$memdb' report run.db"
grep -q sampler screen || fail "cat"
unset PAGER
PAGER=$work/pager at "'$memdb' report --no-pager run.db"
[ ! -e paged ] && [ "$(escapes screen)" -ge 2 ] || fail "--no-pager"
# The user leaves the pager before the end of the text.
for pager in true 'exec 0<&-; sleep 0.1'; do
	PAGER=$pager at "'$memdb' report run.db"
	[ $code = 0 ] || fail "PAGER='$pager': exit code $code: $(head -n 3 screen)"
done
for missing in /does/not/exist no-such-pager; do
	PAGER=$missing at "'$memdb' report run.db"
	grep -q sampler screen || fail "the pager $missing, which is not there, hides the report"
done
PAGER=$work/pager TERM=dumb at "'$memdb' report run.db"
[ ! -e paged ] && [ "$(escapes screen)" = 0 ] || fail "a dumb terminal"
PAGER=$work/pager NO_COLOR=1 at "'$memdb' report run.db"
[ -s paged ] && [ "$(escapes paged)" = 0 ] || fail "NO_COLOR"
PAGER=$work/pager NO_COLOR='' at "'$memdb' report run.db"
[ "$(escapes paged)" -ge 2 ] || fail "an empty NO_COLOR counts"
PAGER=$work/pager NO_COLOR=1 at "'$memdb' report --color run.db"
[ "$(escapes paged)" -ge 2 ] || fail "--color gives way to NO_COLOR"
# If the pager ends early, memdb must end without a message. If the command fails, memdb must return
# its exit code, even with a pager.
PAGER='head -n 1' at "'$memdb' query -f csv time run.db"
grep -qi 'cannot\|error' screen && fail "a pager that ends early: $(cat screen)"
PAGER=$work/pager at "'$memdb' report none.db"
[ $code = 1 ] && grep -q "cannot open 'none.db'" screen || fail "the exit code of a failure is $code: $(cat screen)"

# Without a terminal, there must be neither a pager nor colours, even if the environment asks for
# them.
PAGER=$work/pager MEMDB_PAGER=$work/pager "$memdb" report run.db >out
[ "$(escapes out)" = 0 ] && [ -s out ] || fail "colours in a file"
[ ! -e paged ] || rm paged
"$memdb" report --color=always run.db >out; [ "$(escapes out)" -ge 2 ] || fail "--color=always"
"$memdb" query costs --color=always -f csv run.db >out; [ "$(escapes out)" = 0 ] || fail "colours in CSV"
"$memdb" report --color=blue run.db >out 2>err; [ $? = 2 ] && grep -q "color is always, never or auto, not 'blue'" err || fail "--color=blue: $(cat err)"
# On 60 columns, no line of a report, an object's page or a comparison is wider.
cp run.db second.db && sqlite3 -batch second.db "UPDATE runs SET started_realtime_ns = started_realtime_ns + 1"
object=$(sqlite3 -batch run.db "SELECT max(object_id) FROM sample_data")
for command in 'report run.db' "report --object $object run.db" 'diff run.db second.db'; do
	# shellcheck disable=SC2086 # a list of words
	COLUMNS=60 "$memdb" $command >out 2>err || fail "$command: $(cat err)"
	[ "$(wc -L <out)" -le 60 ] || fail "$command: a line of $(wc -L <out) columns at a width of 60: $(cat out)"
done
# A report in a file has 100 columns, or as many as COLUMNS says. memdb's own labels are not shortened.
"$memdb" report long.db >out
longest() { sed -n '/^ *id /,/^$/p' "$1" | awk '{ gsub(/…/, "."); if (length > n) n = length } END { print n + 0 }'; }
[ "$(longest out)" -gt 60 ] && [ "$(longest out)" -le 100 ] && grep -q … out || fail "report: a table of $(longest out) columns in a file"
COLUMNS=300 "$memdb" report long.db >out
[ "$(longest out)" -gt 185 ] && ! grep -q … out || fail "report: a table of $(longest out) columns with COLUMNS=300: $(cat out)"
for columns in 0 -5 80x ''; do
	COLUMNS=$columns "$memdb" report long.db | cmp -s - <("$memdb" report long.db) || fail "report: COLUMNS='$columns' counts"
done
cp long.db labels.db && sqlite3 -batch labels.db "UPDATE objects SET name = '[mappings outside blocks]' WHERE id = 1" || failed=1
for columns in 66 90 100; do
	COLUMNS=$columns "$memdb" report labels.db >out
	grep -qF '[mappings outside blocks]' out && grep -q 'cannot tell' out || fail "report: cuts a label at $columns columns: $(cat out)"
done
[ $failed = 0 ] && echo "all good"
exit $failed
