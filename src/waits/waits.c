/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/waits.h"

#include "base/arena.h"
#include "waits/loop.h"
#include "waits/nest.h"
#include "waits/reach.h"
#include "waits/search.h"

enum {
	LARGEST = 512 << 10,   /* maximum size in bytes; larger functions have no plans */
	MOST_BYTES = 16 << 20, /* if the decoded functions use more bytes, all are forgotten */
};

/* The innermost loop around the instruction before ip. */
struct innermost {
	struct loop loop;
	struct loop_step steps[LOOP_LONGEST]; /* indexed by instruction, from loop.first on */
};

/* What a plan is made of. Part of struct waits, because it is too large for a small stack. */
struct draft {
	struct wait_candidate candidates[WAIT_WAYS * WAIT_CANDIDATES];
	struct wait_access accesses[WAIT_AHEAD], earlier[WAIT_BEFORE];
	struct before before;
	struct ahead ahead;
	struct innermost innermost;
	struct loop_step around[2 * LOOP_LONGEST]; /* for nest_find() */
	struct nest nest;
};

struct waits {
	struct decoder *decoder;
	enum dec_arch arch;
	struct arena arena;
	struct {
		struct known_body {
			uint64_t key;
			size_t len;
			struct body body;
		} * at;
		uint32_t n, cap;
	} bodies;
	struct index by_key;
	size_t bytes; /* bytes of all decoded functions */
	struct draft draft;
};

static const struct wait_plan empty_plan;

int waits_open(struct decoder *d, enum dec_arch arch, struct waits **out, struct md_err *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return md_nomem(err);
	(*out)->decoder = d;
	(*out)->arch = arch;
	return 0;
}

static void forget_bodies(struct waits *w)
{
	for (uint32_t i = 0; i < w->bodies.n; i++)
		body_release(&w->bodies.at[i].body);
	w->bodies.n = 0;
	w->bytes = 0;
	index_clear(&w->by_key);
}

void waits_close(struct waits *w)
{
	if (!w)
		return;
	forget_bodies(w);
	free(w->bodies.at);
	index_release(&w->by_key);
	arena_release(&w->arena);
	free(w);
}

static struct body *find_body(struct waits *w, uint64_t key, const uint8_t *code, size_t len)
{
	uint32_t hash = index_hash(key, len), place = hash, id;

	while ((id = index_next(&w->by_key, hash, &place))) {
		struct known_body *k = &AT_ID(w->bodies, id);

		if (k->key == key && k->len == len && k->body.code == code)
			return &k->body;
	}
	return NULL;
}

/* Returns the decoded function with this key: from the cache or, if it is not there, decoded now.
 * NULL means out of memory. */
static struct body *get_body(struct waits *w, uint64_t key, const uint8_t *code, size_t len)
{
	struct body *b = find_body(w, key, code, len);
	struct known_body *k;

	if (b)
		return b;
	if (w->bytes > MOST_BYTES)
		forget_bodies(w);
	if (!VEC_ROOM(&w->bodies) || !index_add(&w->by_key, index_hash(key, len), w->bodies.n + 1))
		return NULL;
	k = &w->bodies.at[w->bodies.n++];
	k->key = key;
	k->len = len;
	if (!body_init(&k->body, w->decoder, code, len))
		return NULL;
	w->bytes += body_bytes(&k->body);
	return &k->body;
}

static int by_how(const void *a, const void *b)
{
	const struct found_candidate *x = a, *y = b;

	if (x->c.how != y->c.how)
		return x->c.how < y->c.how ? -1 : 1;
	return x->insn < y->insn ? -1 : x->insn > y->insn;
}

static int by_distance(const void *a, const void *b)
{
	const struct before_access *x = a, *y = b;

	if (x->distance != y->distance)
		return x->distance > y->distance ? -1 : 1;
	return x->a.insn < y->a.insn ? -1 : x->a.insn > y->a.insn;
}

/* Returns the step of the instruction at offset `insn`; no_step if it is not in the plan's loop. */
static const struct loop_step *step_of(const struct body *b, const struct wait_plan *plan,
				       const struct innermost *l, uint32_t insn)
{
	return wait_loop_has(&plan->loop, insn) ? &l->steps[body_find(b, insn) - l->loop.first]
						: &no_step;
}

/* Do both instructions access memory relative to the same registers, and advance alike? */
static bool goes_along(const struct innermost *l, const struct insn_mem *a, uint32_t ka,
		       const struct operation *o, uint32_t k)
{
	return o->access && o->mem.base == a->base && o->mem.index == a->index &&
	       o->mem.scale == a->scale && o->mem.ip_relative == a->ip_relative &&
	       l->steps[k - l->loop.first].step == l->steps[ka - l->loop.first].step;
}

/* Does an iteration of the loop access more than half of the bytes of a cache line around the
 * operand of instruction k? Compilers unroll or vectorize a loop over a row of few elements, and
 * then the loop over the rows is the innermost one. */
static bool is_dense(struct body *b, const struct innermost *l, uint32_t k)
{
	const struct insn_mem m = body_operation(b, k)->mem;
	uint64_t below = 0, from = 0; /* accessed bytes of the 64 before m.disp, and from it on */

	for (uint32_t i = l->loop.first; i <= l->loop.last; i++) {
		const struct operation *o = body_operation(b, i);
		const int64_t at = o->mem.disp - m.disp;

		if (!goes_along(l, &m, k, o, i) || at <= -CACHE_LINE || at >= CACHE_LINE ||
		    o->mem.elements)
			continue;
		for (int64_t byte = at; byte < at + o->mem.bytes && byte < CACHE_LINE; byte++)
			*(byte < 0 ? &below : &from) |= UINT64_C(1) << (byte & (CACHE_LINE - 1));
	}
	return __builtin_popcountll(below) + __builtin_popcountll(from) > CACHE_LINE / 2;
}

/* Returns how many cache lines the loads of the loop touch that go along with instruction k. Each
 * element of a gather is on a line of its own. */
static uint8_t lines_of(struct body *b, const struct innermost *l, uint32_t k)
{
	const struct insn_mem m = body_operation(b, k)->mem;
	int64_t lowest = m.disp;
	uint64_t lines = 0; /* a bit for each line, the first 64 from `lowest` on */
	int n;

	for (uint32_t i = l->loop.first; i <= l->loop.last; i++) {
		const struct operation *o = body_operation(b, i);

		if (o->mem.load && goes_along(l, &m, k, o, i) && o->mem.disp < lowest)
			lowest = o->mem.disp;
	}
	for (uint32_t i = l->loop.first; i <= l->loop.last; i++) {
		const struct operation *o = body_operation(b, i);
		const uint64_t line = ((uint64_t)o->mem.disp - (uint64_t)lowest) / CACHE_LINE;

		if (o->mem.load && goes_along(l, &m, k, o, i) && line < 64)
			lines |= UINT64_C(1) << line;
	}
	n = (lines ? __builtin_popcountll(lines) : 1) * insn_addresses(&m);
	return n < UINT8_MAX ? (uint8_t)n : UINT8_MAX;
}

static void set_step(struct body *b, const struct wait_plan *plan, const struct innermost *l,
		     struct wait_candidate *c)
{
	const struct loop_step *s = step_of(b, plan, l, c->insn);

	c->step = (int32_t)s->step;
	c->lines = s == &no_step ? 1 : lines_of(b, l, (uint32_t)body_find(b, c->insn));
	c->stride = s->stride;
	/* If the access has only one byte, `row` is not set. The value that the loop loads may then
	 * be an index and not a pointer: an index into an array of bytes that begins at the
	 * unchanged part of the address. */
	c->row = s->row && c->bytes > 1;
	c->dense = s->step != WAIT_NO_STEP && llabs(s->step) > CACHE_LINE &&
		   is_dense(b, l, (uint32_t)body_find(b, c->insn));
}

static void set_loop(const struct body *b, struct recurrence turn, struct wait_candidate *c)
{
	c->loop = (uint8_t)turn.n;
	c->loop_start = b->insns.at[turn.first].at;
	c->loop_end = b->insns.at[turn.last].at;
}

/* Are all these ways to an instruction conditional jumps, none of which closes a loop? */
static bool are_jumps(const struct body *b, const struct body_way *ways, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (ways[i].around || b->insns.at[ways[i].from].flow != FLOW_BRANCH)
			return false;
	return true;
}

/* Is a conditional jump among the last WAIT_TOGETHER instructions on the way that ends with `last`,
 * without an access after it? A jump that closes a loop does not count. */
static bool follows_jump(struct body *b, struct body_way last)
{
	struct body_way before[BODY_WAYS];

	for (int i = 0; i < WAIT_TOGETHER && !last.around; i++) {
		unsigned n;

		if (b->insns.at[last.from].flow == FLOW_BRANCH)
			return true;
		if (body_operation(b, last.from)->access)
			return false;
		n = body_before(b, last.from, before);
		if (n != 1)
			return n && are_jumps(b, before, n);
		last = before[0];
	}
	return false;
}

/* Stores the candidates on all ways in at[], which has WAIT_WAYS * WAIT_CANDIDATES elements, and
 * the loads before ip in *before. Sets plan->ways, n, last and jumps. Returns false when out of
 * memory. */
static bool find_candidates(struct body *b, uint32_t ip, const struct ahead *ahead,
			    const struct innermost *l, struct wait_candidate *at,
			    struct wait_plan *plan, struct before *before)
{
	struct body_way from[BODY_WAYS];
	struct found found;

	plan->ways = (uint8_t)body_before(b, ip, from);
	if (plan->ways > WAIT_WAYS)
		plan->ways = 0;
	if (plan->ways == 1)
		plan->last = (int32_t)offset_from(b, from[0].from, ip) +
			     b->insns.at[from[0].from].size - 1;
	for (unsigned i = 0; i < plan->ways; i++) {
		if (follows_jump(b, from[i]))
			plan->jumps |= (uint8_t)(1u << i);
		if (!back_find(b, from[i], ip, ahead, &found, before))
			return false;
		qsort(found.at, found.n, sizeof(found.at[0]), by_how);
		for (uint32_t k = 0; k < found.n; k++) {
			struct wait_candidate *c = &at[plan->n];

			*c = found.at[k].c;
			c->distance =
				(uint8_t)(found.at[k].distance < 255 ? found.at[k].distance : 255);
			set_step(b, plan, l, c);
			if (c->how == WAIT_BESIDE && !wait_is_beside(&plan->loop, c))
				continue;
			c->creeps = loop_creeps(b, found.at[k].insn);
			c->way = (uint8_t)i;
			set_loop(b, recurrence_find(b, found.at[k].insn), c);
			plan->n++;
		}
	}
	qsort(before->at, before->n, sizeof(before->at[0]), by_distance);
	return !b->nomem;
}

static uint8_t copy_ahead(const struct body *b, const struct ahead *ahead,
			  const struct wait_plan *plan, const struct innermost *l,
			  struct wait_access *at)
{
	uint8_t n = 0;

	for (uint32_t i = 0; i < ahead->n; i++) {
		const struct ahead_access *x = &ahead->at[i];
		const uint32_t insn = b->insns.at[x->insn].at;

		if (x->by == WAIT_BY_ADDRESS)
			at[n++] = (struct wait_access){
				.insn = insn,
				.bytes = x->bytes,
				.load = x->load,
				.store = x->store,
				.lock = x->lock,
				.step = (int32_t)step_of(b, plan, l, insn)->step,
				.address = x->address
			};
	}
	return n;
}

static uint8_t copy_before(const struct before *before, struct wait_access *at)
{
	for (uint32_t i = 0; i < before->n; i++)
		at[i] = before->at[i].a;
	return (uint8_t)before->n;
}

/* Finds and describes the loop around instruction `from`. If there is none, or if it contains
 * another loop, the result's n is 0. */
static struct wait_loop find_loop(struct body *b, uint32_t from, struct innermost *l)
{
	struct wait_loop out;

	if (!loop_find(b, from, &l->loop))
		return (struct wait_loop){ 0 };
	out = loop_describe(b, &l->loop);
	if (out.n) {
		loop_steps(b, &l->loop, l->steps);
		out.counter = loop_counter(b, &l->loop, NULL);
	}
	return out;
}

static const void *keep_copy(struct waits *w, const void *what, size_t bytes)
{
	void *p = bytes ? arena_alloc(&w->arena, bytes) : NULL;

	return p ? memcpy(p, what, bytes) : NULL;
}

/* Describes the loops around instruction `from`, which runs before ip, and those inside the
 * smallest of them. Returns false when out of memory. */
static bool find_nest(struct waits *w, struct body *b, uint32_t from, uint32_t ip,
		      struct wait_plan *plan)
{
	struct draft *d = &w->draft;
	struct innermost *l = &d->innermost;

	if (!plan->loop.n) {
		if (!loop_inside(b, from, &l->loop))
			return true;
		loop_steps(b, &l->loop, l->steps);
	}
	if (!nest_find(b, from, ip, &l->loop, l->steps, d->around, &d->nest))
		return true;
	plan->nest = keep_copy(w, &d->nest, nest_bytes(&d->nest));
	return plan->nest;
}

static int make_plan(struct waits *w, struct body *b, uint32_t ip, const struct wait_plan **out)
{
	struct draft *d = &w->draft;
	struct wait_plan plan = { 0 };
	struct body_way before[BODY_WAYS];
	/* if several instructions may have run before ip, the first that is found */
	const bool known = body_before(b, ip, before);

	d->before.n = d->before.ntests = 0;
	ahead_find(b, ip, &d->ahead);
	if (known)
		plan.loop = find_loop(b, before[0].from, &d->innermost);
	if (!find_candidates(b, ip, &d->ahead, &d->innermost, d->candidates, &plan, &d->before) ||
	    (known && !find_nest(w, b, before[0].from, ip, &plan)))
		return MD_ENOMEM;
	plan.ahead = copy_ahead(b, &d->ahead, &plan, &d->innermost, d->accesses);
	plan.before = copy_before(&d->before, d->earlier);
	plan.candidates = keep_copy(w, d->candidates, plan.n * sizeof(d->candidates[0]));
	plan.accesses = keep_copy(w, d->accesses, plan.ahead * sizeof(d->accesses[0]));
	plan.earlier = keep_copy(w, d->earlier, plan.before * sizeof(d->earlier[0]));
	plan.ntests = (uint8_t)d->before.ntests;
	plan.tests = keep_copy(w, d->before.tests, plan.ntests * sizeof(plan.tests[0]));
	*out = keep_copy(w, &plan, sizeof(plan));
	return *out && (!plan.n || plan.candidates) && (!plan.ahead || plan.accesses) &&
			       (!plan.before || plan.earlier) && (!plan.ntests || plan.tests)
		       ? 0
		       : MD_ENOMEM;
}

int waits_plan(struct waits *w, uint64_t key, const uint8_t *code, size_t len, size_t at,
	       const struct wait_plan **out)
{
	struct body *b;
	size_t before;
	int64_t ip;
	int ret = 0;

	*out = &empty_plan;
	if (w->arch != DEC_X86_64 || len > LARGEST || at >= len)
		return 0;
	b = get_body(w, key, code, len);
	if (!b)
		return MD_ENOMEM;
	before = body_bytes(b);
	ip = body_find(b, at);
	if (ip != BODY_NOWHERE)
		ret = make_plan(w, b, (uint32_t)ip, out);
	w->bytes += body_bytes(b) - before;
	return ret;
}

uint64_t wait_term_value(const struct wait_term *t, const uint64_t regs[64])
{
	uint64_t v = (t->reg >= 0 ? regs[t->reg] : 0) + (uint64_t)(int64_t)t->add;

	return t->wraps32 ? (uint32_t)v : v;
}

uint64_t wait_address(const struct wait_address *a, const uint64_t regs[64], uint64_t ip)
{
	uint64_t v = wait_term_value(&a->base, regs) + wait_term_value(&a->index, regs) * a->scale +
		     (uint64_t)a->disp + (a->ip_relative ? ip : 0);

	return a->wraps32 ? (uint32_t)v : v;
}

uint64_t wait_registers(const struct wait_address *a)
{
	return (a->base.reg >= 0 ? UINT64_C(1) << a->base.reg : 0) |
	       (a->index.reg >= 0 ? UINT64_C(1) << a->index.reg : 0);
}

/* Compares a with b, or only their lower halves. `condition` is never overflow or parity. */
static bool fulfils(uint64_t a, uint64_t b, unsigned condition, bool half)
{
	const int64_t x = half ? (int32_t)a : (int64_t)a, y = half ? (int32_t)b : (int64_t)b;
	const uint64_t ux = half ? (uint32_t)a : a, uy = half ? (uint32_t)b : b;
	bool holds;

	switch (condition & ~1u) {
	case CONDITION_BELOW:
		holds = ux < uy;
		break;
	case CONDITION_EQUAL:
		holds = ux == uy;
		break;
	case CONDITION_BELOW_OR_EQUAL:
		holds = ux <= uy;
		break;
	case CONDITION_NEGATIVE:
		holds = (ux - uy) >> (half ? 31 : 63) & 1;
		break;
	case CONDITION_LESS:
		holds = x < y;
		break;
	default:
		holds = x <= y;
		break;
	}
	return holds != (condition & 1);
}

bool wait_test_is_true(const struct wait_test *t, const uint64_t regs[64], uint64_t ip)
{
	return fulfils(wait_term_value(&t->value, regs), wait_address(&t->against, regs, ip),
		       t->condition, t->half);
}

uint64_t wait_test_registers(const struct wait_test *t)
{
	return UINT64_C(1) << t->value.reg | wait_registers(&t->against);
}

int64_t wait_stride_bytes(const struct wait_stride *s, const uint64_t regs[64])
{
	return (int64_t)((uint64_t)s->add +
			 (s->reg >= 0 ? regs[s->reg] * (uint64_t)(int64_t)s->times : 0));
}
