#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that an installed memdb uses the tracker that is installed with it, and nothing from the build folder.
. "$(dirname "$0")/lib.sh"
need_perf
command -v meson >/dev/null || skip "meson is not installed"

meson install -C "$BUILD" --no-rebuild --quiet --destdir "$T/root" >"$T/stderr" 2>&1 || fail "meson install"
installed=$(find "$T/root" -path '*/bin/memdb')
[ -x "$installed" ] || fail "no memdb below bin: $(find "$T/root" -name 'memdb*')"
[ -f "$(find "$T/root" -path '*/bash-completion/completions/memdb')" ] || fail "no completion for bash"
for file in zsh/site-functions/_memdb fish/vendor_completions.d/memdb.fish man/man1/memdb.1 man/man1/memdb-record.1 man/man7/memdb-schema.7; do
	[ -s "$(find "$T/root" -path "*/$file")" ] || fail "no $file"
done

echo "== the tracker of the program is the installed one"
cd "$T" || exit 1 # leaves the source tree, so that nothing in it is found by chance
"$installed" record -q -o "$DB" -- grep -o '/.*/libmemdb-track.so' /proc/self/maps >"$T/stdout" 2>"$T/stderr" || fail "record"
assert_eq "its path" "$(find "$T/root" -name libmemdb-track.so)" "$(sort -u "$T/stdout")"
assert_eq "tracked" 1 "$(sqlite3 "$DB" "SELECT tracked FROM runs")"

echo "== reports and queries"
"$installed" report "$DB" >"$T/stdout" 2>"$T/stderr" || fail "report"
"$installed" query run "$DB" >"$T/stdout" 2>"$T/stderr" || fail "query"
file=$(find "$T/root" -path '*/queries/costs.sql')
sqlite3 "$DB" <"$file" >"$T/stdout" || fail "the installed $file does not run in the sqlite3 shell"

echo "== the pages that README and docs link"
doc=$(find "$T/root" -path '*/doc/memdb')
[ -s "$doc/docs/tutorial.md" ] || fail "no tutorial in $doc"
for page in "$doc"/README.md "$doc"/docs/*.md; do
	while read -r link; do
		case $link in ../[!R]* | tests/* | web/*) continue ;; esac # for those who build memdb
		[ -e "$(dirname "$page")/$link" ] || fail "${page#"$doc"/} links $link"
	done < <(grep -oE '\]\([^)#:]*\.(md|png)' "$page" | cut -c 3- || true)
done
