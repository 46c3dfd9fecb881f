#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the same program gives the same answer if it is built as PIE or not, without optimisation, with frame
# pointers, or stripped. Only the names are missing in the stripped one.
. "$(dirname "$0")/lib.sh"
need_perf

for program in hot_pie hot_nopie hot_frames hot_o0 hot_stripped; do
	echo "== $program"
	rm -f "$DB"
	# In 1 second there are more than the 300 samples that memdb needs to find out which accesses
	# are in order, and thus that gather costs most.
	record --sampler=timer "$program" 1
	assert_sound
	assert_hits_joined
	if [ $program = hot_stripped ]; then
		assert_eq "symbols of its own" 0 "$(sql "SELECT count(*) FROM symbols
			WHERE name IN ('hot_loop', 'make_gather')")"
	elif [ $program = hot_o0 ]; then
		# assert_addresses would fail here: without optimisation, the load of idx overwrites the register
		# with its own address, so its address is lost. Most other accesses are to local variables of
		# hot_loop().
		assert_ge "samples in hot_loop" 500 "$(sql "SELECT count(*) FROM samples
			WHERE symbol_id IN (SELECT id FROM symbols WHERE name = 'hot_loop')")"
	else
		assert_addresses hot_loop 500
	fi
	assert_eq "array with the largest cost" gather "$(sql "
		SELECT array FROM hits GROUP BY array ORDER BY sum(period) DESC LIMIT 1")"
	assert_eq "arrays that share an object" 0 "$(sql "
		SELECT count(DISTINCT array) - count(DISTINCT object_id) FROM hits")"
done
