#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# options.sh MEMDB SQLTOOL: tests which options and arguments the commands refuse, and with which message.
# shellcheck source=tests/sql/cli.sh
. "$(dirname "$0")/cli.sh"

make_numa
# An option that would have no effect is refused, with a sentence and exit code 2.
: >a.capture
refused() # refused TEXT COMMAND WORDS...: checks that memdb refuses the command with a message that contains TEXT
{
	local text=$1

	shift
	"$memdb" "$@" >out 2>err; [ $? = 2 ] && grep -qF -- "$text" err && [ ! -s out ] || { echo "FAIL $*: not refused with '$text': $(head -n 3 out err)"; failed=1; }
}
refused '--html and --object exclude each other' report --html page.html --object table numa.db
refused "'-' is not a file" report --html - numa.db
refused '--force is for the FILE of --html' report --force numa.db
for option in --call-graph=dwarf --trace=sched --max-size=1G --no-kernel --perf=/usr/bin/perf; do
	refused "${option%%=*} is for perf, which the sampler exact does not use" record --sampler exact $option -o x.db true
	refused "${option%%=*} is for perf, which the sampler soft does not use" record $option --sampler soft -o x.db true
done
for sampler in exact soft timer ibs; do refused "--ldlat is for pebs and spe: the sampler $sampler ignores it" record --sampler $sampler --ldlat 9 -o x.db true; done
# This does not depend on the machine: neither perf nor an emulator is needed for it.
mkdir few && ln -s "$(command -v grep)" "$(command -v head)" few/
# shellcheck disable=SC2123 # this is the search path
without_tools() { (PATH=$PWD/few; refused "$@"; exit $failed) || failed=1; }
for sampler in exact soft timer ibs; do without_tools "--ldlat is for pebs and spe: the sampler $sampler ignores it" record --sampler $sampler --ldlat 9 -o x.db /bin/true; done
without_tools 'the sampler exact counts accesses: give a period (-c)' record --sampler exact -F 9 -o x.db /bin/true
# Such an option is also refused if --sampler auto (the default) chooses a sampler that ignores the option. memdb must
# refuse it before it records.
if "$memdb" doctor 2>&1 | grep -qE 'auto.* timer'; then refused '--ldlat is for pebs and spe: the sampler timer ignores it' record --ldlat 9 -o x.db true; fi
for option in --min-size=4 --sample-small=10 --tracker=x --all-blocks; do refused "${option%%=*} is for the tracker: --no-track leaves it out" record $option --no-track -o x.db true; done
refused "'-' is not a file" record -o - true
refused "'-' is not a file" record --raw - true
refused '--all-blocks and --keep-blocks exclude each other' import --keep-blocks 64 --all-blocks a.capture
refused '-q and -v exclude each other' import -q -v a.capture
for option in --alloc --symfs --debug-dirs; do
	refused "$option: cannot open '/nonexistent': No such file or directory" import $option /nonexistent a.capture
	refused "$option: 'numa.db' is not a folder" import $option numa.db a.capture
done
refused "--debug-dirs: cannot open '/nonexistent': No" import --debug-dirs /usr:/nonexistent a.capture
refused "--source-dir: cannot open '/nonexistent': No" annotate --source-dir /nonexistent numa.db
refused "--substitute-path: cannot open '/nonexistent': No" annotate --substitute-path /a=/nonexistent numa.db
refused "there is no command 'repot'; did you mean 'report'?" repot
refused "there is no command 'zzzzzz'; \`memdb help\` lists them" help zzzzzz
"$memdb" help annotate >out 2>err && diff out <("$memdb" annotate --help) && grep -q -- --source-dir out || { echo "FAIL help annotate: $(cat err)"; failed=1; }
refused "'-' is not a file" import -o - a.capture
refused "'numa.db' is a database already: memdb report numa.db shows it" import numa.db
refused 'which query?' query --sql
refused 'which query?' query --format csv
refused 'which query?' query --in gather
refused '--describe and --sql exclude each other' query -d --sql costs
refused '--format is for rows: --sql prints none' query --sql -f csv costs
refused '--format is for rows: --describe prints none' query -d -f csv costs
refused '--describe says what can be asked' query -d costs by=line
refused '--to and --datasette-metadata exclude each other' export --to csv --datasette-metadata numa.db
refused '--by is for call paths' export --to parquet --by object -o dir numa.db
refused '--by is for call paths' export --datasette-metadata --by wait numa.db
refused '--force is for the FILE of -o' export --to csv --force numa.db
refused "'-' is not a file" export --to parquet -o - numa.db
# An option that takes a value takes no other option for it.
for command in record import report query annotate diff export doctor; do
	options=$("$memdb" $command --help | grep -oE -- '--[a-z-]+=[A-Z]' | sed 's/=.*//' | sort -u)
	[ $command = query ] || [ "$(wc -l <<<"$options")" -ge 2 ] || { echo "FAIL $command: options with values: $options"; failed=1; }
	for option in $options; do refused "$option needs a value, and '--help' looks like an option (if it is the value: $option=--help)" $command $option --help; done
done
refused "-o needs a value, and '-q' looks like an option (if it is the value: -o-q)" import -o -q a.capture
"$memdb" report --html=--page numa.db 2>err && [ -s ./--page ] || { echo "FAIL --html=--page: $(cat err)"; failed=1; }
refused "there is no sampler 'foo': ibs, pebs, spe, timer, exact, soft, or auto; \`memdb doctor\` says which work here" record --sampler foo true
refused "there is no kind 'foo': fp, dwarf, lbr or none" record --call-graph foo true
refused "'x' is no option: -p x checks a program" doctor x
refused "cannot write 'no/such/x.db': No such file or directory: make the folder 'no/such' first" record -o no/such/x.db true
# A file that a command cannot read: the message says what it is, and what makes a right one.
unread() # unread TEXT COMMAND WORDS...: checks that memdb fails with exactly this message
{
	local text=$1

	shift
	"$memdb" "$@" >out 2>err; [ $? = 1 ] && [ "$(cat err)" = "memdb $1: $text" ] && [ ! -s out ] || { echo "FAIL $*: not '$text': $(head -n 3 out err)"; failed=1; }
}
makes='`memdb record ./app` or `memdb import CAPTURE` makes a database'
recording='name a capture, which `memdb record --raw` makes, or a perf.data of perf record'
: >nothing
mkdir folder capture
printf 'PERFILE2 and so on' | tee capture/perf.data >perf.data
sqlite3 other.db 'CREATE TABLE t (a)'
head -c 5000 numa.db >cut.db
for command in report 'query costs' 'annotate main' 'export --to csv' 'diff numa.db' sql; do
	# shellcheck disable=SC2086 # two words
	set -- $command
	unread "cannot open 'gone.db': No such file or directory: $makes" "$@" gone.db
	unread "cannot open 'nothing': it is empty: $makes" "$@" nothing
	unread "cannot open 'folder': it is a folder: $makes" "$@" folder
	unread "cannot open '/etc/passwd': not an SQLite database: $makes" "$@" /etc/passwd
	unread "cannot open 'other.db': not a memdb database: $makes" "$@" other.db
	unread "cannot open 'perf.data': it is a recording: \`memdb import perf.data\` makes a database of it" "$@" perf.data
	unread "cannot open 'capture': it is a recording: \`memdb import capture\` makes a database of it" "$@" capture
	unread "cannot open 'cut.db': damaged: database disk image is malformed: import the capture again, or record again" "$@" cut.db
done
unread "cannot open 'gone': No such file or directory: $recording" import gone
unread "cannot open 'folder/perf.data': No such file or directory: $recording" import folder
unread "cannot read 'nothing': not a perf.data file: $recording" import nothing
unread "cannot read '/etc/passwd': not a perf.data file: $recording" import /etc/passwd
unread "cannot write 'no/such/x': No such file or directory: make the folder 'no/such' first" report --html no/such/x numa.db
unread "cannot write 'no/such/x': No such file or directory: make the folder 'no/such' first" export --to csv -o no/such/x numa.db
(mkdir -p empty && cd empty && "$memdb" report 2>../err); [ $? = 1 ] && grep -qF "'run.db': No such file or directory: $makes" err || { echo "FAIL no run.db: $(cat err)"; failed=1; }
echo 'SELECT * FROM nothing' | "$memdb" sql run.db >out 2>&1; [ $? = 1 ] || { echo "FAIL sql: a failed statement is a success"; failed=1; }
"$memdb" sql run.db -- 'SELECT 41 + 1' | grep -q '^42' || { echo "FAIL sql --"; failed=1; }
finish
