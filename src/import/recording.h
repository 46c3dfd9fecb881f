/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture.json and the header features: to the run and its topology. */
#ifndef MEMDB_IMPORT_RECORDING_H
#define MEMDB_IMPORT_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct import;

/* What capture.json says; strings are owned by `json`. */
struct recording {
	struct json_object *json; /* NULL: there is none */
	bool has_file;
	struct md_err why; /* that it cannot be read, where it is there */
	const char *sampler, *perf_version, *memdb_version, *hostname, *kernel, *arch, *cwd;
	const char *emulator; /* of the CPU, as "QEMU TCG"; NULL: none is known */
	char *command, *perf_command;
	uint64_t start_ns, end_ns, start_realtime_ns;
	int64_t exit_code, exit_signal;
	bool has_exit_code, has_exit_signal, tracked;
	uint32_t pid, waiter_pid; /* the program's first process; memdb's own that started it */
};

/* What the first source says, else the second; NULL: neither says it. */
static inline const char *either(const char *a, const char *b)
{
	return a ? a : b;
}

/* capture.json of the folder: what it cannot say, somebody else's recording cannot either. */
void recording_read(struct import *im);
/* Says what of it could not be read, and what it promises that is not there. */
void recording_losses(struct import *im);
void recording_release(struct recording *r);
/* The role of the events of this type and config, -1 where it says nothing of them. */
int recording_role(const struct recording *r, uint32_t type, uint64_t config);

/* Topology from the file's header features, as far as the follower said nothing. */
int recording_topology(struct import *im);
void recording_write(struct import *im);

#endif
