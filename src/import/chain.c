/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns call chains into call paths. To resolve every frame of every sample would take most of the
 * time of an import. So two caches are searched first. The first one (last_of()) holds, for each
 * hash of thread and ip, the chain that was seen last. The second one (chain_keep()) finds chains
 * by a hash of their addresses. Only a chain that is in neither cache is resolved frame by frame.
 */
#include "import/chain.h"

#include <string.h>

#include "base/cursor.h"
#include "import/lbr.h"
#include "import/pipeline.h"
#include "import/skipped.h"
#include "import/userstack.h"

/* PERF_CONTEXT_USER_DEFERRED; older kernel headers lack it */
#define CONTEXT_USER_DEFERRED ((uint64_t)-640)

enum {
	/* maximum size in bytes of the chains in the second cache, with their addresses; when they
	 * exceed it, both caches are emptied */
	CHAINS_BYTES = 8 << 20,
	/* of a chain, the caller that add_skipped() adds, and those of add_outer() */
	MAX_FRAMES = MAX_CHAIN + 1 + MOST_OUTER,
};

/* The scratch arrays have room for MAX_CHAIN frames. */
int chains_init(struct chains *c, struct md_err *err)
{
	c->ips = calloc(MAX_CHAIN, sizeof(*c->ips));
	c->frames = calloc(MAX_FRAMES, sizeof(*c->frames));
	c->kinds = calloc(MAX_FRAMES, sizeof(*c->kinds));
	if (!c->ips || !c->frames || !c->kinds)
		return md_nomem(err);
	return 0;
}

/* Sets *c to zero, so a second call does nothing. */
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

/* Adds the path of frames[0..n), innermost first, to the tree of call paths. Returns the
 * call_paths.id of the innermost frame, or 0 when out of memory. */
static uint32_t add_path(struct import *im, const uint32_t *frames, const uint8_t *kinds,
			 uint32_t n, bool truncated)
{
	uint32_t path = truncated ? CALL_PATH_TRUNCATED : CALL_PATH_ROOT;

	while (n && path) {
		n--;
		path = code_call_path(&im->model.code, path, frames[n],
				      kinds ? (enum call_kind)kinds[n] : CALL_USER);
	}
	return path;
}

/* Is this a function in which threads start, or does it call main()? If the outermost frame of a
 * path is in a different function, the unwinder stopped too early, and outer frames are missing.
 * `location` is the location of the last address of the chain. */
static bool is_whole(struct import *im, const struct chain *chain, uint32_t location)
{
	const struct location *l = &AT_ID(im->model.code.locations, location);

	return code_is_thread_start(code_symbol_name(&im->model.code, l->symbol)) ||
	       skipped_is_main(im, chain->process, chain->ips[chain->n - 1]);
}

/* Returns the kind of the frames that follow a PERF_CONTEXT_* marker in a chain. Frames after an
 * unknown marker, which a later kernel may have added, count as frames of the kernel. */
static enum call_kind kind_of_marker(uint64_t marker)
{
	switch (marker) {
	case PERF_CONTEXT_USER:
	case CONTEXT_USER_DEFERRED:
		return CALL_USER;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_KERNEL:
	case PERF_CONTEXT_GUEST_USER:
		return CALL_GUEST;
	default:
		return CALL_KERNEL;
	}
}

/* Returns the location (a file and an offset in it) of the code address ip. perf does not record
 * the files of virtual machines, so addresses in one (CALL_GUEST) get a location without a file. */
static uint32_t frame_location(struct import *im, uint32_t process, enum call_kind kind,
			       uint64_t ip)
{
	if (kind == CALL_GUEST)
		return code_location(&im->model.code, 0, ip);
	return space_location(&im->model.space, process, kind == CALL_KERNEL, ip);
}

/* Returns the kind of the first frames of a chain that begins without a marker. It follows from the
 * CPU's mode at the sample, which is a part of `misc`. */
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

/* Adds the caller that the walk by frame pointers has skipped, or a frame that stands for it, if
 * chain->ips[i] is the innermost user address. Returns the new number of frames. */
static uint32_t add_skipped(struct import *im, const struct chain *chain, const struct pd_sample *s,
			    uint32_t i, uint32_t nframes)
{
	struct chains *c = &im->model.chains;
	uint32_t location;

	if (i + 1 < chain->n && chain->ips[i + 1] < PERF_CONTEXT_MAX && chain->end == UNWIND_ENDS &&
	    !lbr_has(s) &&
	    skipped_caller(im, chain->process, s, chain->ips[i], chain->ips[i + 1], &location)) {
		c->kinds[nframes] = location ? CALL_USER : CALL_SKIPPED;
		c->frames[nframes++] = location;
	}
	return nframes;
}

/* Adds callers of the outermost frame, which are not in the chain, as far as the code shows them.
 * Sets *whole if the path is complete then. Returns the new number of frames. */
static uint32_t add_outer(struct import *im, const struct chain *chain, uint32_t nframes,
			  bool *whole)
{
	struct chains *c = &im->model.chains;
	uint32_t n;

	*whole = false;
	if (!chain->process || c->kinds[nframes - 1] != CALL_USER || !c->frames[nframes - 1])
		return nframes;
	n = skipped_outer(im, chain->process, c->frames[nframes - 1], c->frames + nframes, whole);
	memset(c->kinds + nframes, CALL_INFERRED, n);
	return nframes + n;
}

/* Is this address of a walk by frame pointers wrong? It is if no call ends just before it, so that
 * it is not a return address. Code that uses the frame pointer as an ordinary register leads the
 * kernel's walk to arbitrary words. If such a word is a pointer to a function, its symbol would
 * even be that of the function before. `location` is the location of the byte before the address.
 * If signal handlers return to the address, sets *location to that of the address itself. */
static bool goes_wrong(struct import *im, const struct chain *chain, const struct pd_sample *s,
		       uint64_t address, uint32_t *location)
{
	struct code *c = &im->model.code;
	enum ends_call call;

	if (!AT_ID(c->locations, *location).dso)
		return true;
	if (chain->end != UNWIND_ENDS || lbr_has(s))
		return false; /* these walks need no frame pointer */
	call = code_ends_call(c, *location);
	if (call == CALL_RETURNED)
		*location = frame_location(im, chain->process, CALL_USER, address);
	return call == CALL_NONE;
}

/* Resolves a chain of addresses to frames. Returns the call path of the frames; 0 if the chain is
 * empty or memory ran out. The first address after a marker is an instruction pointer. The others
 * are return addresses, which point after the call. If the walk went wrong at an address of user
 * code, this address and all that follow are dropped. */
static uint32_t resolve_chain(struct import *im, struct chain *chain, const struct pd_sample *s)
{
	struct chains *c = &im->model.chains;
	enum call_kind kind = kind_of_mode(s->misc);
	bool first = true, truncated = false, user = false, whole = false;
	uint32_t nframes = 0;

	for (uint32_t i = 0; i < chain->n; i++) {
		uint64_t ip = chain->ips[i];
		uint32_t location;

		if (ip >= PERF_CONTEXT_MAX) {
			kind = kind_of_marker(ip);
			first = true;
			if (ip != CONTEXT_USER_DEFERRED)
				continue;
			/* the kernel walks the user part later and writes it to another record,
			 * which memdb does not read; the next value in the chain is a cookie that
			 * links the two records */
			truncated = true;
			break;
		}
		location = frame_location(im, chain->process, kind, ip - !first);
		if (!location)
			return 0;
		user |= kind == CALL_USER;
		truncated = kind == CALL_USER && !first && goes_wrong(im, chain, s, ip, &location);
		if (truncated)
			break;
		if (!location)
			return 0;
		c->kinds[nframes] = (uint8_t)kind;
		c->frames[nframes++] = location;
		if (first && kind == CALL_USER)
			nframes = add_skipped(im, chain, s, i, nframes);
		first = false;
	}
	if (!nframes)
		return 0;
	if (user && !truncated && chain->end != UNWIND_OUTERMOST)
		truncated = !is_whole(im, chain, c->frames[nframes - 1]);
	chain->truncated = truncated;
	if (truncated)
		nframes = add_outer(im, chain, nframes, &whole);
	return add_path(im, c->frames, c->kinds, nframes, truncated && !whole);
}

/* Copies the first n addresses of the sample's chain to c->ips, in this machine's byte order. */
static void read_chain(struct import *im, const struct pd_sample *s, uint32_t n)
{
	struct cursor cur = cursor_make(s->callchain, (size_t)n * 8, pd_swapped(im->in.perf));

	if (!n)
		return;
	if (!cur.swap) {
		memcpy(im->model.chains.ips, s->callchain, (size_t)n * 8);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		im->model.chains.ips[i] = cursor_u64(&cur);
}

/* Returns the position of the marker before the user part in ips[0..n); n if there is none. */
static uint32_t user_part(const uint64_t *ips, uint32_t n)
{
	for (uint32_t i = n; i > 0; i--)
		if (ips[i - 1] == PERF_CONTEXT_USER)
			return i - 1;
	return n;
}

/* Unwinds the copy of the user stack and puts its frames in place of the chain's user part; the
 * chain has n addresses. Does nothing if the chain has more than one user address, because then the
 * kernel walked the stack itself, or if it has no room for MAX_UNWOUND more addresses. Returns the
 * new length of the chain. If the stack was unwound, stores in *end why the walk ended, and in *out
 * the frames. */
static uint32_t add_user_part(struct import *im, uint32_t process, const struct pd_sample *s,
			      uint32_t n, enum unwind_end *end, struct sample_path *out)
{
	uint64_t *ips = im->model.chains.ips;
	uint32_t at = user_part(ips, n);

	if (at + 2 < n || at + 1 + MAX_UNWOUND > MAX_CHAIN)
		return n;
	*end = userstack_walk(im, process, s, ips + at + 1, im->model.chains.cfas, MAX_UNWOUND,
			      &out->nframes);
	out->ips = ips + at + 1;
	out->cfas = im->model.chains.cfas;
	if (!out->nframes)
		return n;
	ips[at] = PERF_CONTEXT_USER;
	return at + 1 + out->nframes;
}

/* If the kernel's walk reached user code, replaces the user part of the chain with the CPU's record
 * of calls (LBR), which needs no frame pointers. n is the chain's length; returns its new
 * length. */
static uint32_t take_branches(struct import *im, const struct pd_sample *s, uint32_t n)
{
	uint64_t *ips = im->model.chains.ips;
	uint32_t at = user_part(ips, n);
	uint64_t innermost = at + 1 < n ? ips[at + 1] : 0;

	if (at == n)
		return n;
	return at + 1 + lbr_walk(im, s, innermost, ips + at + 1, MAX_CHAIN - at - 1);
}

/* Empties both caches: the entries of the first one refer to the second one. Chains that occur
 * again will be resolved again. */
static void chains_forget(struct chains *c)
{
	arena_release(&c->arena);
	index_clear(&c->index);
	memset(c->last, 0, sizeof(c->last));
	c->chains.n = 0;
}

/* Is the cached chain `have` the same as the new chain `key`, whose addresses are ips[]? The
 * members `end` (how the walk ended) must be equal, too: the same addresses may be a complete path
 * in one sample and a truncated path in another. */
static bool is_chain(const struct chain *have, const struct chain *key, const uint64_t *ips)
{
	return have->n == key->n && have->process == key->process && have->end == key->end &&
	       !memcmp(have->ips, ips, key->n * sizeof(*ips));
}

/* Adds a new chain to the second cache. If this cache is too large, empties both caches first.
 * Returns the chain's position + 1 in c->chains; 0 means out of memory. */
static uint32_t chain_add(struct chains *c, const struct chain *key, uint32_t hash)
{
	size_t bytes = (size_t)key->n * sizeof(*c->ips);
	uint64_t *copy;

	if (c->arena.used + c->chains.n * sizeof(c->chains.at[0]) > CHAINS_BYTES)
		chains_forget(c);
	copy = arena_alloc(&c->arena, bytes);
	if (!copy || !VEC_ROOM(&c->chains) || !index_add(&c->index, hash, c->chains.n + 1))
		return 0;
	memcpy(copy, c->ips, bytes);
	c->chains.at[c->chains.n] = *key;
	c->chains.at[c->chains.n].ips = copy;
	return ++c->chains.n;
}

/* Finds or adds the chain with the addresses c->ips[0..key->n). Returns its position + 1 in
 * c->chains; 0 means out of memory. */
static uint32_t chain_keep(struct chains *c, const struct chain *key)
{
	uint32_t hash, place, id;

	hash = place = index_hash_bytes(c->ips, key->n * sizeof(*c->ips), key->process);
	while ((id = index_next(&c->index, hash, &place)))
		if (is_chain(&AT_ID(c->chains, id), key, c->ips))
			return id;
	return chain_add(c, key, hash);
}

/* Returns the entry of the first cache for the sample's thread and ip. The value of the entry is
 * the position + 1 in c->chains of the last chain whose thread and ip have the same hash. A thread
 * often reaches an instruction by the same path again. */
static uint32_t *last_of(struct chains *c, const struct pd_sample *s)
{
	return &c->last[(s->tid * 31 ^ s->ip) % LAST_CHAINS];
}

/* Returns the call path of the chain at *last_of(), if the sample has the same chain and no code
 * has changed since it was resolved. Otherwise returns 0; also for a sample with a stack copy or a
 * branch record, from which the chain's user part would still have to be made, and for chains in
 * the other byte order. */
static uint32_t path_again(struct import *im, uint32_t process, uint64_t generation,
			   const struct pd_sample *s)
{
	uint32_t at = *last_of(&im->model.chains, s);
	const struct chain *last = at ? &AT_ID(im->model.chains.chains, at) : NULL;

	if (!last || last->process != process || last->generation != generation ||
	    last->n != s->ncallchain || last->end != UNWIND_ENDS || pd_swapped(im->in.perf) ||
	    userstack_has(im, s) || lbr_has(s) ||
	    memcmp(last->ips, s->callchain, last->n * sizeof(*last->ips)) != 0)
		return 0;
	return last->path;
}

/* Is this a sample of a page-fault event? For these events memdb records only a short stack copy,
 * so only the inner frames are known. */
static bool is_fault(const struct import *im, const struct pd_sample *s)
{
	return im->in.roles[s->evsel->index] == ROLE_FAULT;
}

/* Returns the sample's call path, from a cache or, for a new chain, by resolving it. The first
 * cache serves most samples, because a thread in a loop is sampled at few instructions. */
static struct sample_path remembered_path(struct import *im, uint32_t process,
					  const struct pd_sample *s)
{
	struct chain key = { .process = process, .n = MAX_CHAIN, .end = UNWIND_ENDS }, *chain;
	uint64_t generation = space_code_generation(&im->model.space, process);
	uint32_t again = path_again(im, process, generation, s), at;
	struct sample_path path = { 0 };

	if (again)
		return (struct sample_path){ .id = again };
	if (s->ncallchain < MAX_CHAIN)
		key.n = (uint32_t)s->ncallchain;
	read_chain(im, s, key.n);
	if (process && userstack_has(im, s))
		key.n = add_user_part(im, process, s, key.n, &key.end, &path);
	else if (lbr_has(s))
		key.n = take_branches(im, s, key.n);
	if (!key.n)
		return path;
	at = chain_keep(&im->model.chains, &key);
	if (!at) {
		im->model.code.nomem = true;
		return path;
	}
	*last_of(&im->model.chains, s) = at;
	chain = &AT_ID(im->model.chains.chains, at);
	if (!chain->path || chain->generation != generation) {
		chain->generation = generation;
		chain->path = resolve_chain(im, chain, s);
	}
	if (chain->truncated && chain->end != UNWIND_ENDS && !is_fault(im, s))
		im->model.chains.ends[chain->end]++;
	path.id = chain->path;
	path.unwound = chain->path && chain->end != UNWIND_ENDS;
	return path;
}

bool chain_skipped(struct import *im, uint32_t process, const struct pd_sample *s,
		   uint32_t *location)
{
	struct cursor cur =
		cursor_make(s->callchain, (size_t)s->ncallchain * 8, pd_swapped(im->in.perf));
	uint64_t ip = 0, back = 0;

	if (userstack_has(im, s) || lbr_has(s))
		return false;
	for (uint64_t i = 0; i < s->ncallchain && ip != PERF_CONTEXT_USER; i++)
		ip = cursor_u64(&cur);
	if (ip != PERF_CONTEXT_USER)
		return false;
	ip = cursor_u64(&cur);
	back = cursor_u64(&cur);
	return !cur.failed && back < PERF_CONTEXT_MAX &&
	       skipped_caller(im, process, s, ip, back, location);
}

/* Counts the time of this function as PHASE_STACKS (phase.h). */
struct sample_path chain_path(struct import *im, uint32_t process, const struct pd_sample *s)
{
	const enum phase before = phase_enter(im, PHASE_STACKS);
	const struct sample_path path = remembered_path(im, process, s);

	phase_enter(im, before);
	return path;
}

/* Do both locations belong to the same function? Code of a file without symbols counts as one
 * function. */
static bool same_function(const struct code *c, uint32_t a, uint32_t b)
{
	const struct location *x = &AT_ID(c->locations, a), *y = &AT_ID(c->locations, b);

	return x->dso && x->dso == y->dso && x->symbol == y->symbol;
}

uint32_t chain_at(struct import *im, uint32_t path, uint32_t at)
{
	struct code *c = &im->model.code;
	const struct call_path *leaf = path ? &AT_ID(c->call_paths, path) : NULL;

	if (!leaf || !leaf->location || !at || leaf->location == at ||
	    !same_function(c, leaf->location, at))
		return path;
	return code_call_path(c, leaf->parent, at, leaf->kind);
}

/* pc is a return address, which may already belong to the next function or line. So the byte before
 * pc, which belongs to the call, is looked up. */
uint32_t chain_frame(struct import *im, uint32_t process, uint32_t caller, uint64_t pc)
{
	uint32_t location = space_location(&im->model.space, process, false, pc - 1);

	if (!location)
		return 0;
	if (!AT_ID(im->model.code.locations, location).dso)
		return CALL_PATH_TRUNCATED;
	return code_call_path(&im->model.code, caller, location, CALL_USER);
}
