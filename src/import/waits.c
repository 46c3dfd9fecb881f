/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/waits.h"

#include "import/asked.h"
#include "import/charged.h"
#include "import/losses.h"
#include "import/pipeline.h"

/* Opens the analysis only for x86-64 code. For other code nothing is opened, and waits_find()
 * returns false. */
int waits_begin(struct import *im)
{
	struct import_waits *w = &im->model.waits;
	struct wait_caches caches = wait_caches_default;
	int ret;

	if (!im->model.code.decoder || im->model.tagged) /* no decoder, or AArch64 */
		return 0;
	wait_caches_set(&caches, im->in.recording.cache_bytes);
	w->lines = lines_new();
	if (!w->lines)
		return md_nomem(im->err);
	ret = waits_open(im->model.code.decoder, DEC_X86_64, &w->code, im->err);
	return ret ? ret : account_open(&caches, &w->account, im->err);
}

/* Does nothing if waits_begin() was not called. */
void waits_release(struct import_waits *w)
{
	account_close(w->account);
	waits_close(w->code);
	lines_free(w->lines);
	free(w->uncharged.at);
	free(w->places.at);
	*w = (struct import_waits){ 0 };
}

enum {
	CYCLES_PERIOD = 1000000 /* ns; assumed time between two samples of an event that counts
				 * cycles */
};

/* Reports to the table of cache lines (waits/cache_lines.h) that the sample's thread is running. */
static void note_running(const struct asked *a)
{
	const struct waiter *who = a->who;
	const bool is_time = a->im->in.roles[who->sample->evsel->index] == ROLE_TIME;
	const uint64_t kept = (uint64_t)a->im->in.recording.thinned.samples;

	if (who->thread && !lines_ran(a->im->model.waits.lines, who->thread, who->sample->time,
				      is_time ? who->period / kept : CYCLES_PERIOD))
		a->im->nomem = true;
}

/* Adds the thread's use of this cache line to the table (waits/cache_lines.h) and returns how other
 * threads use the line. Returns LINE_PRIVATE and adds nothing if only one thread of the process is
 * alive, if the candidate's own address is not known, or if the candidate is a store that a jump
 * may have skipped (c->optional). */
static enum line_state find_line(const struct asked *a, const struct wait_candidate *c,
				 uint64_t address)
{
	const struct waiter *who = a->who;
	const struct pd_sample *s = who->sample;

	if ((c->by != WAIT_BY_ADDRESS && c->by != WAIT_BY_COPY) || c->optional || !who->thread ||
	    !who->process || space_process(&a->im->model.space, who->process)->alive < 2)
		return LINE_PRIVATE;
	return lines_use(a->im->model.waits.lines,
			 &(struct line_use){
				 .process = who->process,
				 .thread = who->thread,
				 .cpu = s->has & PERF_SAMPLE_CPU ? (int32_t)s->cpu : -1,
				 .address = address,
				 .time = s->time,
				 .store = c->store,
				 .free = who->elsewhere,
			 });
}

/* Reports the address of the instruction at offset `insn`, candidate or access `which` of the plan,
 * to those who estimate where its lost addresses are. */
static void report_address(const struct asked *a, unsigned which, uint32_t insn,
			   const struct account_sample *seen, uint64_t address, uint32_t object)
{
	const struct waiter *who = a->who;
	const struct frame_sample f = { who->sample, who->process, who->thread,
					who->path,   who->sp,      who->location };
	struct account_sample s = *seen;

	s.extent = asked_room(a, object & ~ACCOUNT_MOVED);
	account_saw(a->im->model.waits.account, a->place, which, &s, address, object);
	if (!seen->pointee)
		local_use_saw(a->im, &f, insn, address, object & ~ACCOUNT_MOVED);
}

/* Returns the object of candidate *c, number `which` of the plan. 0 means unknown or not needed.
 * ACCOUNT_SKIPPED means that the candidate did not run. ACCOUNT_MOVED is set in the result if the
 * candidate waits for a cache line that another thread uses. If only one branch leads to the
 * instruction, also reports the operand's address to the account, which estimates from such
 * addresses the range over which they spread. If the address is lost because the index register is
 * overwritten (mov (%rcx,%rax,8),%rax), reports the size of the object instead. */
static uint32_t look_at(struct asked *a, unsigned which, const struct wait_candidate *c)
{
	struct account *account = a->im->model.waits.account;
	unsigned wishes = account_wishes(account, a->place, which);
	struct account_sample seen = a->seen;
	uint64_t address;
	uint32_t object, usual;

	if (asked_did_not_run(a, c))
		return ACCOUNT_SKIPPED;
	if (!wishes || !asked_candidate(a, c, &address))
		return 0;
	object = asked_object(a, address);
	if (!object)
		return asked_was_skipped(a, c) ? ACCOUNT_SKIPPED : 0;
	if (asked_instead(a, c, address, object) >= 0)
		return ACCOUNT_SKIPPED;
	usual = account_object(account, a->place, which);
	if (asked_elsewhere(c, object, usual))
		return usual;
	a->lines[which] = find_line(a, c, address);
	if (a->lines[which] == LINE_MOVED)
		object |= ACCOUNT_MOVED;
	if (a->plan->ways != 1)
		return object;
	if (c->by == WAIT_BY_BASE)
		account_within(account, a->place, which, address, asked_extent(a, object));
	else if (wishes & WISH_SERIES) {
		if (c->step == WAIT_SOME_STEP)
			account_steps(account, a->place, which, asked_step(a, c, address));
		seen.pointee = c->pointee && !c->loop;
		report_address(a, which, c->insn, &seen, address, object);
	}
	return object;
}

static bool is_candidate(const struct wait_plan *p, uint32_t insn)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->candidates[i].insn == insn && p->candidates[i].by != WAIT_BY_NOTHING &&
		    p->candidates[i].by != WAIT_BY_BASE)
			return true;
	return false;
}

/* The sample's registers also yield the addresses of accesses after ip. Reports these addresses to
 * the account, for the operands of those accesses. */
static void look_ahead(const struct asked *a)
{
	struct account *account = a->im->model.waits.account;

	for (unsigned i = 0; i < a->plan->ahead; i++) {
		const struct wait_access *x = &a->plan->accesses[i];
		unsigned which = a->plan->n + i;
		uint64_t address;
		uint32_t object;

		if ((a->plan->ways == 1 && is_candidate(a->plan, x->insn)) ||
		    !(account_wishes(account, a->place, which) & WISH_SERIES) ||
		    !asked_address(a, &x->address, &address))
			continue;
		object = asked_object(a, address);
		if (object)
			report_address(a, which, x->insn, &a->seen, address, object);
	}
}

static int make_place(struct import *im, uint32_t location, uint32_t *out)
{
	const struct location *l = &AT_ID(im->model.code.locations, location);
	const struct wait_plan *plan;
	struct code_bytes b;

	*out = 0;
	if (!code_bytes(&im->model.code, location, &b) || !b.from_start)
		return 0;
	if (waits_plan(im->model.waits.code, b.key, b.code, b.len, b.at, &plan))
		return MD_ENOMEM;
	if (plan->n)
		*out = account_place(im->model.waits.account, plan, l->dso, l->offset - b.at);
	return plan->n && !*out ? MD_ENOMEM : 0;
}

/* Returns the number that account_place() has given to the instruction at a location; 0 means none.
 */
static uint32_t place_of(struct import *im, uint32_t location)
{
	struct import_waits *w = &im->model.waits;
	uint32_t place;

	if (!VEC_REACH(&w->places, location)) {
		im->nomem = true;
		return 0;
	}
	if (AT_ID(w->places, location))
		return AT_ID(w->places, location) - 1;
	if (make_place(im, location, &place))
		im->nomem = true;
	AT_ID(w->places, location) = place + 1;
	return place;
}

void waits_uncharged(struct import *im, uint32_t object, uint64_t period)
{
	struct import_waits *waits = &im->model.waits;

	if (!VEC_REACH(&waits->uncharged, object))
		im->nomem = true;
	else
		AT_ID(waits->uncharged, object) += period;
}

bool waits_find(struct import *im, const struct waiter *who, struct waited_for *out)
{
	struct account *account = im->model.waits.account;
	struct asked a = {
		.im = im,
		.who = who,
		.seen = { .thread = who->thread, .time = who->sample->time, .period = who->period }
	};
	uint32_t objects[ACCOUNT_MOST] = { 0 }, wait;
	struct account_deal deal;
	unsigned ways;

	a.place = account ? place_of(im, who->location) : 0;
	if (!a.place)
		return false;
	a.plan = account_plan(account, a.place);
	asked_read(&a);
	note_running(&a);
	account_loops(account, a.place, &a.seen, a.regs, a.has);
	ways = asked_ways(&a);
	for (unsigned i = 0; i < a.plan->n; i++)
		if (ways >> a.plan->candidates[i].way & 1)
			objects[i] = look_at(&a, i, &a.plan->candidates[i]);
	look_ahead(&a);
	wait = account_wait(account, a.place, ways, objects);
	if (!wait) {
		im->model.waits.unshared++;
		return false;
	}
	account_deal(account, wait, who->period, &deal);
	*out = (struct waited_for){ .last = a.plan->last,
				    .moved = deal.moved,
				    .atomic = deal.atomic,
				    .jumped = deal.jumped,
				    .unsure = deal.unsure,
				    .costless = deal.costless,
				    .streams = deal.streams,
				    .level = deal.level };
	if (deal.candidate >= 0)
		charged_find(&a, (unsigned)deal.candidate, out);
	return true;
}

static void add_other(void *arg, uint32_t object, double period, double dealt)
{
	struct row_other_wait *others = arg;

	others[object].period += period;
	others[object].dealt += dealt;
}

int waits_write(struct import *im)
{
	const struct import_waits *w = &im->model.waits;
	uint32_t n = im->model.objects.objects.n;
	struct row_other_wait *others;

	import_loss(im, "import", "waits not shared", w->unshared,
		    "there were too many different ones: counted at the operand of the instruction "
		    "before");
	if (!w->account)
		return 0;
	if (account_nomem(w->account))
		im->nomem = true;
	others = calloc((size_t)n + 1, sizeof(*others));
	if (!others)
		return md_nomem(im->err);
	account_others(w->account, add_other, others);
	for (uint32_t i = 1; i <= n && i <= w->uncharged.n; i++)
		others[i].period += (double)AT_ID(w->uncharged, i);
	for (uint32_t i = 1; i <= n; i++) {
		others[i].object_id = i;
		if (others[i].period > 0)
			writer_put_other_wait(im->out.w, &others[i]);
	}
	free(others);
	return 0;
}
