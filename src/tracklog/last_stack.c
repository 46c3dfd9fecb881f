/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last stack of a stream, which its records change (preload/track_format.h). Each frame of it
 * is a node of the log's tree of stacks. A hash table leads from a node and the address of a frame
 * that it calls to the node of that frame, so equal stacks of all streams have one number.
 *
 * If a record is damaged or missing, the frames that it added are unknown, and so are those inside
 * them. The outer ones stay known: the frames in s->frames are the outermost ones of the stack.
 */
#include "tracklog/internal.h"

#include <stdlib.h>
#include <string.h>

/* An entry of the hash table. */
struct callee {
	uint32_t hash;
	uint32_t node; /* 0 marks an empty entry */
};

enum {
	FIRST_BITS = 10,
	GROW_BITS = 2,
	MOST_NODES = 1 << 25,
	KNOWN_FROM = 1 << 12, /* with fewer nodes, the table of nodes is in the processor's cache */
	KNOWN_BITS = 14,
	KNOWN_FRAMES = 6,
};

/*
 * The nodes of frames that were added at once, for a hash of their addresses and of the node of
 * their caller. A look-up of a node waits for two reads of memory in a log with many stacks, so
 * this table saves most of them. Hashes have 64 bits, so different frames are taken for the same
 * with a probability of 1 in 10^19.
 */
struct known_frames {
	uint64_t hash;
	uint32_t nodes[KNOWN_FRAMES];
};

static inline uint32_t hash_of(uint32_t caller, uint64_t pc)
{
	return ((pc ^ (uint64_t)caller << 40 ^ caller) * 0x9e3779b97f4a7c15u) >> 32;
}

/* Returns the node of the frame with this address that `caller` calls; 0 if there is none. */
static inline uint32_t find_callee(const struct tl_log *l, uint32_t caller, uint64_t pc)
{
	const uint32_t hash = hash_of(caller, pc), mask = (uint32_t)((1ull << l->callee_bits) - 1);
	const struct callee *c;

	for (uint32_t at = hash >> (32 - l->callee_bits);; at = (at + 1) & mask) {
		c = &l->callees[at];
		if (!c->node || (c->hash == hash && l->nodes[c->node].pc == pc &&
				 l->nodes[c->node].caller == caller))
			return c->node;
	}
}

/* Adds an entry to a table that has room, and has none for the same node. */
static void put(struct tl_log *l, struct callee entry)
{
	const uint32_t mask = (uint32_t)((1ull << l->callee_bits) - 1);
	uint32_t at = entry.hash >> (32 - l->callee_bits);

	while (l->callees[at].node)
		at = (at + 1) & mask;
	l->callees[at] = entry;
}

/* Makes the table larger if it is half full. Returns false when out of memory. */
static bool make_room(struct tl_log *l)
{
	struct callee *old = l->callees;
	const uint64_t size = old ? 1ull << l->callee_bits : 0;

	if (2ull * l->ncallees < size)
		return true;
	l->callee_bits += old ? GROW_BITS : FIRST_BITS;
	l->callees = calloc(1ull << l->callee_bits, sizeof(*l->callees));
	for (uint64_t i = 0; i < size && l->callees; i++)
		if (old[i].node)
			put(l, old[i]);
	free(old);
	return l->callees;
}

/* Creates the node of the frame with this address that `caller` calls, which is missing. Returns 0
 * if the log has too many frames, or if memory is missing; then sets *nomem. */
static __attribute__((noinline)) uint32_t add_callee(struct tl_log *l, uint32_t caller, uint64_t pc,
						     bool *nomem)
{
	*nomem = !make_room(l);
	if (*nomem || l->ncallees >= MOST_NODES || !tl_stacks_node(l, caller, pc, false, nomem))
		return 0;
	l->ncallees++;
	put(l, (struct callee){ hash_of(caller, pc), l->nnodes - 1 });
	return l->nnodes - 1;
}

/* Makes room for n more frames. Returns false when out of memory. */
static bool frames_room(struct stream *s, uint32_t n)
{
	while (s->cap_frames < s->nframes + n)
		if (!tl_grow((void **)&s->frames, &s->cap_frames, s->cap_frames,
			     sizeof(*s->frames)))
			return false;
	return true;
}

/* Returns the node of the last stack; STACK_ROOT if it has no frames. */
static uint32_t innermost(const struct stream *s)
{
	return s->nframes ? s->frames[s->nframes - 1] : (uint32_t)STACK_ROOT;
}

/* Adds a frame to the last stack, inside the others; pc 0 means that it is unknown. There must be
 * room for it. Returns false when out of memory. */
static inline bool push(struct tl_log *l, struct stream *s, uint64_t pc)
{
	const uint32_t caller = innermost(s);
	uint32_t node = 0;
	bool nomem = false;

	if (pc && s->nframes < STACK_MAX_DEPTH && !s->frames_lost) {
		node = l->callees ? find_callee(l, caller, pc) : 0;
		if (!node)
			node = add_callee(l, caller, pc, &nomem);
	}
	if (node)
		s->frames[s->nframes++] = node;
	else
		s->frames_lost = true;
	return !nomem;
}

static void keep(struct stream *s, uint64_t frames)
{
	s->frames_lost = frames > s->nframes;
	if (!s->frames_lost)
		s->nframes = (uint32_t)frames;
}

/* Gets the addresses of n call sites, which are in the lowest bits of `sites`; 0 means unknown.
 * Returns their number, which is less than n if the list ends before. */
static unsigned addresses(const struct stream *s, uint64_t sites, unsigned n, uint64_t *pcs)
{
	for (unsigned i = 0; i < n; i++, sites >>= TRACK_SITE_BITS) {
		const uint32_t site = sites & TRACK_SITE_NONE;

		if (site == TRACK_SITE_NONE)
			return i;
		pcs[i] = site < s->nsites ? s->sites[site] : 0;
	}
	return n;
}

/* Returns the place in which the nodes of these frames are remembered; NULL if nothing is
 * remembered. *hash is a hash of the frames and of the one that calls them. */
static struct known_frames *known_place(struct tl_log *l, const struct stream *s,
					const uint64_t *pcs, unsigned n, uint64_t *hash)
{
	if (n > KNOWN_FRAMES || l->ncallees < KNOWN_FROM)
		return NULL;
	if (!l->known)
		l->known = calloc(1 << KNOWN_BITS, sizeof(*l->known));
	*hash = innermost(s) + n * 0xd6e8feb86659fd93u;
	for (unsigned i = 0; i < n; i++) {
		*hash = (*hash ^ pcs[i]) * 0x9e3779b97f4a7c15u;
		*hash ^= *hash >> 32;
	}
	return l->known ? &l->known[*hash >> (64 - KNOWN_BITS)] : NULL;
}

/* Adds n frames to the last stack, the outermost one first. Returns false when out of memory. */
static bool push_all(struct tl_log *l, struct stream *s, const uint64_t *pcs, unsigned n)
{
	const uint32_t first = s->nframes;
	struct known_frames *known;
	uint64_t hash = 0;

	if (s->frames_lost || !n)
		return true;
	if (!frames_room(s, KNOWN_FRAMES > n ? KNOWN_FRAMES : n))
		return false;
	known = known_place(l, s, pcs, n, &hash);
	if (known && known->hash == hash) {
		memcpy(s->frames + first, known->nodes, sizeof(known->nodes));
		s->nframes += n;
		return true;
	}
	for (unsigned i = 0; i < n; i++)
		if (!push(l, s, pcs[i]))
			return false;
	if (known && !s->frames_lost) {
		known->hash = hash;
		memcpy(known->nodes, s->frames + first, n * sizeof(known->nodes[0]));
	}
	return true;
}

int tl_last_change(struct tl_log *l, struct stream *s, uint64_t word, const uint64_t *more,
		   unsigned n, struct md_err *err)
{
	uint64_t pcs[TRACK_STACK_FIRST + TRACK_STACK_EACH * (TRACK_MOST(STACK_MORE) + 1)];
	unsigned frames = addresses(s, word, TRACK_STACK_FIRST, pcs);

	for (unsigned i = 0; i < n && frames == TRACK_STACK_FIRST + TRACK_STACK_EACH * i; i++)
		frames += addresses(s, more[i], TRACK_STACK_EACH, pcs + frames);
	keep(s, TRACK_GET(STACK_KEPT, word));
	return push_all(l, s, pcs, frames) ? 0 : md_nomem(err);
}

/* Sets the address of a call site. Returns false when out of memory. */
static bool set_site(struct tl_log *l, struct stream *s, uint32_t site, uint64_t pc)
{
	while (s->nsites <= site) {
		if (!l->id_budget)
			return true;
		if (!tl_grow((void **)&s->sites, &s->cap_sites, s->nsites, sizeof(*s->sites)))
			return false;
		l->id_budget--;
		s->sites[s->nsites++] = 0;
	}
	s->sites[site] = pc;
	return true;
}

int tl_last_frames(struct tl_log *l, struct stream *s, struct cursor *c, struct md_err *err)
{
	bool ok = true;

	keep(s, cursor_u64(c));
	while (ok && cursor_left(c) >= 8) {
		const uint64_t word = cursor_u64(c), pc = TRACK_GET(FRAME_ADDRESS, word);
		const uint32_t site = TRACK_GET(FRAME_SITE, word);

		ok = frames_room(s, 1) && push(l, s, pc) &&
		     (site >= TRACK_SITE_NONE || set_site(l, s, site, pc));
	}
	return ok ? 0 : md_nomem(err);
}

void tl_last_forget(struct stream *s)
{
	s->nframes = s->nsites = 0;
	s->frames_lost = true;
}

uint32_t tl_last_number(const struct stream *s)
{
	return s->nframes && !s->frames_lost ? s->frames[s->nframes - 1] : 0;
}
