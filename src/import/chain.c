/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/pipeline.h"

#include <string.h>

#include "base/cursor.h"

/* A record is at most 64 KiB, so no chain is longer. */
enum { MAX_CHAIN = 8192 };

int chains_init(struct chains *c, struct md_err *err)
{
	c->ips = calloc(MAX_CHAIN, sizeof(*c->ips));
	c->frames = calloc(MAX_CHAIN, sizeof(*c->frames));
	c->kinds = calloc(MAX_CHAIN, sizeof(*c->kinds));
	if (!c->ips || !c->frames || !c->kinds)
		return md_fail(err, MD_ENOMEM, "out of memory");
	return 0;
}

void chains_release(struct chains *c)
{
	arena_release(&c->arena);
	index_release(&c->index);
	free(c->chains.at);
	free(c->ips);
	free(c->frames);
	free(c->kinds);
	memset(c, 0, sizeof(*c));
}

/* Hangs frames[0..n), innermost first, below their root. */
static uint32_t hang(struct import *im, const uint32_t *frames, const uint8_t *kinds, uint32_t n,
		     bool truncated)
{
	uint32_t path = truncated ? CALL_PATH_TRUNCATED : CALL_PATH_ROOT;

	while (n && path) {
		n--;
		path = code_call_path(&im->code, path, frames[n],
				      kinds ? (enum call_kind)kinds[n] : CALL_USER);
	}
	return path;
}

/* Does the outermost frame begin a thread? Otherwise the unwinder stopped before it got there. */
static bool is_whole(struct import *im, uint32_t location)
{
	const struct location *l = &im->code.locations.at[location - 1];

	return code_is_thread_start(code_symbol_name(&im->code, l->symbol));
}

static enum call_kind kind_of_marker(uint64_t marker)
{
	switch (marker) {
	case PERF_CONTEXT_USER:
		return CALL_USER;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_KERNEL:
	case PERF_CONTEXT_GUEST_USER:
		return CALL_GUEST;
	default:
		return CALL_KERNEL;
	}
}

static uint32_t frame_location(struct import *im, uint32_t process, enum call_kind kind,
			       uint64_t ip)
{
	if (kind == CALL_GUEST)
		return code_location(&im->code, 0, ip);
	return space_location(&im->space, process, kind == CALL_KERNEL, ip);
}

/*
 * Turns the raw chain into frames. The first address after a marker is exact, the others are return
 * addresses. A user address that lies in no code is no frame: a walk by frame pointers went astray
 * there, and nothing beyond it is believed.
 */
static uint32_t resolve(struct import *im, uint32_t process, const uint64_t *ips, uint32_t n,
			enum call_kind kind)
{
	struct chains *c = &im->chains;
	bool first = true, truncated = false, user = false;
	uint32_t nframes = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t location;

		if (ips[i] >= PERF_CONTEXT_MAX) {
			kind = kind_of_marker(ips[i]);
			first = true;
			continue;
		}
		location = frame_location(im, process, kind, ips[i] - !first);
		if (!location)
			return 0;
		if (kind == CALL_USER) {
			user = true;
			if (!first && !im->code.locations.at[location - 1].dso) {
				truncated = true;
				break;
			}
		}
		c->kinds[nframes] = (uint8_t)kind;
		c->frames[nframes++] = location;
		first = false;
	}
	if (!nframes)
		return 0;
	if (user && !truncated)
		truncated = !is_whole(im, c->frames[nframes - 1]);
	return hang(im, c->frames, c->kinds, nframes, truncated);
}

static enum call_kind kind_of_mode(uint16_t misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL:
	case PERF_RECORD_MISC_HYPERVISOR:
		return CALL_KERNEL;
	case PERF_RECORD_MISC_GUEST_KERNEL:
	case PERF_RECORD_MISC_GUEST_USER:
		return CALL_GUEST;
	default:
		return CALL_USER;
	}
}

static const uint64_t *native(struct import *im, const struct pd_sample *s, uint32_t n)
{
	struct cursor cur = cursor_make(s->callchain, (size_t)n * 8, pd_swapped(im->perf));

	if (!cur.swap) {
		memcpy(im->chains.ips, s->callchain, (size_t)n * 8);
		return im->chains.ips;
	}
	for (uint32_t i = 0; i < n; i++)
		im->chains.ips[i] = cursor_u64(&cur);
	return im->chains.ips;
}

static uint32_t hash_chain(const uint64_t *ips, uint32_t n, uint32_t process)
{
	uint64_t h = process * 0x9e3779b97f4a7c15u ^ n;

	for (uint32_t i = 0; i < n; i++) {
		h = (h ^ ips[i]) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	return (uint32_t)h;
}

uint32_t chain_path(struct import *im, uint32_t process, const struct pd_sample *s)
{
	uint32_t n = s->ncallchain < MAX_CHAIN ? (uint32_t)s->ncallchain : MAX_CHAIN;
	uint64_t generation = process ? space_process(&im->space, process)->code_generation : 0;
	struct chains *c = &im->chains;
	uint32_t hash, place, id;
	const uint64_t *ips;
	struct chain *have;

	if (!n)
		return 0;
	ips = native(im, s, n);
	hash = place = hash_chain(ips, n, process);
	while ((id = index_next(&c->index, hash, &place))) {
		have = &c->chains.at[id - 1];
		if (have->n == n && have->process == process && !memcmp(have->ips, ips, n * 8))
			break;
	}
	if (!id) {
		uint64_t *copy = arena_alloc(&c->arena, n * 8);

		if (!copy || !VEC_ROOM(&c->chains) ||
		    !index_add(&c->index, hash, c->chains.n + 1)) {
			im->code.nomem = true;
			return 0;
		}
		memcpy(copy, ips, n * 8);
		have = &c->chains.at[c->chains.n++];
		*have = (struct chain){ .process = process, .n = n, .ips = copy };
	}
	if (!have->path || have->generation != generation) {
		have->generation = generation;
		have->path = resolve(im, process, ips, n, kind_of_mode(s->misc));
	}
	return have->path;
}

uint32_t stack_path(struct import *im, uint32_t process, const uint64_t *pcs, uint32_t n,
		    bool truncated)
{
	struct chains *c = &im->chains;
	uint32_t nframes = 0;

	for (uint32_t i = 0; i < n && nframes < MAX_CHAIN; i++) {
		uint32_t location = space_location(&im->space, process, false, pcs[i] - 1);

		if (!location)
			return 0;
		if (!im->code.locations.at[location - 1].dso) {
			truncated = true;
			break;
		}
		c->frames[nframes++] = location;
	}
	return hang(im, c->frames, NULL, nframes, truncated || nframes == MAX_CHAIN);
}
