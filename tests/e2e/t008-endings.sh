#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb returns the program's exit code and keeps the recording, however the program ends.
. "$(dirname "$0")/lib.sh"
need_perf

ulimit -c 0
for case in exit:7 _exit:7 kill:137 segv:139 abort:134 daemon:0; do
	how=${case%:*}
	echo "== $how"
	rm -f "$DB"
	# The parent of the daemon ends at once, so --wait is needed to wait for the daemon.
	WANT=${case#*:} record --sampler=timer --wait ending "$how" 0.5
	if [ "$how" != daemon ]; then
		assert_addresses work_pass 200
		assert_hits_joined
		assert_all_hit
	fi
	assert_sound
	assert_ge "samples in work_pass" 200 "$(sql "SELECT count(*) FROM samples WHERE symbol_id IN
		(SELECT id FROM symbols WHERE name = 'work_pass')")"
	assert_eq "blocks made by make_block" 1 "$(sql "
		SELECT count(*) FROM allocations b JOIN call_paths c ON c.id = b.call_path_id
		JOIN locations l ON l.id = c.location_id
		WHERE l.function = 'make_block' AND b.size_bytes = 8 * 1048576")"
done
