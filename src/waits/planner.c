/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/planner.h"

#include <stdlib.h>
#include <string.h>

#include "base/helper.h"
#include "base/index.h"
#include "base/ring.h"

enum {
	MOST_ASKED = 16, /* number of plans that may be asked for before one is needed */
	/* number of plans that are kept until they are used. A sample may turn out to need none */
	MOST_MADE = 32,
};

/* A plan that was asked for. The thread sets the last two members. */
struct asked_plan {
	struct planner_code code;
	const struct wait_plan *plan;
	int ret;
};

struct planner {
	struct decoder *decoder; /* a decoder is for one thread, so the planner has its own */
	struct waits *waits;     /* used by the thread while it has plans to make */
	pthread_t thread;
	bool began, has_thread;
	struct ring ring;
	struct asked_plan asked[MOST_ASKED];
	unsigned first, nasked; /* those that planner_plan() has not collected yet */
	/* the last plans that planner_plan() collected. In an unused element, code.code is NULL */
	struct asked_plan made[MOST_MADE];
	unsigned next_made;
	/* all code for which a plan was asked or made */
	struct {
		struct planner_code *at;
		uint32_t n, cap;
	} known;
	struct index index; /* of `known` */
};

int planner_open(enum dec_arch arch, struct planner **out, struct md_err *err)
{
	struct planner *p = calloc(1, sizeof(*p));
	int ret = p ? decoder_open(arch, &p->decoder, err) : md_nomem(err);

	if (!ret)
		ret = waits_open(p->decoder, arch, &p->waits, err);
	*out = ret ? NULL : p;
	if (ret)
		planner_close(p);
	return ret;
}

void planner_close(struct planner *p)
{
	if (!p)
		return;
	if (p->has_thread) {
		ring_close(&p->ring);
		pthread_join(p->thread, NULL);
		ring_release(&p->ring);
	}
	waits_close(p->waits);
	decoder_close(p->decoder);
	free(p->known.at);
	index_release(&p->index);
	free(p);
}

static int make_plan(struct planner *p, const struct planner_code *c, const struct wait_plan **out)
{
	return waits_plan(p->waits, c->key, c->code, c->len, c->at, out);
}

static void *make_plans(void *arg)
{
	struct planner *p = arg;
	int slot;

	while ((slot = ring_next(&p->ring)) != RING_CLOSED) {
		struct asked_plan *a = &p->asked[slot];

		helper_works();
		a->ret = make_plan(p, &a->code, &a->plan);
		helper_rests();
		ring_done(&p->ring);
	}
	return NULL;
}

static void begin(struct planner *p)
{
	p->began = true;
	ring_init(&p->ring, MOST_ASKED);
	p->has_thread = helper_start(&p->thread, make_plans, p);
	if (!p->has_thread)
		ring_release(&p->ring);
}

static bool is_same(const struct planner_code *a, const struct planner_code *b)
{
	return a->code == b->code && a->at == b->at && a->len == b->len && a->key == b->key;
}

/* Adds the code to p->known. Returns false if it is there already, or if memory runs out. */
static bool note_code(struct planner *p, const struct planner_code *code)
{
	const uint32_t hash = index_hash(code->key, (uint32_t)code->at);
	uint32_t place = hash, id;

	while ((id = index_next(&p->index, hash, &place)))
		if (is_same(&AT_ID(p->known, id), code))
			return false;
	if (!VEC_ROOM(&p->known) || !index_add(&p->index, hash, p->known.n + 1))
		return false;
	p->known.at[p->known.n++] = *code;
	return true;
}

/* Whether a plan is asked for does not depend on how fast the thread is, so that the order of the
 * plans does not, either. */
void planner_ask(struct planner *p, const struct planner_code *code)
{
	if (p->nasked == MOST_ASKED || !note_code(p, code))
		return;
	if (!p->began)
		begin(p);
	if (!p->has_thread)
		return;
	p->asked[ring_vacant(&p->ring)] = (struct asked_plan){ .code = *code };
	p->nasked++;
	ring_put(&p->ring);
}

/* Waits until the thread has made all plans. Until the next planner_ask(), it does nothing. */
static void collect(struct planner *p)
{
	if (p->nasked)
		ring_wait(&p->ring);
	for (; p->nasked; p->nasked--, p->first = (p->first + 1) % MOST_ASKED)
		p->made[p->next_made++ % MOST_MADE] = p->asked[p->first];
}

int planner_plan(struct planner *p, const struct planner_code *code, const struct wait_plan **out)
{
	collect(p);
	note_code(p, code);
	for (unsigned i = 0; i < MOST_MADE; i++)
		if (is_same(&p->made[i].code, code)) {
			*out = p->made[i].plan;
			return p->made[i].ret;
		}
	return make_plan(p, code, out);
}
