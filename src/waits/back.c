/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches backwards from ip for the accesses that the instruction before ip may have waited for.
 * On each way (sequence of instructions that leads to ip) the search tracks two things. The first
 * is the values of registers, each expressed as a register's value at ip plus a constant. The
 * second is a set of needed registers: those that the instruction before ip needs, directly or
 * through a few loads. If an instruction writes a needed register, its result flows to the
 * instruction before ip. The registers that it reads then become needed instead. */
#include <string.h>

#include "base/index.h"
#include "waits/search.h"
#include "waits/spilled.h"

enum {
	MOST_STEPS = 400, /* maximum number of instructions on all ways (struct way) together */
	LONGEST_WAY = 64, /* maximum number of instructions on one way */
	/* maximum number of loads between a needed register and the instruction before ip
	 * (way.depth) */
	CHAIN = 2,
	/* maximum number of instructions that are searched for a copy of an overwritten base
	 * register */
	COPIES = 16,
	/* maximum number of instructions, on all ways, that are searched for a load before a
	 * store */
	MOST_FETCH = 32,
	/* maximum number of instructions that is_optional() examines */
	MOST_AROUND = 128,
};

/* A way (sequence of instructions that leads to ip), or the part of a way that the search has
 * already followed backwards. */
struct way {
	/* position of the next instruction to examine; it runs before those examined so far */
	uint32_t at;
	uint32_t n;                 /* number of instructions examined so far */
	bool around;                /* whether the way has gone around a loop */
	bool entry;                 /* whether the way has left the loop around ip by its entry */
	uint32_t tests;             /* as in struct wait_candidate */
	uint32_t seen[LONGEST_WAY]; /* these n instructions, each as 2 * position + around */
	struct values values;
	struct regset need;
	/* indexed by register: for a needed one, number of loads between it and the instruction
	 * before ip */
	uint8_t depth[BODY_REGISTERS];
};

struct walk {
	struct body *body;
	uint32_t from, ip; /* `from` runs just before ip */
	const struct ahead *ahead;
	struct found *found;
	struct before *before;
	struct {
		struct way *at;
		uint32_t n, cap;
	} todo;
};

static bool contains(const uint32_t *at, uint32_t n, uint32_t x)
{
	for (uint32_t i = 0; i < n; i++)
		if (at[i] == x)
			return true;
	return false;
}

static uint8_t least_depth(const struct way *w, struct regset hit)
{
	uint8_t least = UINT8_MAX;

	for (int r = 0; r < BODY_REGISTERS; r++)
		if (regset_has(&hit, r) && w->depth[r] < least)
			least = w->depth[r];
	return least;
}

static void add_needed(struct way *w, struct regset reads, uint8_t depth)
{
	for (int r = 0; r < BODY_REGISTERS; r++) {
		if (!regset_has(&reads, r))
			continue;
		if (!regset_has(&w->need, r) || depth < w->depth[r])
			w->depth[r] = depth;
		regset_add(&w->need, r);
	}
}

static const struct ahead_access *ahead_of(const struct ahead *a, uint32_t insn)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (a->at[i].insn == insn)
			return &a->at[i];
	return NULL;
}

/* A load just before ip has overwritten its own base register `base`. Returns an access after ip
 * that represents this load; NULL if there is none. After mov 8(%rax,%rdx,8),%rax the old %rax is
 * gone, but an access through the new pointer in %rax leads to the next node. */
static const struct ahead_access *access_through(const struct ahead *a, int base)
{
	for (uint32_t i = 0; i < a->n; i++) {
		const struct wait_address *x = &a->at[i].address;

		if (a->at[i].load && a->at[i].by == WAIT_BY_ADDRESS && x->base.reg == base &&
		    !x->base.add && !x->base.wraps32 && a->at[i].base == base && a->at[i].index < 0)
			return &a->at[i];
	}
	return NULL;
}

/* Finds a copy of the base register of operand *m that an instruction before k made: in mov
 * %rax,%rdx; mov (%rax),%rax the second instruction overwrites %rax, but %rdx still has the old
 * value. Searches straight-line code. `v` has the values of the registers before k. Sets *out to
 * the value of the base register; returns false if there is no copy. */
static bool copied_base(struct body *b, uint32_t k, const struct values *v,
			const struct insn_mem *m, struct value *out)
{
	struct regset changed = { 0 };
	struct body_way way[BODY_WAYS];

	for (int i = 0; i < COPIES && body_before(b, k, way) == 1 && !way[0].around; i++) {
		const struct operation *o = body_operation(b, k = way[0].from);
		int to = o->move.to;

		if (to >= 0 && to != o->move.from && o->move.from == m->base && !o->move.wraps32 &&
		    v->at[to].known && !regset_has(&changed, to)) {
			*out = v->at[to];
			out->add -= o->move.add;
			return true;
		}
		if (regset_has(&o->writes, m->base))
			return false;
		changed.regs |= o->writes.regs;
		changed.slots |= o->writes.slots;
	}
	return false;
}

static bool address_by_copy(struct walk *w, uint32_t k, const struct values *v,
			    const struct operation *o, struct wait_address *out)
{
	struct values with = *v;

	if (o->mem.base < 0 || v->at[o->mem.base].known ||
	    !copied_base(w->body, k, v, &o->mem, &with.at[o->mem.base]))
		return false;
	return values_address(&with, &o->mem, offset_from(w->body, k, w->ip), out);
}

/* Finds the address of the access of instruction way->at, as exactly as the registers allow, and
 * stores it in *c. c->by says how exact it is. way->values are those before the instruction.
 * Addresses from the frame do not show whether the sample is in the first iteration of a loop, so
 * they are not used for an access in the iteration before. */
static void find_address(struct walk *w, const struct way *way, const struct operation *o,
			 struct wait_candidate *c)
{
	const uint32_t k = way->at;
	const struct values *v = &way->values;
	const struct ahead_access *next = !c->load ? NULL : ahead_of(w->ahead, k);
	int64_t offset = offset_from(w->body, k, w->ip);

	c->by = WAIT_BY_ADDRESS;
	if (values_address(v, &o->mem, offset, &c->address))
		return;
	c->by = WAIT_BY_COPY;
	if (address_by_copy(w, k, v, o, &c->address) ||
	    (!way->around && spilled_address(w->body, k, v, &o->mem, &c->address)))
		return;
	if ((!next || next->by != WAIT_BY_ADDRESS) && c->how == WAIT_OWN && o->is_mov &&
	    o->mem.load && o->mem.base >= 0 && regset_has(&o->writes, o->mem.base))
		next = access_through(w->ahead, o->mem.base);
	if (next && next->by == WAIT_BY_ADDRESS) {
		c->by = WAIT_BY_NEXT;
		c->address = next->address;
		if (next->insn != k) {
			c->apart = (int32_t)(o->mem.disp - next->address.disp);
			c->indexed = o->mem.index >= 0;
			c->pointee = true;
		}
		return;
	}
	c->by = WAIT_BY_BASE;
	if (values_base(v, &o->mem, offset, &c->address))
		return;
	if (next && next->by == WAIT_BY_BASE)
		c->address = next->address;
	else
		c->by = WAIT_BY_NOTHING;
}

static bool same_operand(const struct insn_mem *a, const struct insn_mem *b)
{
	return a->base == b->base && a->index == b->index && a->scale == b->scale &&
	       a->disp == b->disp && !a->ip_relative && !b->ip_relative &&
	       a->thread_relative == b->thread_relative;
}

static bool writes_operand(const struct operation *o, const struct insn_mem *m)
{
	return (m->base >= 0 && regset_has(&o->writes, m->base)) ||
	       (m->index >= 0 && regset_has(&o->writes, m->index));
}

/* Finds all instructions that may have run just before instruction k: at the head of a loop, those
 * that close it and those that enter it. Returns their number; 0 if they are not known. */
static unsigned all_before(struct body *b, uint32_t k, struct body_way out[2 * BODY_WAYS])
{
	const unsigned n = body_before(b, k, out);

	return n && out[0].around ? n + body_entries(b, k, out + n) : n;
}

/* Does a load shortly before the store at instruction k read the same address, as in a[i] += x, on
 * all ways to the store? Then the store need not wait for its cache line, because the load has
 * fetched it: a search in a hash table ends at several places, but each has loaded the slot that is
 * then stored to. */
static bool was_loaded(struct body *b, uint32_t k, const struct insn_mem *m)
{
	uint32_t seen[MOST_FETCH] = { k }, n = 1;

	for (uint32_t i = 0; i < n; i++) {
		struct body_way before[2 * BODY_WAYS];
		const unsigned ways = all_before(b, seen[i], before);

		if (!ways || n + ways > MOST_FETCH)
			return false;
		for (unsigned w = 0; w < ways; w++) {
			const struct operation *o = body_operation(b, before[w].from);

			if (o->access && o->mem.load && same_operand(&o->mem, m))
				continue;
			if (writes_operand(o, m))
				return false;
			seen[n] = before[w].from;
			n += !contains(seen, n, seen[n]);
		}
	}
	return true;
}

/* Does the jump go elsewhere than from `from` to `to` whenever the candidate runs? */
static bool never_goes(const struct fixed_jumps *jumps, uint32_t from, uint32_t to)
{
	for (unsigned i = 0; i < jumps->n; i++)
		if (jumps->at[i].from == from)
			return jumps->at[i].to != to;
	return false;
}

/* Returns candidate.optional of instruction way->at: looks for a way to ip that does not contain
 * it. Such a way begins at the start of the function, at a call, or two iterations before ip. Also
 * returns true if the code is too large or too complicated to decide. */
static bool is_optional(struct walk *w, const struct way *way)
{
	uint32_t seen[MOST_AROUND] = { 2 * w->from }, n = 1;
	const uint32_t it = 2 * way->at + way->around;
	struct fixed_jumps jumps;

	taken_fixed(w->body, way->at, &jumps);
	for (uint32_t i = 0; i < n && seen[0] != it; i++) {
		struct body_way before[BODY_WAYS];
		const unsigned ways = body_before(w->body, seen[i] / 2, before);

		if (!ways || n + ways > MOST_AROUND)
			return true;
		for (unsigned k = 0; k < ways; k++) {
			const uint32_t next = 2 * before[k].from + (seen[i] & 1);

			if (never_goes(&jumps, before[k].from, seen[i] / 2))
				continue;
			if (before[k].around && seen[i] & 1)
				return true;
			seen[n] = next | before[k].around;
			n += seen[n] != it && !contains(seen, n, seen[n]);
		}
	}
	return false;
}

/* Returns candidate.span of the access of instruction k. Goes back to the instruction that bounds
 * the index, as long as only one instruction may have run before. */
static uint64_t index_span(struct body *b, uint32_t k, const struct insn_mem *m)
{
	struct body_way way[BODY_WAYS];
	int index = m->index;

	for (int i = 0; index >= 0 && i < COPIES && body_before(b, k, way) == 1; i++) {
		const struct operation *o = body_operation(b, k = way[0].from);

		if (!regset_has(&o->writes, index))
			continue;
		if (o->most)
			return (uint64_t)o->most * m->scale + (m->bytes ? m->bytes : 1);
		if (o->move.to != index || o->move.from == index || o->move.add)
			return 0;
		index = o->move.from;
	}
	return 0;
}

/* Adds a candidate to the list *f. An instruction is listed only once, with its lowest value of
 * enum wait_how, and with the tests that exclude all ways on which it runs. If the list is full, *c
 * replaces the candidate with the highest wait_how (of several the most distant one), but only if
 * the wait_how of *c is lower. */
static void keep_better(struct found *f, const struct found_candidate *c)
{
	struct found_candidate *worst = NULL;

	for (uint32_t i = 0; i < f->n; i++) {
		struct found_candidate *x = &f->at[i];
		const uint32_t both = x->c.tests & c->c.tests;
		bool same;

		if (x->insn == c->insn) {
			if (c->c.how == x->c.how && c->distance < x->distance)
				x->distance = c->distance;
			same = x->c.by == c->c.by &&
			       !memcmp(&x->c.address, &c->c.address, sizeof(c->c.address));
			if (c->c.how < x->c.how)
				*x = *c;
			x->c.moved |= same ? 0 : x->c.tests & ~both;
			x->c.tests &= both;
			return;
		}
		if (!worst || x->c.how > worst->c.how ||
		    (x->c.how == worst->c.how && x->distance > worst->distance))
			worst = x;
	}
	if (f->n < WAIT_CANDIDATES)
		f->at[f->n++] = *c;
	else if (c->c.how < worst->c.how)
		*worst = *c;
}

static void add_candidate(struct walk *w, const struct way *way, const struct operation *o,
			  enum wait_how how)
{
	struct found_candidate c = { .insn = way->at, .distance = way->n };

	c.c = (struct wait_candidate){
		.insn = w->body->insns.at[way->at].at,
		.how = how,
		.bytes = o->mem.bytes,
		.elements = insn_addresses(&o->mem),
		.load = o->mem.load,
		.store = o->mem.store,
		.loaded = o->mem.store && !o->mem.load && was_loaded(w->body, way->at, &o->mem),
		.optional = o->mem.store && is_optional(w, way),
		.lock = o->mem.lock,
		.tests = way->tests | taken_guards(w->body, way->at, &way->values, w->before),
		.span = index_span(w->body, way->at, &o->mem)
	};
	if (how == WAIT_ENTRY)
		c.c.by = WAIT_BY_NOTHING;
	else
		find_address(w, way, o, &c.c);
	keep_better(w->found, &c);
}

static void add_before(struct walk *w, const struct way *way, const struct operation *o)
{
	struct before *b = w->before;
	const uint32_t insn = w->body->insns.at[way->at].at;
	struct before_access x = { .distance = way->n };

	for (uint32_t i = 0; i < b->n; i++)
		if (b->at[i].a.insn == insn)
			return;
	x.a = (struct wait_access){ .insn = insn,
				    .bytes = o->mem.bytes,
				    .load = true,
				    .store = o->mem.store,
				    .lock = o->mem.lock };
	if (b->n < WAIT_BEFORE &&
	    values_address(&way->values, &o->mem, offset_from(w->body, way->at, w->ip),
			   &x.a.address))
		b->at[b->n++] = x;
}

/* Examines instruction way->at: adds its access as a candidate, and to w->before if it loads. Sets
 * the values and the needed registers of *way to those before the instruction. */
static void step_back(struct walk *w, struct way *way)
{
	const struct operation o = *body_operation(w->body, way->at);
	struct regset hit = regset_and(o.writes, way->need);
	bool own = way->n == 0, flows = regset_any(hit);

	values_back(&way->values, &o);
	if (o.access && o.mem.load && !way->entry)
		add_before(w, way, &o);
	if (o.access && way->entry && flows && o.mem.load)
		add_candidate(w, way, &o, WAIT_ENTRY);
	else if (o.access && !way->entry)
		add_candidate(w, way, &o,
			      own                      ? WAIT_OWN
			      : flows && way->around   ? WAIT_CARRIED
			      : flows                  ? WAIT_FLOW
			      : way->n < WAIT_TOGETHER ? WAIT_WINDOW
			      : !o.mem.load            ? WAIT_STORED
						       : WAIT_BESIDE);
	if (own) {
		add_needed(way, o.reads, 0);
	} else if (flows) {
		uint8_t depth = least_depth(way, hit) + (o.access && o.mem.load);

		way->need.regs &= ~hit.regs;
		way->need.slots &= ~hit.slots;
		if (depth <= CHAIN)
			add_needed(way, o.reads, depth);
	}
	way->seen[way->n++] = 2 * way->at + way->around;
}

/* *way goes on from instruction `to` to the one that ran before it. Adds tests for samples that did
 * not come this way: those in the first iteration of the loop that the step closes, or those for
 * which a conditional jump went elsewhere. */
static void add_tests(struct walk *w, struct way *way, struct body_way before, uint32_t to)
{
	struct wait_test t;

	if (before.around ? first_find(w->body, to, w->ip, &way->values, &t)
			  : taken_find(w->body, before.from, to, &way->values, &t))
		way->tests |= before_test(w->before, &t);
}

/* Adds a way that continues *way before way->at, with an instruction that may have run just before.
 * Adds none that would pass an instruction twice in the same iteration, or go around a loop a
 * second time. Returns false when out of memory. */
static bool add_way(struct walk *w, const struct way *way, struct body_way before, bool entry)
{
	bool around = way->around || before.around;
	struct way *next;

	if ((way->around && before.around) || contains(way->seen, way->n, 2 * before.from + around))
		return true;
	if (!VEC_ROOM(&w->todo))
		return false;
	next = &w->todo.at[w->todo.n++];
	*next = *way;
	next->at = before.from;
	next->around = around;
	next->entry = entry;
	add_tests(w, next, before, way->at);
	return true;
}

/* Continues the search before way->at, unless the way would get longer than LONGEST_WAY. At the
 * head of the loop around ip, also leaves the loop by its entries; these ways are examined last.
 * Returns false when out of memory. */
static bool branch_off(struct walk *w, const struct way *way)
{
	struct body_way before[BODY_WAYS], entries[BODY_WAYS];
	unsigned n = way->n < LONGEST_WAY ? body_before(w->body, way->at, before) : 0, m = 0;

	if (n && before[0].around && !way->around && !way->entry)
		m = body_entries(w->body, way->at, entries);
	for (unsigned i = 0; i < m; i++)
		if (!add_way(w, way, entries[i], true))
			return false;
	for (unsigned i = 0; i < n; i++)
		if (!add_way(w, way, before[i], way->entry))
			return false;
	return true;
}

bool back_find(struct body *b, struct body_way last, uint32_t ip, const struct ahead *ahead,
	       struct found *out, struct before *before)
{
	struct walk w = { .body = b,
			  .from = last.from,
			  .ip = ip,
			  .ahead = ahead,
			  .found = out,
			  .before = before };
	bool ok = VEC_ROOM(&w.todo);
	struct way way = { .at = last.from };

	out->n = 0;
	values_init(&way.values);
	add_tests(&w, &way, last, ip);
	if (ok)
		w.todo.at[w.todo.n++] = way;
	for (int steps = 0; ok && w.todo.n && steps < MOST_STEPS; steps++) {
		way = w.todo.at[--w.todo.n];
		step_back(&w, &way);
		ok = branch_off(&w, &way);
	}
	free(w.todo.at);
	return ok;
}
