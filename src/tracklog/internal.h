/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Internal to this folder: the list of chunks, the streams of records, the stacks and the clock. */
#ifndef MEMDB_TRACKLOG_INTERNAL_H
#define MEMDB_TRACKLOG_INTERNAL_H

#include "base/cursor.h"
#include "base/heap.h"
#include "base/mapfile.h"
#include "tracklog/tracklog.h"

/* A chunk with a valid header. */
struct chunk {
	const uint8_t *bytes; /* of the header, which the records follow */
	size_t size;
	uint64_t ticks, ns;
	uint32_t stream, sequence, tid;
};

/* A decoded record that tl_next() has not returned yet. Its extra data stay in the image. */
struct pending {
	struct tl_event e; /* time is in ticks; stack is the log's number */
	const uint8_t *extra_at;
	uint32_t extra;     /* number of extra entries … */
	size_t extra_bytes; /* … and their bytes, less than sizeof(tl_log.words) */
	uint32_t mode, flags;
};

/* One stream's records, in the order in which its thread wrote them. */
struct stream {
	uint32_t chunk, chunk_end; /* next chunk and end, indices into tl_log.chunks */
	uint32_t id;               /* number of the stream in its chunks' headers */
	uint32_t tid;
	struct cursor c;    /* unread words of the current chunk … */
	size_t chunk_bytes; /* … and the size of the whole chunk in bytes */
	uint64_t base;      /* ticks of the last TRACK_TIME */
	uint64_t ticks;     /* ticks of the last event; the next event is not earlier */
	uint32_t *node_ids; /* maps a stream's node number to the log's; 0 unknown */
	uint32_t nnode_ids, cap_node_ids;
	bool second; /* head is the death of a realloc; its birth follows, in second_words */
	uint64_t second_words[2];
	struct pending head;
};

struct node {
	uint64_t pc;
	uint32_t caller;    /* a smaller node number, or STACK_ROOT or STACK_TRUNCATED */
	uint32_t shortened; /* 1: the tracker left out the callers of the stack's outermost frame */
};

struct shared_block {
	uint64_t address, size;
};

/* A mapped block of the shared file. offset is its place in that file. */
struct tl_block {
	const uint8_t *bytes;
	size_t len;
	uint64_t offset;
};

/* The parts of a log that lie in the shared file. */
struct tl_parts {
	int fd;        /* of the shared file; -1: closed */
	uint8_t *slot; /* copy of the log's slot, TRACK_SLOT bytes, owned; NULL means the log has
			  none */
	struct tl_block blocks[TRACK_BLOCKS];
	unsigned nblocks;
	uint64_t missing; /* bytes of blocks that could not be mapped */
};

struct tl_log {
	const uint8_t *buf;
	size_t len;
	struct mapfile file; /* the mapping of buf; unused if buf is borrowed or is the slot */
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
	struct heap heap; /* streams with an event, by ticks; heap.at has room for all streams */
	bool started;
	uint64_t passed; /* bytes of the chunks that were read to their end */

	uint64_t pair_ticks, pair_ns; /* latest pair; times count from here */
	uint64_t far_ticks, far_ns;   /* latest pair known at the start, for the rate */
	uint64_t tick_khz;
	double ns_per_tick;
	uint64_t last_ns;

	struct node *nodes; /* [0] and [1] are not used */
	uint32_t nnodes, cap_nodes;
	uint64_t id_budget; /* number of entries by which all node_ids together may still grow */
	uint64_t *pcs;      /* for tl_stack() */

	struct shared_block *shared; /* attached segments: a shmdt event gets its size from here */
	uint32_t nshared, cap_shared;

	uint64_t words[TRACK_EXTRA_WORDS + 1]; /* extra data of the current event, and a NUL */
};

/* Returns a cursor over the records of a chunk. */
static inline struct cursor chunk_records(const struct chunk *c)
{
	const size_t head = sizeof(struct track_chunk);

	return cursor_make(c->bytes + head, c->size - head, false);
}

/* parts.c: opens the parts of the log that begins in slot `number` of the shared file. That file is
 * in the folder of path. Returns 0, MD_EIO or MD_ENOMEM. *p can be closed in any case. */
int tl_parts_open(const char *path, uint64_t number, struct tl_parts *p, struct md_err *err);
void tl_parts_keep(struct tl_parts *p); /* closes the descriptor, keeps the mappings */
void tl_parts_close(struct tl_parts *p);

/* directory.c: finds the chunks and makes the streams. fd is the open file of the image, or -1.
 * Returns 0 or MD_ENOMEM. */
int tl_directory(struct tl_log *l, int fd, struct md_err *err);

/* clock.c */

/* Computes the clock's rate from the pairs in the chunks' headers and in some chunks. */
void tl_clock_init(struct tl_log *l);
void tl_clock_pair(struct tl_log *l, uint64_t ticks, uint64_t ns);
/* tl_scan_pairs() calls take for each pair in a chunk and skips all other records. */
typedef void tl_pair_fn(void *arg, const struct track_moment *m);
void tl_scan_pairs(const struct chunk *chunk, tl_pair_fn *take, void *arg);
uint64_t tl_clock_ns(struct tl_log *l, uint64_t ticks);

/* stream.c: decodes the stream's next event into s->head. Returns 1, 0 at the end of the stream, or
 * MD_ENOMEM. */
int tl_stream_next(struct tl_log *l, struct stream *s, struct md_err *err);

/* stacks.c */

/* Reads the nodes of a TRACK_NODES record. c holds the record's words after the first. Returns 0 or
 * MD_ENOMEM. */
int tl_stacks_add(struct tl_log *l, struct stream *s, struct cursor *c, struct md_err *err);

/* Maps a stream's stack number to the log's. Returns 0 for an unknown stack, and counts it as lost.
 * Counts shortened stacks too. */
uint32_t tl_stacks_number(struct tl_log *l, const struct stream *s, uint32_t id);

/* Counts damaged bytes. Keeps a sentence about the first damage: what, and the place of at. */
void tl_damage(struct tl_log *l, uint64_t bytes, const uint8_t *at, const char *what);

/* Grows an array if needed, so that one more entry of size bytes fits. False when out of memory. */
bool tl_grow(void **array, uint32_t *cap, uint32_t used, size_t size);

#endif
