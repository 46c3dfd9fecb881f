#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the database says for each program whether it was tracked, and that losses give the reason if it was
# not.
. "$(dirname "$0")/lib.sh"
need_perf
command -v cc >/dev/null || skip "no C compiler"

# programs NAME: prints how many executions of programs of this name were tracked, and how many
# there were.
programs()
{
	sqlite3 "$DB" "SELECT coalesce(sum(tracked), 'unknown'), count(*) FROM comms WHERE exec AND comm = '$1'"
}

# processes PATH: prints how many of the processes whose last program was PATH were tracked, and how many there were.
processes()
{
	sqlite3 "$DB" "SELECT sum(tracked), count(*) FROM processes WHERE exe = '$1'"
}

# loss PATH: prints how often the program at PATH was not tracked, and why.
loss()
{
	sqlite3 "$DB" "SELECT count, detail FROM losses WHERE source = 'tracker' AND what = 'programs not tracked' AND detail LIKE '$1:%'"
}

echo 'int main(void) { return 0; }' >"$T/small.c"
cc -o "$T/dynamic" "$T/small.c"
cc -static -o "$T/static" "$T/small.c" 2>/dev/null || skip "no static C library"
cat >"$T/full.c" <<'SOURCE'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog filter = { 1, &all };
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_NOFILE, &none);
	if (argc > 1 && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)))
		return 1;
	for (int i = 0; i < 7; i++) {
		if (!fork()) {
			char *volatile p = malloc(4100);

			if (argc > 1 && fork()) /* a child of a child */
				wait(NULL);
			_exit(!p);
		}
		wait(NULL);
	}
	return 0;
}
SOURCE
cc -O1 -fno-builtin -o "$T/full" "$T/full.c"

echo "== static programs in a tree that is tracked"
record /bin/sh -c "'$T/dynamic'; '$T/static'; '$T/static'; '$T/dynamic'; exec '$T/dynamic'"
assert_sound
assert_eq "tracked of all, dynamic" "3|3" "$(programs dynamic)"
assert_eq "tracked of all, static" "0|2" "$(programs static)"
assert_eq "tracked processes of all, dynamic" "3|3" "$(processes "$T/dynamic")"
assert_eq "tracked processes of all, static" "0|2" "$(processes "$T/static")"
assert_eq "losses of dynamic" "" "$(loss "$T/dynamic")"
assert_match "losses of static" "^2.*not loaded" "$(loss "$T/static")"
assert_match "the report" "allocations of 2 programs that ran were not recorded: $T/static" "$("$MEMDB" report "$DB")"

echo "== one process, two programs"
record /bin/sh -c "exec '$T/static'"
assert_eq "tracked of all, static" "0|1" "$(programs static)"
assert_eq "tracked processes" 0 "$(sqlite3 "$DB" "SELECT sum(tracked) FROM processes")"

echo "== a program that defines malloc, and one whose malloc calls the next one"
cat >"$T/bump.c" <<'SOURCE'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static char pool[1 << 20];
static size_t used;
void *malloc(size_t size)
{
	used = (used + 15) & ~(size_t)15;
	used += size;
	return pool + used - size;
}
void free(void *p)
{
	(void)p;
}
int main(void)
{
	char *volatile p = malloc(4100);

	if (!fork())
		_exit(0);
	wait(NULL);
	return !p;
}
SOURCE
sed '/^static char pool/,/^}/c\
#include <dlfcn.h>\
void *malloc(size_t size)\
{\
	return ((void *(*)(size_t))dlsym(RTLD_NEXT, "malloc"))(size);\
}' "$T/bump.c" >"$T/layer.c"
cc -O1 -fno-builtin -o "$T/bump" "$T/bump.c"
cc -O1 -fno-builtin -D_GNU_SOURCE -o "$T/layer" "$T/layer.c" -ldl
record /bin/sh -c "'$T/bump'; '$T/layer'; '$T/bump'"
assert_sound
assert_eq "tracked of all, bump" "0|2" "$(programs bump)"
assert_eq "tracked of all, layer" "1|1" "$(programs layer)"
assert_eq "tracked processes of all, bump" "0|4" "$(processes "$T/bump")"
assert_eq "tracked processes of all, layer" "2|2" "$(processes "$T/layer")"
assert_match "losses of bump" "^2.*defines malloc" "$(loss "$T/bump")"
assert_eq "losses of layer" "" "$(loss "$T/layer")"
assert_match "the report" "allocations of 2 programs that ran were not recorded: $T/bump" "$("$MEMDB" report "$DB")"

echo "== children without a file descriptor for a log"
record "$T/full"
assert_eq "losses" "" "$(sqlite3 "$DB" "SELECT what FROM losses WHERE source = 'tracker' AND what LIKE '%not tracked'")"
assert_eq "tracked processes" 8 "$(sqlite3 "$DB" "SELECT sum(tracked) FROM processes")"
assert_eq "processes whose blocks are known" 7 "$(sqlite3 "$DB" "
	SELECT count(DISTINCT pid) FROM processes AS p WHERE EXISTS (
		SELECT 1 FROM allocations WHERE process_id = p.id AND size_bytes = 4100)")"

echo "== children of a program that has forbidden itself system calls"
record "$T/full" sealed
assert_eq "lost children" 7 "$(sqlite3 "$DB" "SELECT sum(count) FROM losses WHERE what = 'forked children not tracked'")"
assert_eq "tracked processes" 1 "$(sqlite3 "$DB" "SELECT sum(tracked) FROM processes")"
assert_match "the report" "7 forked children not tracked" "$("$MEMDB" report "$DB")"

echo "== a static program alone"
record "$T/static"
assert_eq "tracked of all, static" "0|1" "$(programs static)"

echo "== a program whose sampling the kernel stops, because exec changes its rights"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$T" "$T/dynamic"
	record /bin/sh -c "setpriv --euid 65534 '$T/dynamic'; '$T/dynamic'; '$T/static'"
	assert_match "losses" "^perf.programs not sampled.1.dynamic: nothing was recorded" \
		"$(sqlite3 "$DB" "SELECT source, what, count, detail FROM losses WHERE what = 'programs not sampled'")"
	assert_match "the report" "1 programs not sampled" "$("$MEMDB" report "$DB")"
fi

echo "== not asked for"
record --no-track /bin/sh -c "'$T/dynamic'; exec '$T/static'"
assert_eq "programs judged" 0 "$(sqlite3 "$DB" "SELECT count(tracked) FROM comms")"
assert_eq "losses" 0 "$(sqlite3 "$DB" "SELECT count(*) FROM losses WHERE what = 'programs not tracked'")"

[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || exit 0
echo "== another user"
chmod 755 "$T"
# A copy of the tracker, because the user may have no right to read the folder in which memdb is built.
mkdir -m 755 "$T/public"
cp "$("$MEMDB" doctor | awk '$1 == "tracker" { print $2 }')" "$T/public/libmemdb-track.so"
record --tracker="$T/public/libmemdb-track.so" \
	/bin/sh -c "setpriv --reuid=65534 --clear-groups '$T/dynamic'; exec '$T/dynamic'"
assert_eq "tracked of all, dynamic" "1|2" "$(programs dynamic)"
assert_match "losses of dynamic" "^1.*could make no log" "$(loss "$T/dynamic")"

echo "== another user, who may not read the tracker, and has root's capabilities until exec"
mkdir -m 700 "$T/private"
cp "$("$MEMDB" doctor | awk '$1 == "tracker" { print $2 }')" "$T/private/libmemdb-track.so"
record --tracker="$T/private/libmemdb-track.so" \
	/bin/sh -c "setpriv --reuid=65534 --clear-groups '$T/dynamic'; exec '$T/dynamic'"
assert_eq "what the loader says" "" "$(sed -n '/ld\.so/p' "$T/stderr")"
assert_eq "tracked of all, dynamic" "1|2" "$(programs dynamic)"

echo "== another root, which has no tracker"
for file in $(ldd "$T/dynamic" | grep -o '/[^ ]*'); do
	mkdir -p "$T/root${file%/*}"
	cp "$file" "$T/root$file"
done
cp "$T/dynamic" "$T/root/inside"
[ -x "$T/root/inside" ] && chroot "$T/root" /inside || exit 0
record /bin/sh -c "chroot '$T/root' /inside; exec '$T/dynamic'"
assert_eq "what the loader says" "" "$(sed -n '/ld\.so/p' "$T/stderr")"
assert_eq "tracked of all, dynamic" "1|1" "$(programs dynamic)"
assert_match "losses of inside" "^1.*not loaded" "$(loss /inside)"
