/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes tracker logs into memory, in the layout of the tracker. */
#ifndef MEMDB_TESTS_TRACKLOG_BUILD_H
#define MEMDB_TESTS_TRACKLOG_BUILD_H

#include <stdlib.h>
#include <string.h>

#include "track_format.h"

enum { LOG_CHUNKS = 8 };

struct log_build {
	uint64_t words[(1 + LOG_CHUNKS) * TRACK_CHUNK / 8];
	unsigned chunks; /* number of chunks so far */
	uint64_t *p;     /* where the next word of the current chunk is written */
};

static inline struct track_header *log_header(struct log_build *b)
{
	return (struct track_header *)b->words;
}

/* Returns an image of a log with a header and no chunks. Its clock counts ns, unless the test
 * changes the header. */
static inline struct log_build *log_new(void)
{
	struct log_build *b = calloc(1, sizeof(*b));
	struct track_header *h;

	if (!b)
		abort();
	h = log_header(b);
	memcpy(h->magic, TRACK_MAGIC, sizeof(h->magic));
	h->version = TRACK_VERSION;
	h->header_bytes = TRACK_HEADER_BYTES;
	h->chunk_bytes = TRACK_CHUNK;
	h->page_bytes = 4096;
	h->cookie = 0x1234567890abcdefu;
	h->pid = 100;
	h->ppid = 99;
	h->clock = TRACK_CLOCK_MONOTONIC;
	h->start_ns = 1000;
	h->next = TRACK_CHUNK;
	strcpy(h->exe, "/bin/app");
	strcpy(h->command, "app -v");
	return b;
}

/* Returns the size of the built log, including its last chunk. */
static inline size_t log_size(const struct log_build *b)
{
	return (1 + b->chunks) * (size_t)TRACK_CHUNK;
}

static inline struct track_chunk *log_chunk(struct log_build *b, uint32_t stream, uint32_t sequence,
					    uint32_t tid)
{
	struct track_chunk *c;

	if (b->chunks == LOG_CHUNKS)
		abort();
	b->p = b->words + log_size(b) / 8;
	c = (struct track_chunk *)b->p;
	b->chunks++;
	log_header(b)->next = log_size(b);
	c->magic = TRACK_CHUNK_MAGIC;
	c->state = TRACK_OPEN;
	c->cookie = log_header(b)->cookie;
	c->stream = stream;
	c->sequence = sequence;
	c->tid = tid;
	c->pid = log_header(b)->pid;
	b->p += sizeof(*c) / 8;
	return c;
}

static inline void log_time(struct log_build *b, uint64_t ticks)
{
	*b->p++ = TRACK_WORD(TRACK_TIME) | ticks;
}

static inline void log_short(struct log_build *b, enum track_type type, unsigned time,
			     uint64_t address)
{
	*b->p++ = TRACK_WORD(type) | TRACK_PUT(SHORT_TIME, time) | address >> TRACK_ADDRESS_SHIFT;
}

static inline void log_birth_body(struct log_build *b, unsigned fn, unsigned cpu, uint64_t size,
				  uint32_t stack)
{
	*b->p++ = TRACK_WORD(TRACK_BODY) | TRACK_PUT(BIRTH_FUNCTION, fn) |
		  TRACK_PUT(BIRTH_CPU, cpu) | TRACK_PUT(BIRTH_SIZE, size) | stack;
}

/* Adds the record of a malloc on CPU 3 to the current chunk, with the stack STACK_TRUNCATED
 * (unknown). */
static inline void log_malloc(struct log_build *b, unsigned time, uint64_t address, uint64_t size)
{
	log_short(b, TRACK_BIRTH, time, address);
	log_birth_body(b, TL_FN_MALLOC, 3, size, 1);
}

static inline void log_free(struct log_build *b, unsigned time, uint64_t address)
{
	log_short(b, TRACK_DEATH, time, address);
}

/* Adds a long record: its head and n words. */
static inline void log_long(struct log_build *b, unsigned kind, unsigned fn, const uint64_t *words,
			    unsigned n)
{
	*b->p++ = TRACK_WORD(TRACK_LONG) | TRACK_PUT(LONG_KIND, kind) |
		  TRACK_PUT(LONG_WORDS, n + 1) | TRACK_LONG_COMPLETE |
		  TRACK_PUT(LONG_FUNCTION, fn) | TRACK_PUT(LONG_CPU, 5);
	for (unsigned i = 0; i < n; i++)
		*b->p++ = words[i];
}

/* Adds a long event with extra_bytes of extra data. ev->extra is the number of entries in this
 * data. */
static inline void log_long_event(struct log_build *b, unsigned kind, unsigned fn,
				  const struct track_event *ev, const void *extra,
				  size_t extra_bytes)
{
	uint64_t words[64] = { 0 };

	memcpy(words, &ev->ticks, sizeof(*ev) - 8);
	if (extra_bytes)
		memcpy(words + 7, extra, extra_bytes);
	log_long(b, TRACK_EVENT + kind, fn, words, 7 + (unsigned)((extra_bytes + 7) / 8));
}

/* Adds n stack nodes with the ids first, first + 1, … The caller of `first` is `caller`; each
 * other node is called by the one before. */
static inline void log_nodes(struct log_build *b, uint32_t first, uint32_t caller,
			     const uint64_t *pcs, unsigned n)
{
	uint64_t words[64] = { first | (uint64_t)caller << 32 };

	memcpy(words + 1, pcs, n * 8);
	log_long(b, TRACK_NODES, 0, words, n + 1);
}

#endif
