#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that static variables are objects, each with its own name and size.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer static_array 0.4

assert_addresses work_pass 600
assert_sound
assert_eq "objects behind the arrays" "table_bss|static|table_bss|1|1
table_data|static|table_data|1|1
table_local|static|use_local_static::table_local|1|1" "$(sql "
	SELECT DISTINCT h.array, o.kind, o.name,
		o.address_start = h.array_address, o.size_bytes = h.array_bytes
	FROM hits h LEFT JOIN objects o ON o.id = h.object_id ORDER BY 1")"
assert_eq "wrong offsets" 0 "$(sql "
	SELECT count(*) FROM hits WHERE object_offset IS NOT address - array_address")"
