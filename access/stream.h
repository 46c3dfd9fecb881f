/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread's records on their way into the stream. Each thread fills a buffer of its own; a full
 * one is appended by one write(2), so records of several threads and processes never mix.
 */
#ifndef MEMDB_ACCESS_STREAM_H
#define MEMDB_ACCESS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access_format.h"

enum { STREAM_BYTES = 32 << 10, STREAM_CALLERS = 127 };

struct stream {
	uint32_t pid, tid;
	uint32_t used;
	uint8_t bytes[STREAM_BYTES];
};

struct stream_sample {
	enum access_event event;
	uint64_t ip, address, period;
	uint64_t time;   /* 0: now */
	uint64_t source; /* union perf_mem_data_src */
	uint32_t ncallers;
	const uint64_t *callers; /* return addresses, the innermost first */
};

/* Opens the file to append to; false: errno says why. */
bool stream_open(const char *path);

/* CLOCK_MONOTONIC, ns. */
uint64_t stream_now(void);

void stream_sample(struct stream *s, const struct stream_sample *what);

/* The thread's process has its file mapped there. path has at most PATH_MAX bytes. */
struct stream_map {
	uint64_t start, end, offset;
	uint32_t prot, flags;
	uint64_t inode;
	uint32_t major, minor;
	const char *path;
};

void stream_map(struct stream *s, const struct stream_map *m);

/* The name of a thread; executed: of a program that begins with it. */
void stream_name(struct stream *s, const char *name, bool executed);

/* The thread began, as a child of another: of its own process or not. */
void stream_begin(struct stream *s, uint32_t parent_pid, uint32_t parent_tid);
void stream_end(struct stream *s);

/* Appends what is in the buffer. What cannot be written is lost; stream_lost() counts it. */
void stream_flush(struct stream *s);

/* Records that could not be written so far, of all threads. */
uint64_t stream_lost(void);

#endif
