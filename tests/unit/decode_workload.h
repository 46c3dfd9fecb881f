/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that a child runs, one instruction at a time, to test the decoder. */
#ifndef MEMDB_TESTS_DECODE_WORKLOAD_H
#define MEMDB_TESTS_DECODE_WORKLOAD_H

struct workload_part {
	const char *name;
	void (*run)(void);
	long steps; /* run() executes at least this many instructions */
};

enum { WORKLOAD_PARTS = 4 };

extern const struct workload_part workload_parts[WORKLOAD_PARTS];

#endif
