/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to this folder: directory of chunks, streams of records, stacks, the clock. */
#ifndef MEMDB_TRACKLOG_INTERNAL_H
#define MEMDB_TRACKLOG_INTERNAL_H

#include "base/cursor.h"
#include "base/heap.h"
#include "base/mapfile.h"
#include "tracklog/tracklog.h"

/* A chunk that has a header. */
struct chunk {
	const uint8_t *bytes; /* with the header */
	size_t size;
	uint64_t ticks, ns;
	uint32_t stream, sequence, tid;
};

/* A decoded record that waits for its turn. Its extra data stay in the image until then. */
struct pending {
	struct tl_event e; /* time is in ticks; stack is the log's number */
	const uint8_t *extra_at;
	uint32_t extra;     /* entries … */
	size_t extra_bytes; /* … and bytes, at most those of tl_log.words minus one */
	uint32_t mode, flags;
};

/* One stream's records, in the order in which its thread wrote them. */
struct stream {
	uint32_t chunk, chunk_end; /* in tl_log.chunks */
	uint32_t id;               /* its number in the chunks */
	uint32_t tid;
	struct cursor c;    /* unread words of the current chunk … */
	size_t chunk_bytes; /* … and the size of the whole chunk in bytes */
	uint64_t base;      /* ticks of the last TRACK_TIME */
	uint64_t ticks;     /* ticks of the last event: the next is not earlier */
	uint32_t *node_ids; /* maps a stream's node number to the log's; 0 unknown */
	uint32_t nnode_ids, cap_node_ids;
	bool second; /* head is the death of a realloc, whose birth follows */
	uint64_t second_words[2];
	struct pending head;
};

struct node {
	uint64_t pc;
	uint32_t caller;    /* a smaller node number, or STACK_ROOT or STACK_TRUNCATED */
	uint32_t shortened; /* 1: the callers of its outermost frame were left out */
};

struct shared_block {
	uint64_t address, size;
};

/* A block of the shared file, at an offset there. */
struct tl_block {
	const uint8_t *bytes;
	size_t len;
	uint64_t offset;
};

/* What a log has of the shared file. */
struct tl_parts {
	int fd;        /* of that file, -1 closed */
	uint8_t *slot; /* where the log begins, TRACK_SLOT bytes; NULL: none is known */
	struct tl_block blocks[TRACK_BLOCKS];
	unsigned nblocks;
	uint64_t missing; /* bytes of blocks that the file does not have */
};

struct tl_log {
	const uint8_t *buf;
	size_t len;
	struct mapfile file; /* the mapping behind buf; else buf is borrowed, or the slot */
	struct tl_parts parts;
	uint64_t cookie;
	unsigned shift;
	bool tsc;
	struct tl_info info;
	struct tl_losses losses;
	struct tl_moment start; /* from the header */
	char exe[1024], command[2048];

	struct chunk *chunks;
	uint32_t nchunks, cap_chunks;
	struct stream *streams;
	uint32_t nstreams;
	struct heap heap; /* of the streams that have an event, by ticks; at has room for all */
	bool started;
	uint64_t passed; /* bytes of the chunks read to their end */

	uint64_t pair_ticks, pair_ns; /* the latest pair at or before the current time, roughly */
	uint64_t far_ticks, far_ns;   /* the pair farthest from the first */
	uint64_t tick_khz;
	double ns_per_tick;
	uint64_t last_ns;

	struct node *nodes; /* [0] and [1] are not used */
	uint32_t nnodes, cap_nodes;
	uint64_t id_budget; /* number of entries by which all node_ids together may still grow */
	uint64_t *pcs;      /* for tl_stack() */

	struct shared_block *shared; /* attached segments: shmdt needs their size */
	uint32_t nshared, cap_shared;

	uint64_t words[TRACK_EXTRA_WORDS + 1]; /* extra data of the current event */
};

/* The records of a chunk. */
static inline struct cursor chunk_records(const struct chunk *c)
{
	const size_t head = sizeof(struct track_chunk);

	return cursor_make(c->bytes + head, c->size - head, false);
}

/* parts.c: the parts of the log that begins in slot `number` of the shared file in the folder of
 * path. 0, MD_EIO or MD_ENOMEM; *p can be closed in any case. */
int tl_parts_open(const char *path, uint64_t number, struct tl_parts *p, struct md_err *err);
void tl_parts_keep(struct tl_parts *p); /* closes the descriptor */
void tl_parts_close(struct tl_parts *p);

/* directory.c: finds the chunks and makes the streams. fd is the file behind the image, or -1. 0
 * or MD_ENOMEM. */
int tl_directory(struct tl_log *l, int fd, struct md_err *err);

/* clock.c: computes the rate from the pairs at the starts of chunks. */
void tl_clock_init(struct tl_log *l);
void tl_clock_pair(struct tl_log *l, uint64_t ticks, uint64_t ns);
/* Calls take for each pair in a chunk and skips all other records. */
typedef void tl_pair_fn(void *arg, const struct track_moment *m);
void tl_scan_pairs(const struct chunk *chunk, tl_pair_fn *take, void *arg);
uint64_t tl_clock_ns(struct tl_log *l, uint64_t ticks);

/* stream.c: decodes the stream's next event into s->head: 1, 0 at its end, MD_ENOMEM. */
int tl_stream_next(struct tl_log *l, struct stream *s, struct md_err *err);

/* stacks.c */

/* Reads the nodes of a TRACK_NODES record; c holds its words after the first. 0 or MD_ENOMEM. */
int tl_stacks_add(struct tl_log *l, struct stream *s, struct cursor *c, struct md_err *err);

/* Maps a stream's stack number to the log's. 0, and counted, if it is unknown. */
uint32_t tl_stacks_number(struct tl_log *l, const struct stream *s, uint32_t id);

/* Counts damaged bytes and keeps the sentence about the first. */
void tl_damage(struct tl_log *l, uint64_t bytes, const uint8_t *at, const char *what);

/* Makes room for one more entry of size bytes in a growing array; false when out of memory. */
bool tl_grow(void **array, uint32_t *cap, uint32_t used, size_t size);

#endif
