/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads capture.json and the header features into the run and its topology. */
#ifndef MEMDB_IMPORT_RECORDING_H
#define MEMDB_IMPORT_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "waits/reach.h"

struct import;

/* The contents of capture.json; strings are owned by `json`. */
struct recording {
	struct json_object *json; /* NULL means no such file */
	bool has_file;
	struct md_err why; /* why an existing file cannot be read */
	const char *sampler, *perf_version, *memdb_version, *hostname, *kernel, *arch, *cwd;
	const char *emulator; /* of the CPU, such as "QEMU TCG"; NULL means none known */
	char *command, *perf_command;
	/* data caches of the first levels, 0 means unknown; and who reported them: "kernel" or
	 * "cpu", or "model" for those of the cache model; NULL means nobody */
	uint64_t cache_bytes[CACHE_LEVELS];
	const char *caches;
	uint64_t start_ns, end_ns, start_realtime_ns;
	int64_t exit_code, exit_signal;
	bool has_exit_code, has_exit_signal, tracked;
	/* first process of the program; the memdb process that started it */
	uint32_t pid, waiter_pid;
};

/* Returns the first string that is not NULL; NULL if both are. */
static inline const char *first_text(const char *a, const char *b)
{
	return a ? a : b;
}

/* Reads capture.json in the capture directory. The file is optional: recordings made by perf alone
 * have none. */
void recording_read(struct import *im);
/* Reports capture.json if it cannot be read, and files that should exist but are missing. */
void recording_losses(struct import *im);
void recording_release(struct recording *r);
/* Returns the role of events with this type and config; -1: capture.json does not list them. */
int recording_role(const struct recording *r, uint32_t type, uint64_t config);

/* Reads the topology from the file's header features, except what the follower reported. Returns 0
 * or MD_ENOMEM. */
int recording_topology(struct import *im);
/* Writes the row of the table runs. */
void recording_write(struct import *im);

#endif
