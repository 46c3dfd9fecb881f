#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a file that changed since the recording is not used and is named in losses. This is tested with the
# program, and with the kernel, whose address may change at a reboot.
. "$(dirname "$0")/lib.sh"
need_perf

cp "$PROGRAMS/hot" "$T/program"
capture=$T/capture
"$MEMDB" record -q -F 2000 --raw "$capture" -- "$T/program" 0.5 >"$T/stdout" 2>"$T/stderr" ||
	fail "memdb record"

options=()
import()
{
	rm -f "$DB"
	"$MEMDB" import "${options[@]}" -q -o "$DB" "$capture" || fail "memdb import"
	read_answers "$T/stdout"
}

# loss WHAT: prints the column detail of the row WHAT in the table losses.
loss()
{
	sql "SELECT detail FROM losses WHERE source = 'symbols' AND what = '$1'"
}

state()
{
	sql "SELECT coalesce(state, '-') FROM dsos WHERE $1"
}

# kernel_names: prints how many kernel samples have a symbol.
kernel_names()
{
	sql "SELECT count(s.symbol_id) FROM samples s JOIN dsos d ON d.id = s.dso_id WHERE d.kind = 'kernel'"
}

import
assert_eq "state of the program" ok "$(state "long_name = '$T/program'")"
assert_ge "names of it" 1 "$(sql "SELECT count(*) FROM symbols y JOIN dsos d ON d.id = y.dso_id
	WHERE d.long_name = '$T/program' AND y.name = 'main'")"
assert_eq "replaced files" "" "$(loss 'replaced files')"
named=$(kernel_names)

echo "== a program that has moved, below another root"
mkdir -p "$T/root/${T#/}"
mv "$T/program" "$T/root/$T/program"
import
assert_eq "state of the program that is gone" missing "$(state "long_name = '$T/program'")"
options=(--symfs "$T/root")
import
assert_eq "state of the program that was found" ok "$(state "long_name = '$T/program'")"
assert_eq "missing files" "" "$(loss 'missing files')"
options=()

cp "$PROGRAMS/hot_o0" "$T/program"
import
assert_eq "state of the replaced program" replaced "$(state "long_name = '$T/program'")"
assert_eq "replaced files" "$T/program" "$(loss 'replaced files')"
assert_eq "names of the replaced program" 0 "$(sql "
	SELECT count(*) FROM symbols y JOIN dsos d ON d.id = y.dso_id WHERE d.long_name = '$T/program'")"
assert_sound

rm "$T/program"
import
assert_eq "missing files" "$T/program" "$(loss 'missing files')"
cp "$PROGRAMS/hot" "$T/program"

if [ "$named" = 0 ] || [ ! -f "$capture/kallsyms" ]; then
	echo "skip: no sample in the kernel, or its addresses are hidden"
	exit 0
fi
cp "$capture/kallsyms" "$T/kallsyms"
sed -i 's/^ffffffff\(.\)/ffffffff\1f/; s/^\(.\{16\}\)./\1/' "$capture/kallsyms"
import
assert_match "kernel elsewhere" "started again" "$(loss 'kernel without symbols')"
assert_eq "names of a kernel elsewhere" 0 "$(kernel_names)"
sed 's/^[0-9a-f]*/0000000000000000/' "$T/kallsyms" >"$capture/kallsyms"
import
assert_match "kernel hidden" "kptr_restrict" "$(loss 'kernel without symbols')"
rm "$capture/kallsyms"
import
assert_match "kernel not told" "kptr_restrict" "$(loss 'kernel without symbols')"
assert_sound
