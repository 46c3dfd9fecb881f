/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the records of a thread to the stream (perf.data). Each thread fills a buffer of its own,
 * and a full buffer is appended by one write(2). So records of different threads and processes are
 * never mixed. */
#ifndef MEMDB_ACCESS_STREAM_H
#define MEMDB_ACCESS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access_format.h"
#include "buildid.h"

enum { STREAM_BYTES = 32 << 10, STREAM_CALLERS = 127 };

struct stream {
	uint32_t pid, tid;
	uint32_t used;
	uint8_t bytes[STREAM_BYTES];
};

struct stream_sample {
	enum access_event event;
	uint64_t ip, address, period;
	uint64_t time;   /* time of the access; 0 stands for the current time */
	uint64_t source; /* a union perf_mem_data_src */
	uint32_t ncallers;
	/* return addresses of the calls that have not returned, the innermost first */
	const uint64_t *callers;
};

/*
 * Opens the perf.data file to append to it. The count of lost records is at offset lost_at of the
 * file (access_lost.lost); 0 means that the file has no such count. Returns false and sets errno on
 * failure.
 */
bool stream_open(const char *path, uint64_t lost_at);

/* Returns CLOCK_MONOTONIC in ns. */
uint64_t stream_now(void);

void stream_sample(struct stream *s, const struct stream_sample *what);

/* A mapping in the address space of the thread's process: of a file, or of memory under a name such
 * as "//anon". At most PATH_MAX - 1 bytes of the path are used. */
struct stream_map {
	uint64_t start, end, offset;
	uint32_t prot, flags;
	uint64_t inode;
	uint32_t major, minor;
	/* the record has either the build-id or the inode and the device. build_id_size is 0 if the
	 * build-id is unknown */
	uint8_t build_id[BUILD_ID_MOST];
	uint8_t build_id_size;
	const char *path;
	uint64_t time; /* 0 stands for the current time */
};

void stream_map(struct stream *s, const struct stream_map *m);

/* Writes a record of the thread's new name. */
void stream_name(struct stream *s, const char *name);

/* Writes a record of the thread's exec of a program with this name, at this time (0 stands for the
 * current time). */
void stream_executed(struct stream *s, const char *name, uint64_t time);

struct stream_task {
	uint32_t pid, tid;
	/* the parent: another thread of the process or, after a fork, the thread that forked it */
	uint32_t parent_pid, parent_tid;
	uint64_t time; /* 0 stands for the current time */
};

/* Write a record of the start of a thread, or of the end of the thread to which s belongs. */
void stream_begin(struct stream *s, const struct stream_task *task);
void stream_end(struct stream *s);

/* Appends the records in the thread's buffer to the file. Records that cannot be written are
 * counted as lost. */
void stream_flush(struct stream *s);

/* Adds to the count of lost records, for example records for which there was no memory. */
void stream_lose(uint64_t records);

#endif
