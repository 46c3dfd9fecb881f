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
	const uint8_t *bytes; /* its header; the records follow after it */
	size_t size;
	uint64_t ticks, ns;
	uint32_t stream, sequence, tid;
};

/* A decoded record that tl_next() has not returned yet. Its variable part (a mask, a name, nodes)
 * is not copied: extra_at points to it in the log. */
struct pending {
	/* e.time is still in ticks. e.stack is the argument for tl_frame() */
	struct tl_event e;
	const uint8_t *extra_at;
	uint32_t extra;     /* number of entries of the variable part */
	size_t extra_bytes; /* size of these entries, less than sizeof(tl_log.words) */
	uint32_t mode, flags;
};

/* The records of one stream, in the order in which its thread wrote them. */
struct stream {
	/* next chunk and end of the chunks, as indices into tl_log.chunks */
	uint32_t chunk, chunk_end;
	uint32_t id; /* number of the stream in the headers of its chunks */
	uint32_t tid;
	struct cursor c;    /* words of the current chunk that are not read yet */
	size_t chunk_bytes; /* size of the current chunk, bytes */
	uint64_t base;      /* ticks of the last TRACK_TIME record */
	/* ticks of the last event; an event with an earlier time gets this time */
	uint64_t ticks;
	/* node_ids[i] is the index in tl_log.nodes of the stack's node that the stream calls i; 0
	 * means unknown */
	uint32_t *node_ids;
	uint32_t nnode_ids, cap_node_ids;
	/* `head` is the death of the old block of a realloc, and second_words contains the birth of
	 * the new block */
	bool second;
	uint64_t second_words[2];
	struct pending head;
};

struct node {
	uint64_t pc;
	/* the caller's node: its index in tl_log.nodes, which is smaller than the index of this
	 * node; or STACK_ROOT or STACK_TRUNCATED */
	uint32_t caller;
	/* 1 if the tracker left out the outermost frames of this stack (STACK_SHORTENED) */
	uint32_t shortened;
};

struct shared_block {
	uint64_t address, size;
};

/* A block of the shared file, mapped into memory; `offset` is its offset in the file. */
struct tl_block {
	const uint8_t *bytes;
	size_t len;
	uint64_t offset;
};

/* The parts of a log that are in the shared file. */
struct tl_parts {
	int fd; /* descriptor of the shared file; -1 means closed */
	/* a copy of the log's slot, TRACK_SLOT bytes, owned; NULL means that no part of the log is
	 * in a slot */
	uint8_t *slot;
	struct tl_block blocks[TRACK_BLOCKS];
	unsigned nblocks;
	uint64_t missing; /* total size in bytes of the blocks that could not be mapped */
};

struct tl_log {
	const uint8_t *buf;
	size_t len;
	struct mapfile file; /* mapping of buf; unused if buf is borrowed, or is parts.slot */
	struct tl_parts parts;
	uint64_t cookie;
	unsigned shift;
	bool tsc;
	struct tl_info info;
	struct tl_losses losses;
	struct tl_moment start; /* readings of the clocks, from the header */
	char exe[1024], command[2048];

	struct chunk *chunks;
	uint32_t nchunks, cap_chunks;
	struct stream *streams;
	uint32_t nstreams;
	/* the streams that have more events, ordered by the time of their next event; heap.at has
	 * room for all streams */
	struct heap heap;
	bool started;
	uint64_t passed; /* size in bytes of the chunks that were read completely */

	/* the pair (ticks, ns) from which tl_clock_ns() computes times */
	uint64_t pair_ticks, pair_ns;
	/* the latest pair (ticks, ns) that was found while the log was opened; tl_clock_init()
	 * computes the rate of the counter from it */
	uint64_t far_ticks, far_ns;
	uint64_t tick_khz;
	double ns_per_tick;
	uint64_t last_ns;

	/* [0] and [1] are unused, because these numbers are STACK_ROOT and STACK_TRUNCATED */
	struct node *nodes;
	uint32_t nnodes, cap_nodes;
	/* limit on the memory for a damaged log: how many more entries the arrays node_ids of all
	 * streams together may get */
	uint64_t id_budget;

	/* the attached segments of System V shared memory: an event shmdt gets its size from
	 * here */
	struct shared_block *shared;
	uint32_t nshared, cap_shared;

	/* variable part of the current event, with a NUL after it */
	uint64_t words[TRACK_EXTRA_WORDS + 1];
};

/* Returns a cursor on the records of a chunk. */
static inline struct cursor chunk_records(const struct chunk *c)
{
	const size_t head = sizeof(struct track_chunk);

	return cursor_make(c->bytes + head, c->size - head, false);
}

/* parts.c: for the log that begins in slot `number` of the shared file (in the folder of `path`),
 * opens the parts that are in that file. Returns 0, MD_EIO or MD_ENOMEM. tl_parts_close(p) is valid
 * even after an error. */
int tl_parts_open(const char *path, uint64_t number, struct tl_parts *p, struct md_err *err);
void tl_parts_keep(struct tl_parts *p); /* closes the descriptor and keeps the mappings */
void tl_parts_close(struct tl_parts *p);

/* directory.c: finds the chunks and makes the streams. fd, which is needed to skip holes, is a
 * descriptor of the log's own file; -1 means that there is no such file. Returns 0 or MD_ENOMEM. */
int tl_directory(struct tl_log *l, int fd, struct md_err *err);

/* In clock.c. */

/* Computes the rate of the counter from the pairs in the headers of all chunks and inside some
 * chunks. If none is later than the start of the log, the header's tick_khz is the rate. */
void tl_clock_init(struct tl_log *l);
void tl_clock_pair(struct tl_log *l, uint64_t ticks, uint64_t ns);
/* tl_scan_pairs() calls `take` for each pair (ticks, ns) in a chunk. */
typedef void tl_pair_fn(void *arg, const struct track_moment *m);
void tl_scan_pairs(const struct chunk *chunk, tl_pair_fn *take, void *arg);
uint64_t tl_clock_ns(struct tl_log *l, uint64_t ticks);

/* stream.c: decodes the next event of the stream into s->head. Returns 1, 0 at the end of the
 * stream, or MD_ENOMEM. */
int tl_stream_next(struct tl_log *l, struct stream *s, struct md_err *err);

/* In stacks.c. */

/* Reads the nodes of a TRACK_NODES record; c contains the words after its first one. Returns 0
 * or MD_ENOMEM. */
int tl_stacks_add(struct tl_log *l, struct stream *s, struct cursor *c, struct md_err *err);

/* Returns the number of a stack for tl_frame(), given its number `id` in the stream s. Returns 0
 * for an unknown stack. Counts unknown and shortened stacks in tl_losses. */
uint32_t tl_stacks_number(struct tl_log *l, const struct stream *s, uint32_t id);

/* Counts damaged bytes. For the first damage of the log, also stores a sentence with `what` and the
 * offset of `at`. */
void tl_damage(struct tl_log *l, uint64_t bytes, const uint8_t *at, const char *what);

/* Makes room for one more entry of `size` bytes in an array. Returns false when out of memory. */
bool tl_grow(void **array, uint32_t *cap, uint32_t used, size_t size);

#endif
