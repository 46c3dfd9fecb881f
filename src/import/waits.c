/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/waits.h"

#include "import/asked.h"
#include "import/losses.h"
#include "import/pipeline.h"

enum { LINE_BYTES = 64 };

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

/* If candidate *c is a load that has overwritten its own base register (c->pointee), an access
 * through the loaded pointer represents it. Is the object of that access different from `usual`,
 * the object that contains nearly all known addresses of the load itself? In lists and trees
 * (c->loop) the two are the same, but other pointers lead from one object to another. Returns false
 * for any other candidate, or if `usual` is 0 (unknown). */
static bool leads_elsewhere(const struct wait_candidate *c, uint32_t object, uint32_t usual)
{
	return c->pointee && !c->loop && (usual ? object != usual : wait_is_pointed(c));
}

/* Reports the address of the instruction at offset `insn`, candidate or access `which` of the plan,
 * to those who estimate where its lost addresses are. */
static void report_address(const struct asked *a, unsigned which, uint32_t insn,
			   const struct account_sample *seen, uint64_t address, uint32_t object)
{
	const struct waiter *who = a->who;
	const struct frame_sample f = { who->sample, who->process, who->thread,
					who->path,   who->sp,      who->location };

	account_saw(a->im->model.waits.account, a->place, which, seen, address, object);
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

	if (asked_is_too_early(a, c))
		return ACCOUNT_SKIPPED;
	if (!wishes || c->by == WAIT_BY_NOTHING || !asked_address(a, &c->address, &address))
		return 0;
	object = asked_object(a, address);
	if (!object)
		return asked_was_skipped(a, c) ? ACCOUNT_SKIPPED : 0;
	if (asked_instead(a, c, address, object) >= 0)
		return ACCOUNT_SKIPPED;
	usual = account_object(account, a->place, which);
	if (leads_elsewhere(c, object, usual))
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

/* Finds the first load of at[0..n) whose address is in the object and on the cache line, and stores
 * this load in *out. Returns false if there is none. */
static bool first_of_line(const struct asked *a, const struct wait_access *at, unsigned n,
			  uint64_t line, uint32_t object, struct waited_for *out)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t address;

		if (!at[i].load || !asked_address(a, &at[i].address, &address) ||
		    address / LINE_BYTES != line || asked_object(a, address) != object)
			continue;
		out->operand = at[i];
		out->address = address;
		return true;
	}
	return false;
}

/* Finds the load for which a sample waited, when the address of that load's operand is lost.
 * out->address is the address that the same load or pointer accesses next. In a list or a tree,
 * several loads access one node: the first of them fetches the cache line, and the others wait for
 * it, too. So the first load from the line represents them all. If the operand has an index, which
 * is lost, and no other load accesses the line, the accessed member is unknown. */
static void find_first_touch(const struct asked *a, const struct wait_candidate *c,
			     struct waited_for *out)
{
	/* only a list or a tree has the same member in the next node */
	const uint64_t address = out->address + (uint64_t)(int64_t)(c->loop ? c->apart : 0);
	const uint64_t line = address / LINE_BYTES;
	const uint32_t object = asked_object(a, out->address);

	if (first_of_line(a, a->plan->earlier, a->plan->before, line, object, out) ||
	    first_of_line(a, a->plan->accesses, a->plan->ahead, line, object, out))
		return;
	if (c->indexed)
		out->source = ADDR_NEARBY;
	else
		out->address = address;
}

/* Can the candidate have accessed this address? At the end of a list, the computed address of the
 * next access is a null pointer plus an offset, but that access never runs. */
static bool is_possible_address(const struct asked *a, const struct wait_candidate *c,
				uint64_t address)
{
	if (!address)
		return false;
	return asked_object(a, address) || (c->by != WAIT_BY_NEXT && !asked_was_skipped(a, c));
}

/* Does the code around the sample also store to the address that candidate *c loads? Compilers
 * split x += y into a load, an addition and a store, and on some CPUs no thread ever waits for the
 * store. Two kinds of stores count: those that ran before ip on the same way (wait_candidate.way),
 * and those after ip in a loop without branches. */
static bool is_stored_back(const struct asked *a, const struct wait_candidate *c, uint64_t address)
{
	const struct wait_plan *plan = a->plan;
	uint64_t at;

	for (unsigned i = 0; i < plan->n; i++) {
		const struct wait_candidate *x = &plan->candidates[i];

		if (x->store && x->way == c->way && x->by == WAIT_BY_ADDRESS &&
		    !asked_is_too_early(a, x) && asked_address(a, &x->address, &at) &&
		    at == address)
			return true;
	}
	for (unsigned i = 0; i < plan->ahead && !plan->loop.branches; i++) {
		const struct wait_access *x = &plan->accesses[i];

		if (x->store && wait_loop_has(&plan->loop, x->insn) &&
		    asked_address(a, &x->address, &at) && at == address)
			return true;
	}
	return false;
}

/* Returns the step if it is one of the first WAIT_STEPS different steps, otherwise 0. A loop may
 * have a different step each time it runs, as in a sieve of primes. Without this limit, each of its
 * samples might need its own row of access_kinds. */
static int64_t known_step(struct import_waits *w, int64_t step)
{
	for (uint32_t i = 0; i < w->nsteps; i++)
		if (w->steps[i] == step)
			return step;
	if (!step || w->nsteps == WAIT_STEPS)
		return 0;
	w->steps[w->nsteps++] = step;
	return step;
}

/* Returns by how much the address of candidate *c changes in an iteration, for the table; 0 if this
 * is not known, or if it leaves out no large part of the cache lines. */
static int64_t listed_step(const struct asked *a, const struct wait_candidate *c, uint64_t address)
{
	const int64_t step = asked_step(a, c, address);

	return c->dense && llabs(step) > 64 ? 0 : known_step(&a->im->model.waits, step);
}

/* Computes the address of candidate *c, to which the account charged the sample. *d is the
 * account's answer. */
static void find_address(const struct asked *a, const struct wait_candidate *c,
			 const struct account_deal *d, struct waited_for *out)
{
	static const enum addr_source sources[] = {
		[WAIT_BY_ADDRESS] = ADDR_RETIRED,
		[WAIT_BY_COPY] = ADDR_RECOVERED,
		[WAIT_BY_NEXT] = ADDR_AGAIN,
		[WAIT_BY_BASE] = ADDR_OBJECT,
	};
	const bool early = asked_is_too_early(a, c);
	bool known;

	out->operand = (struct wait_access){ .insn = c->insn,
					     .bytes = c->bytes,
					     .load = c->load,
					     .store = c->store,
					     .lock = c->lock };
	known = c->by != WAIT_BY_NOTHING && !early && asked_address(a, &c->address, &out->address);
	if (known && is_possible_address(a, c, out->address) &&
	    !leads_elsewhere(c, asked_object(a, out->address), d->object))
		out->source = sources[c->by];
	if (out->source == ADDR_RETIRED || out->source == ADDR_RECOVERED) {
		out->operand.store = c->store || is_stored_back(a, c, out->address);
		if (c->how != WAIT_OWN)
			out->source = ADDR_EARLIER;
	}
	if (out->source != ADDR_NONE && out->source != ADDR_OBJECT)
		out->step = listed_step(a, c, out->address);
	if (out->source == ADDR_AGAIN)
		find_first_touch(a, c, out);
	if (out->source == ADDR_OBJECT)
		out->object = asked_object(a, out->address);
	if (out->source == ADDR_NONE || (out->source == ADDR_OBJECT && !out->object)) {
		out->address = 0;
		out->object = early || (known && asked_was_skipped(a, c)) ? 0 : d->object;
		out->source = out->object ? ADDR_OBJECT : ADDR_NONE;
		out->lost = !out->object && wait_is_pointed(c);
	}
}

/* The account does not ask for the objects of all candidates, so it may choose a candidate that did
 * not run. Returns the candidate that gets the sample: the one that asked_instead() finds in place
 * of `which`, otherwise `which`. */
static unsigned candidate_that_ran(const struct asked *a, unsigned which)
{
	const struct wait_candidate *c = &a->plan->candidates[which];
	uint64_t address;
	int instead;

	if (c->by == WAIT_BY_NOTHING || !asked_address(a, &c->address, &address))
		return which;
	instead = asked_instead(a, c, address, asked_object(a, address));
	return instead < 0 ? which : (unsigned)instead;
}

void waits_uncharged(struct import *im, uint32_t object, uint64_t period)
{
	struct import_waits *waits = &im->model.waits;

	if (!VEC_REACH(&waits->uncharged, object))
		im->nomem = true;
	else
		AT_ID(waits->uncharged, object) += period;
}

/* The account attributes the sample to operand `which`. May the thread have waited for this operand
 * although that is not certain enough to charge the sample to its object? It may
 *   - if the operand seems to hit the first cache level, but other threads use its cache line;
 *   - if it is unclear whether it waited for such a line, or whether a mispredicted jump took the
 *     time;
 *   - if the instruction before ip only computes, and the operand is a stream that may have been
 *     fetched meanwhile.
 * It did not if its code waits for something else. */
static bool is_uncharged(const struct asked *a, unsigned which, const struct waited_for *w)
{
	if (a->who->elsewhere)
		return false;
	if (w->level == WAIT_HITS)
		return a->lines[which] != LINE_PRIVATE;
	if (w->moved || w->jumped)
		return w->level == WAIT_UNCLEAR;
	return a->who->computes && w->level != WAIT_MISSES && !w->atomic && !w->unsure;
}

/* Counts in waits->uncharged a sample that is not charged to operand `which`, but may have waited
 * for its object. */
static void note_uncharged(const struct asked *a, unsigned which, const struct waited_for *w)
{
	uint32_t object = w->object ? w->object : asked_object(a, w->address);

	if (object && is_uncharged(a, which, w))
		waits_uncharged(a->im, object, a->who->period);
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
	unsigned ways, which;

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
				    .level = deal.level };
	if (deal.candidate >= 0) {
		which = candidate_that_ran(&a, (unsigned)deal.candidate);
		find_address(&a, &a.plan->candidates[which], &deal, out);
		note_uncharged(&a, which, out);
	}
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
