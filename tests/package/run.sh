#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Makes the release tarball, builds the Debian package from it without node, checks it with lintian, and
# installs and uses it in a root that debootstrap makes.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$PATH:/usr/sbin:/sbin
skip() { echo "skip: $*"; exit 77; }
fail() { echo "FAIL: $*"; exit 1; }
for tool in git debootstrap lintian dpkg-shlibdeps meson; do
	command -v $tool >/dev/null || skip "there is no $tool"
done
[ "$(id -u)" = 0 ] || skip "debootstrap needs root"
[ -e "$root/.git" ] || skip "this is not a git checkout"

work=$(mktemp -d "${TMPDIR:-/tmp}/memdb-package.XXXXXX")
clean_up()
{
	umount -q "$work/root/proc" 2>/dev/null || true
	rm -rf --one-file-system "$work"
}
trap clean_up EXIT

echo "== the tarball contains the page"
meson setup "$work/build" "$root" -Dtests=false >"$work/log" 2>&1 || fail "meson setup: $(tail -n 5 "$work/log")"
meson dist -C "$work/build" --no-tests --allow-dirty --formats gztar >"$work/log" 2>&1 || fail "meson dist: $(tail -n 5 "$work/log")"
mkdir "$work/source"
tar -C "$work/source" --strip-components=1 -xzf "$work"/build/meson-dist/*.tar.gz
[ -s "$work/source/web/page.c" ] || fail "no web/page.c in the tarball"
# Reuses a libperf that was built before: building it takes long, and this test is not about it.
[ ! -d "$root/.deps/libperf" ] || { mkdir -p "$work/source/.deps" && cp -a "$root/.deps/libperf" "$work/source/.deps/"; }

echo "== the Debian package is built from it without node"
mkdir "$work/bin"
for tool in node npm; do
	printf '#!/bin/sh\necho "%s was called" >>"%s/called"\nexit 1\n' $tool "$work" >"$work/bin/$tool"
done
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH DEBEMAIL=${DEBEMAIL:-memdb@example.org} "$work/source/tools/deb" "$work" >"$work/log" 2>&1 || fail "tools/deb: $(tail -n 20 "$work/log")"
[ ! -e "$work/called" ] || fail "$(cat "$work/called")"
package=$(echo "$work"/memdb_*.deb)
lintian --tag-display-limit 0 --fail-on error "$package" >"$work/log" 2>&1 || fail "lintian: $(grep '^E' "$work/log" | head -n 5)"

echo "== it installs and works on a bare system"
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
# The mirror is the one that this machine's apt uses.
mirror=$(apt-get indextargets --format '$(SITE) $(CODENAME) $(COMPONENT)' 2>/dev/null | awk -v suite="$suite" '$2 == suite && $3 == "main" { print $1; exit }')
[ "$mirror" ] || skip "apt names no mirror of $suite"
debootstrap --variant=minbase "$suite" "$work/root" "$mirror" >"$work/log" 2>&1 || skip "debootstrap: $(tail -n 2 "$work/log")"
mount -t proc proc "$work/root/proc"
cp "$package" "$work/root/memdb.deb"
within() { env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$work/root" "$@"; }
within apt-get -qq -y --no-install-recommends install /memdb.deb >"$work/log" 2>&1 || fail "apt-get install: $(tail -n 5 "$work/log")"
within memdb doctor >"$work/log" 2>&1 || fail "doctor: $(cat "$work/log")"
within memdb record -o /run.db -- sort -R /usr/share/common-licenses/GPL-3 >"$work/log" 2>&1 || fail "record: $(tail -n 5 "$work/log")"
within memdb report /run.db >"$work/report" 2>"$work/log" || fail "report: $(cat "$work/log")"
grep -q '^command: *sort -R' "$work/report" || fail "the report does not name the program: $(head -n 3 "$work/report")"
within memdb query run -f csv /run.db >"$work/log" 2>&1 || fail "query: $(cat "$work/log")"
within memdb report --html /page.html /run.db >"$work/log" 2>&1 || fail "report --html: $(cat "$work/log")"
grep -q '</html>' "$work/root/page.html" || fail "the page is incomplete"
# shellcheck disable=SC2016 # expanded by the inner shell
words=$(within bash -c '. /usr/share/bash-completion/completions/memdb && COMP_WORDS=(memdb rep) COMP_CWORD=1 && _memdb && echo "${COMPREPLY[*]}"' 2>&1)
[ "$words" = report ] || fail "completion in bash: '$words'"
within apt-get -qq -y --no-install-recommends install man-db sqlite3 >"$work/log" 2>&1 || skip "man-db or sqlite3: $(tail -n 2 "$work/log")"
for page in memdb memdb-record memdb-schema; do
	within man "$page" >"$work/log" 2>&1 && grep -q '^DESCRIPTION' "$work/log" || fail "man $page: $(head -n 5 "$work/log")"
done
echo "SELECT 'objects:', count(*) > 0 FROM object_costs;" | within memdb sql /run.db >"$work/log" 2>&1 || fail "sql: $(cat "$work/log")"
grep -q 'objects:.*1' "$work/log" || fail "sql: $(cat "$work/log")"
allocations=$(sqlite3 "$work/root/run.db" "SELECT sum(allocations) FROM objects WHERE kind = 'heap'")
[ "${allocations%.*}" -gt 0 ] || fail "the installed tracker recorded no allocation"
within dpkg -V memdb || fail "files of the package have changed"
within apt-get -qq -y purge memdb >"$work/log" 2>&1 || fail "purge: $(tail -n 5 "$work/log")"
left=$(cd "$work/root" && find usr -path '*memdb*')
[ -z "$left" ] || fail "left over after the purge: $left"
echo "all good"
