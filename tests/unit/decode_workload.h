/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the decoder is tested on by execution: a child process runs one part, a step at a time. */
#ifndef MEMDB_TESTS_DECODE_WORKLOAD_H
#define MEMDB_TESTS_DECODE_WORKLOAD_H

struct workload_part {
	const char *name;
	void (*run)(void);
	long steps; /* at least */
};

enum { WORKLOAD_PARTS = 4 };

extern const struct workload_part workload_parts[WORKLOAD_PARTS];

#endif
