/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/account.h"

#include "base/arena.h"
#include "waits/share.h"

enum {
	OFTEN = 2048, /* addresses of an operand; beyond, only one in RARELY is used */
	RARELY = 8,
};

/* If more than this share of an operand's addresses lies in one object, it is taken to be always
 * that object. */
#define USUAL 0.9

struct operand {
	uint32_t dso;
	uint64_t offset; /* of the instruction in the file */
	uint8_t bytes;
	uint32_t asked;      /* how often its address was requested */
	uint32_t object;     /* candidate for the usual object (majority vote) */
	uint32_t votes;      /* votes for it minus votes against it */
	uint32_t hits, told; /* since it became the candidate: addresses in it; all addresses */
	struct {
		uint32_t thread;
		struct series series;
	} threads[ACCOUNT_THREADS];
	uint64_t within; /* size of the largest object that contains it, 0: unknown */
	/* number of addresses; that number when the estimates below were made */
	uint32_t seen, judged;
	bool stream;
	double wait;
};

struct spot {
	const struct wait_plan *plan;
	uint32_t *operands; /* by candidate, then by access ahead; 0: not followed */
	bool *possible;     /* by candidate: can it get a share without being a stream? */
};

/* Arrays are by candidate. `given` has one more element, for shares that nobody has. */
struct wait {
	uint32_t place, ways;
	uint32_t *objects; /* 0: unknown or not needed */
	/* next: number of samples at which the shares are estimated again */
	uint64_t samples, next;
	double period, *given; /* sum of all periods; of those dealt to each candidate */
	float *share;
	enum wait_level level;
};

struct account {
	struct wait_caches caches;
	struct arena arena;
	struct {
		struct spot *at;
		uint32_t n, cap;
	} places;
	struct {
		struct operand *at;
		uint32_t n, cap;
	} operands;
	struct {
		struct wait *at;
		uint32_t n, cap;
	} waits;
	struct index operand_index, wait_index;
	bool nomem;
};

int account_open(const struct wait_caches *c, struct account **out, struct md_err *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return md_nomem(err);
	(*out)->caches = *c;
	return 0;
}

void account_close(struct account *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->operands.n; i++)
		for (int t = 0; t < ACCOUNT_THREADS; t++)
			series_release(&a->operands.at[i].threads[t].series);
	free(a->places.at);
	free(a->operands.at);
	free(a->waits.at);
	index_release(&a->operand_index);
	index_release(&a->wait_index);
	arena_release(&a->arena);
	free(a);
}

bool account_nomem(const struct account *a)
{
	return a->nomem;
}

static uint32_t operand_id(struct account *a, uint32_t dso, uint64_t offset, uint8_t bytes)
{
	uint32_t hash = index_hash(offset, dso), place = hash, id;

	while ((id = index_next(&a->operand_index, hash, &place))) {
		const struct operand *o = &AT_ID(a->operands, id);

		if (o->dso == dso && o->offset == offset)
			return id;
	}
	if (a->operands.n == ACCOUNT_OPERANDS)
		return 0;
	if (!VEC_ROOM(&a->operands) || !index_add(&a->operand_index, hash, a->operands.n + 1)) {
		a->nomem = true;
		return 0;
	}
	a->operands.at[a->operands.n++] =
		(struct operand){ .dso = dso, .offset = offset, .bytes = bytes };
	return a->operands.n;
}

/* Prepares the candidates for wait_share(), without knowledge of their operands. */
static void choices(const struct wait_plan *plan, struct wait_choice *c)
{
	for (unsigned i = 0; i < plan->n; i++)
		c[i] = (struct wait_choice){ .how = plan->candidates[i].how,
					     .way = plan->candidates[i].way,
					     .loop = plan->candidates[i].loop };
}

uint32_t account_place(struct account *a, const struct wait_plan *plan, uint32_t dso,
		       uint64_t start)
{
	struct wait_choice c[ACCOUNT_MOST];
	struct spot p = { .plan = plan };
	unsigned n = plan->n + plan->ahead;

	p.operands = arena_alloc(&a->arena, (n + 1) * sizeof(*p.operands));
	p.possible = arena_alloc(&a->arena, (n + 1) * sizeof(*p.possible));
	if (!p.operands || !p.possible || !VEC_ROOM(&a->places)) {
		a->nomem = true;
		return 0;
	}
	for (unsigned i = 0; i < plan->n; i++)
		p.operands[i] = operand_id(a, dso, start + plan->candidates[i].insn,
					   plan->candidates[i].bytes);
	for (unsigned i = 0; i < plan->ahead; i++)
		p.operands[plan->n + i] =
			operand_id(a, dso, start + plan->accesses[i].insn, plan->accesses[i].bytes);
	choices(plan, c);
	wait_share(c, plan->n);
	for (unsigned i = 0; i < plan->n; i++)
		p.possible[i] = c[i].possible;
	a->places.at[a->places.n++] = p;
	return a->places.n;
}

const struct wait_plan *account_plan(const struct account *a, uint32_t place)
{
	return AT_ID(a->places, place).plan;
}

unsigned account_wishes(struct account *a, uint32_t place, unsigned which)
{
	const struct spot *p = &AT_ID(a->places, place);
	unsigned wishes = which < p->plan->n && p->possible[which] ? WISH_OBJECT : 0;
	struct operand *o = p->operands[which] ? &a->operands.at[p->operands[which] - 1] : NULL;

	if (o && (o->asked < OFTEN || o->asked % RARELY == 0))
		wishes |= WISH_SERIES;
	if (o)
		o->asked++;
	return wishes;
}

static void vote(struct operand *o, uint32_t object)
{
	if (!o->votes && o->object != object) {
		o->object = object;
		o->hits = o->told = 0;
	}
	if (o->object == object) {
		o->votes++;
		o->hits++;
	} else {
		o->votes--;
	}
	o->told++;
	o->seen++;
}

void account_saw(struct account *a, uint32_t place, unsigned which, uint32_t thread,
		 uint64_t address, uint32_t object)
{
	uint32_t id = AT_ID(a->places, place).operands[which];
	struct operand *o = id ? &AT_ID(a->operands, id) : NULL;

	if (!o)
		return;
	vote(o, object);
	for (int t = 0; t < ACCOUNT_THREADS; t++) {
		if (o->threads[t].series.n && o->threads[t].thread != thread)
			continue;
		o->threads[t].thread = thread;
		if (!series_add(&o->threads[t].series, address))
			a->nomem = true;
		return;
	}
}

void account_within(struct account *a, uint32_t place, unsigned which, uint64_t bytes)
{
	uint32_t id = AT_ID(a->places, place).operands[which];
	struct operand *o = id ? &AT_ID(a->operands, id) : NULL;

	if (!o || bytes <= o->within)
		return;
	o->within = bytes;
	o->judged = 0;
}

static bool same(const struct wait *w, const struct wait *x, unsigned n)
{
	return w->place == x->place && w->ways == x->ways &&
	       !memcmp(w->objects, x->objects, n * sizeof(*x->objects));
}

uint32_t account_wait(struct account *a, uint32_t place, unsigned ways, const uint32_t *objects)
{
	const struct spot *p = &AT_ID(a->places, place);
	uint32_t matter[ACCOUNT_MOST + 1], hash, at, id;
	struct wait w = { .place = place, .ways = ways, .objects = matter };
	size_t bytes = p->plan->n * sizeof(*objects);

	for (unsigned i = 0; i < p->plan->n; i++)
		matter[i] =
			p->possible[i] && ways >> p->plan->candidates[i].way & 1 ? objects[i] : 0;
	hash = index_hash_bytes(matter, bytes, (uint64_t)place << 8 | ways);
	at = hash;
	while ((id = index_next(&a->wait_index, hash, &at)))
		if (same(&AT_ID(a->waits, id), &w, p->plan->n))
			return id;
	if (a->waits.n == ACCOUNT_WAITS)
		return 0;
	w.objects = arena_alloc(&a->arena, bytes + 1);
	w.given = arena_alloc(&a->arena, (p->plan->n + 1) * sizeof(*w.given));
	w.share = arena_alloc(&a->arena, (p->plan->n + 1) * sizeof(*w.share));
	if (!w.objects || !w.given || !w.share || !VEC_ROOM(&a->waits) ||
	    !index_add(&a->wait_index, hash, a->waits.n + 1)) {
		a->nomem = true;
		return 0;
	}
	memcpy(w.objects, matter, bytes);
	a->waits.at[a->waits.n++] = w;
	return a->waits.n;
}

/* Estimates the operand's expected wait from the thread with the most addresses. */
static void judge(const struct account *a, struct operand *o)
{
	const struct series *most = &o->threads[0].series;

	if (o->judged && o->seen < o->judged + o->judged / 2 + 1)
		return;
	for (int t = 1; t < ACCOUNT_THREADS; t++)
		if (o->threads[t].series.n > most->n)
			most = &o->threads[t].series;
	o->judged = o->seen;
	o->wait = most->n ? series_wait(most, o->bytes, &a->caches) : WAIT_UNSEEN;
	if (o->within && most->n <= SERIES_FEW)
		o->wait = series_wait_anywhere((double)o->within, &a->caches);
	o->stream = most->n && series_is_stream(most, &a->caches);
}

static uint32_t usual_object(const struct operand *o)
{
	return o->hits > USUAL * o->told ? o->object : 0;
}

static struct wait_choice choice_of(struct account *a, const struct wait *w, unsigned i)
{
	const struct spot *p = &AT_ID(a->places, w->place);
	struct operand *o = p->operands[i] ? &a->operands.at[p->operands[i] - 1] : NULL;
	const struct wait_candidate *x = &p->plan->candidates[i];

	if (o)
		judge(a, o);
	return (struct wait_choice){
		.object = w->objects[i] ? w->objects[i]
			  : o           ? usual_object(o)
					: 0,
		.how = x->how,
		.way = x->way,
		.loop = x->loop,
		.stream = o && o->stream,
		.wait = o ? o->wait : WAIT_UNSEEN,
	};
}

/* Shares the wait among the candidates of the ways by which it was reached; index: their positions
 * in the plan. Returns their number. */
static unsigned share_out(struct account *a, const struct wait *w, struct wait_choice *c,
			  unsigned *index, enum wait_level *level)
{
	const struct wait_plan *plan = AT_ID(a->places, w->place).plan;
	unsigned n = 0;

	for (unsigned i = 0; i < plan->n; i++) {
		if (!(w->ways >> plan->candidates[i].way & 1))
			continue;
		index[n] = i;
		c[n++] = choice_of(a, w, i);
	}
	*level = wait_share(c, n);
	return n;
}

static void estimate(struct account *a, struct wait *w)
{
	struct wait_choice c[ACCOUNT_MOST];
	unsigned index[ACCOUNT_MOST], n = share_out(a, w, c, index, &w->level);
	unsigned all = AT_ID(a->places, w->place).plan->n;
	double rest = 1;

	for (unsigned i = 0; i < all; i++)
		w->share[i] = 0;
	for (unsigned i = 0; i < n; i++) {
		w->share[index[i]] = (float)c[i].share;
		rest -= c[i].share;
	}
	w->share[all] = rest > 1e-6 ? (float)rest : 0;
	w->next = w->samples + w->samples / 2 + 1;
}

void account_deal(struct account *a, uint32_t wait, uint64_t period, struct account_deal *out)
{
	struct wait *w = &AT_ID(a->waits, wait);
	const struct spot *p = &AT_ID(a->places, w->place);
	unsigned best = p->plan->n;
	double most = -1;

	if (w->samples++ >= w->next)
		estimate(a, w);
	w->period += (double)period;
	for (unsigned i = 0; i <= p->plan->n; i++) {
		double due = w->share[i] * w->period - w->given[i];

		if (w->share[i] <= 0 || (most >= 0 && due <= most))
			continue;
		most = due > 0 ? due : 0;
		best = i;
	}
	w->given[best] += (double)period;
	*out = (struct account_deal){ .candidate = best < p->plan->n ? (int)best : -1,
				      .level = w->level };
	if (out->candidate >= 0 && p->operands[best])
		out->object = usual_object(&a->operands.at[p->operands[best] - 1]);
}

/* Sum of what the candidates in the same object as the k-th were given; negative if an earlier
 * candidate has that object. */
static double given_to(const struct wait *w, const struct wait_choice *c, const unsigned *index,
		       unsigned n, unsigned k)
{
	double given = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!c[i].possible || c[i].object != c[k].object)
			continue;
		if (i < k)
			return -1;
		given += w->given[index[i]];
	}
	return given;
}

void account_others(struct account *a, account_others_fn *fn, void *arg)
{
	struct wait_choice c[ACCOUNT_MOST];
	unsigned index[ACCOUNT_MOST];
	enum wait_level level;

	for (uint32_t i = 0; i < a->waits.n; i++) {
		const struct wait *w = &a->waits.at[i];
		unsigned n = share_out(a, w, c, index, &level);

		for (unsigned k = 0; k < n; k++) {
			double given =
				c[k].possible && c[k].object ? given_to(w, c, index, n, k) : -1;

			if (given >= 0 && given < w->period)
				fn(arg, c[k].object, w->period - given);
		}
	}
}
