#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a database appears only when it is complete, that only the user can read it, and that no other file
# remains. Until then, an older database stays in place.
. "$(dirname "$0")/lib.sh"
need_perf

umask 022
mkdir "$T/here"
DB=$T/here/run.db
WANT=7 record ending exit 0.1
assert_eq "rights" 600 "$(stat -c %a "$DB")"
assert_eq "files beside it" run.db "$(ls -A "$T/here")"

echo "== a second recording replaces the first"
first=$(sql "SELECT start_ns FROM runs")
WANT=7 record ending exit 0.1
assert_ge "the second one's time" "$((first + 1))" "$(sql "SELECT start_ns FROM runs")"

echo "== what fails leaves the old one alone"
before=$(sha256sum <"$DB")
"$MEMDB" record -q -o "$DB" -- ./no-such-program 2>"$T/stderr" && fail "no error"
echo garbage >"$T/garbage"
"$MEMDB" import -o "$DB" "$T/garbage" 2>"$T/stderr" && fail "no error"
assert_eq "the old one" "$before" "$(sha256sum <"$DB")"
assert_eq "files beside it" run.db "$(ls -A "$T/here")"

echo "== the capture stays with --keep, private too"
WANT=7 record --keep ending exit 0.1
assert_eq "captures kept" 1 "$(find "$T/here" -name perf.data | wc -l)"
capture=$(dirname "$(find "$T/here" -name perf.data)")
assert_eq "its rights" 700 "$(stat -c %a "$capture")"
assert_eq "files in it that others may read" "" "$(find "$capture" -type f -perm /077)"

echo "== a database under a name with blanks and quotes"
"$MEMDB" record -q -o "$T/here/a 'b' \"c\".db" -- true
[ -s "$T/here/a 'b' \"c\".db" ] || fail "not there"

# refused_import SENTENCE FILE OPTION...: checks that an import into FILE fails with a message that matches SENTENCE,
# and does not change FILE.
refused_import()
{
	local sentence=$1 file=$2 code=0 was

	shift 2
	was=$(sha256sum <"$file")
	"$MEMDB" import -q "$@" -o "$file" "$capture" 2>"$T/stderr" || code=$?
	assert_eq "exit code of import -o ${file##*/} $*" 2 "$code"
	assert_match "the message" "$sentence" "$(cat "$T/stderr")"
	assert_eq "${file##*/}" "$was" "$(sha256sum <"$file")"
}

echo "== only a database of memdb's is replaced"
echo "Dear diary," >"$T/notes"
sqlite3 "$T/other.db" "CREATE TABLE precious (x); INSERT INTO precious VALUES (1)"
cp "$DB" "$T/kept.db"
chmod 400 "$T/kept.db"
refused_import "not a memdb database" "$T/notes"
refused_import "not a memdb database" "$T/other.db"
refused_import "read-only" "$T/kept.db"
for file in perf.data perf.log capture.json follow.log "track/$(cd "$capture/track" && echo *.log)"; do
	refused_import "part of the recording" "$capture/$file"
	refused_import "part of the recording" "$capture/$file" --force
done

echo "== nor does a page or an export replace a database, whatever is forced"
cp "$DB" "$T/database"
for command in "report --html" "export --to collapsed -o"; do
	code=0
	# shellcheck disable=SC2086 # a list of words
	"$MEMDB" $command "$T/database" --force "$DB" 2>"$T/stderr" || code=$?
	assert_eq "exit code of $command" 2 "$code"
	assert_match "the message" "it is a database of memdb; name another file" "$(cat "$T/stderr")"
	cmp "$DB" "$T/database" || fail "$command has changed the database"
done

echo "== but a database in the capture, and what a killed writer left beside it"
"$MEMDB" import -q -o "$capture/x.db" "$capture"
: >"$capture/x.db-wal"
"$MEMDB" import -q -o "$capture/x.db" "$capture" || fail "a file of SQLite counts as a part of the recording"
[ ! -e "$capture/x.db-wal" ] || fail "the old file stays beside the new database"
rm "$capture/x.db"

echo "== nor a file that the recording refers to, whatever is forced"
cat >"$T/app.c" <<'END'
#include <fcntl.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
	volatile char *data = mmap(0, 4096, PROT_READ, MAP_PRIVATE, open(argv[1], O_RDONLY), 0);
	for (volatile long i = 0; i < 1000000; i++)
		data[i % 4096];
	return 0;
}
END
(cd "$T" && cc -g -gsplit-dwarf -o app app.c)
dwo=$(cd "$T" && echo *.dwo)
head -c 4096 /dev/zero >"$T/data"
objcopy --only-keep-debug "$T/app" "$T/app.debug"
objcopy --strip-debug --add-gnu-debuglink="$T/app.debug" "$T/app"
"$MEMDB" record -q --raw "$T/app.capture" "$T/app" "$T/data"
ln "$T/app" "$T/link"
for file in app app.debug link "$dwo" data; do
	sentence="a program or its debug information"
	[ $file != data ] || sentence="a file that the recording refers to"
	was=$(sha256sum <"$T/$file")
	code=0
	"$MEMDB" import -q --force -o "$T/$file" "$T/app.capture" 2>"$T/stderr" || code=$?
	assert_eq "exit code of import --force -o $file" 2 "$code"
	assert_match "the message" "$sentence" "$(cat "$T/stderr")"
	assert_eq "$file" "$was" "$(sha256sum <"$T/$file")"
done
for file in notes other.db kept.db; do
	"$MEMDB" import -q --force -o "$T/$file" "$capture"
	assert_eq "runs in $file" 1 "$(sqlite3 "$T/$file" "SELECT count(*) FROM runs")"
done

# killed_writer DATABASE: kills a process while it writes to DATABASE, so that SQLite's journal remains next to it.
killed_writer()
{
	sqlite3 "$1" "DROP TABLE fault_data" VACUUM
	sqlite3 "$1" "PRAGMA cache_size=1; BEGIN; UPDATE objects SET name = hex(randomblob(20000));" \
		".shell kill -9 \$PPID" >"$T/stdout" 2>&1 || true
	[ -s "$1-journal" ] || fail "no journal"
}

echo "== what an earlier writer left beside the name is not played into the new database"
killed_writer "$DB"
"$MEMDB" import -q -o "$DB" "$capture"
assert_sound
assert_eq "files beside it" "run.db run.db.capture" "$(cd "$T/here" && echo run.db*)"
sqlite3 "$DB" "PRAGMA journal_mode=wal" ".shell cp '$DB' '$T/wal.db'" >"$T/stdout"
sqlite3 "$T/wal.db" "BEGIN; UPDATE objects SET name = 'old'; COMMIT" ".shell kill -9 \$PPID" >"$T/stdout" 2>&1 || true
[ -s "$T/wal.db-wal" ] || fail "no write-ahead log"
mv "$T/wal.db-wal" "$DB-wal"
rm "$DB" # only the write-ahead log of the old database remains
"$MEMDB" import -q -o "$DB" "$capture"
assert_sound
assert_eq "objects of the old one" 0 "$(sql "SELECT count(*) FROM objects WHERE name = 'old'")"

echo "== who has the old one open keeps it, and harms the new one in no way"
sqlite3 "$DB" "PRAGMA journal_mode=wal" "UPDATE runs SET hostname = 'old'" "BEGIN" "SELECT hostname FROM runs" \
	".shell '$MEMDB' import -q -o '$DB' '$capture'" \
	"SELECT hostname FROM runs" "UPDATE runs SET hostname = 'older'" "COMMIT" >"$T/stdout" 2>"$T/stderr" || true
assert_eq "the reader" "wal old old" "$(tr '\n' ' ' <"$T/stdout" | sed 's/ $//')"
assert_sound
assert_eq "the new one" 0 "$(sql "SELECT count(*) FROM runs WHERE hostname LIKE 'old%'")"

echo "== what is no journal stays"
echo "Dear diary," >"$DB-wal"
refused_import "SQLite would read '.*run.db-wal'" "$DB"
assert_eq "the diary" "Dear diary," "$(cat "$DB-wal")"
rm "$DB-wal"

echo "== what a killed import left goes with the next one"
: >"$T/here/old.db.memdb-tmp-a1B2c3"
: >"$T/here/old.db.memdb-backup"
"$MEMDB" import -q -o "$DB" "$capture"
assert_eq "files" "old.db.memdb-backup run.db run.db.capture" "$(cd "$T/here" && echo *old.db* *run.db*)"

# memdb_catches PID SIGNAL: succeeds if process PID is memdb and has a handler for the signal. Before that, the signal
# may be lost: the shell that executes memdb may ignore it.
memdb_catches()
{
	local caught

	[ "$(cat "/proc/$1/comm")" = memdb ] && caught=$(sed -n 's/^SigCgt:[^0-9a-f]*//p' "/proc/$1/status") &&
		[ $((0x$caught >> ($(kill -l "$2") - 1) & 1)) = 1 ]
}

echo "== an import that is interrupted leaves nothing"
# --default-signal: nohup, and a shell with background jobs, start programs that ignore these signals.
for signal in TERM HUP INT; do
	mkdir "$T/empty"
	mkfifo "$T/fifo"
	env --default-signal=$signal "$MEMDB" import -o "$T/empty/run.db" - <"$T/fifo" 2>"$T/stderr" &
	exec 7>"$T/fifo" # from here on, memdb has opened the FIFO and waits for data
	head -c 20000 "$capture/perf.data" >&7
	wait_until 60 memdb_catches $! $signal || fail "memdb does not catch SIG$signal"
	kill -$signal $!
	code=0
	wait $! || code=$?
	exec 7>&-
	[ "$code" = 1 ] || [ $code -gt 128 ] || fail "exit code $code after SIG$signal"
	rm "$T/fifo"
	rmdir "$T/empty" || fail "files are left after SIG$signal"
done
