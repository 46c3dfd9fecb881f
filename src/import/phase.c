/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the phases of an import for `import -v`, such as reading records and resolving stacks.
 *
 * The phase changes several times for each event, and reading the clock takes as long as a short
 * phase. So only one event in EVERY is measured. What is rare and long (symbols, waiting for the
 * writer) is measured every time and subtracted from the time of the merge. The rest of that time
 * is divided among the phases in the proportions of the measured events.
 *
 * perf is not enough for this: many machines have no PMU or forbid its use, and perf's samples show
 * functions, not phases. Functions for look-ups and sums run in all phases.
 */
#include "import/phase.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/count.h"
#include "base/monotonic.h"
#include "import/pipeline.h"

enum {
	/* one of this many events is measured. The number is odd: if two kinds of events alternate,
	 * an even number would miss one kind */
	EVERY = 61,
	MEMORY_EVERY = 1 << 16,
	/* ns; if a phase takes at least this long for one event, the CPU has probably run another
	 * process meanwhile, so the value is discarded */
	OTHERS_NS = 100000,
};

/* Returns the amount of this process's resident anonymous memory in bytes. */
static uint64_t anonymous_bytes(void)
{
	unsigned long long resident = 0, shared = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f)
		return 0;
	if (fscanf(f, "%*u %llu %llu", &resident, &shared) != 2 || shared > resident)
		resident = shared = 0;
	fclose(f);
	return (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Updates the peak of anonymous memory. getrusage() would also count pages of mapped files, which
 * the kernel can drop at any time. */
static void look_at_memory(struct phases *p)
{
	uint64_t bytes = anonymous_bytes();

	if (bytes > p->peak_bytes)
		p->peak_bytes = bytes;
}

/* Returns the time in ns that symbol look-ups and waiting for the writer have taken so far: these
 * are always measured. */
static uint64_t measured_ns(const struct import *im)
{
	return im->model.code.symbol_ns + (im->out.w ? writer_waited_ns(im->out.w) : 0);
}

/* Returns the time that one reading of the clock takes, ns. */
static uint64_t cost_of_looking(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 64; i++) {
		uint64_t start = monotonic_ns(), took = monotonic_ns() - start;

		least = took < least ? took : least;
	}
	return least;
}

/* Ends the measurement of the current step. Only the first step, the merge, has phases. */
void phases_step(struct import *im, const char *name)
{
	struct phases *p = &im->phases;
	uint64_t now;

	if (!p->wanted || (p->nsteps && name && !strcmp(p->steps[p->nsteps - 1].name, name)))
		return;
	if (!p->nsteps)
		p->cost = cost_of_looking();
	now = monotonic_ns();
	if (p->nsteps)
		p->steps[p->nsteps - 1].ns = now - p->step_since;
	if (p->nsteps == 1) { /* the merge of the inputs, which was the first step, has ended */
		p->on = false;
		p->symbols = im->model.code.symbol_ns;
		p->waits = im->out.w ? writer_waited_ns(im->out.w) : 0;
	}
	look_at_memory(p);
	p->step_since = now;
	if (name && p->nsteps < COUNT_OF(p->steps))
		p->steps[p->nsteps++].name = name;
}

/* Adds the time since the last switch to the phase that ends now. Symbol look-ups and
 * waiting for the writer have their own measurements, so their time is subtracted. */
void phases_switch(struct import *im, enum phase to)
{
	struct phases *p = &im->phases;
	uint64_t now = monotonic_ns(), other = measured_ns(im);
	uint64_t took = now - p->since, charged = other - p->elsewhere + p->cost;

	if (took > charged && took - charged < OTHERS_NS)
		p->ns[p->at] += took - charged;
	p->at = to;
	p->since = monotonic_ns();
	p->elsewhere = other;
}

/* Ends the measurement of the current event, and decides whether the next one is measured. */
void phases_next(struct import *im)
{
	struct phases *p = &im->phases;

	if (p->on)
		phases_switch(im, PHASE_READ);
	p->on = im->steps % EVERY == 0;
	if (p->on) {
		p->at = PHASE_READ;
		p->since = monotonic_ns();
		p->elsewhere = measured_ns(im);
	}
	if (im->steps % MEMORY_EVERY == 0)
		look_at_memory(p);
}

/* Prints the duration of each phase of the merge. */
static void print_merge(const struct phases *p)
{
	static const char *const names[] = {
		[PHASE_READ] = "read",
		[PHASE_SIDE] = "side band",
		[PHASE_TRACK] = "tracker events",
		[PHASE_STACKS] = "stacks",
		[PHASE_JOIN] = "join",
		[PHASE_PACK] = "pass rows on",
	};
	ASSERT_NAMES(names, PHASES - 1);
	uint64_t charged = p->waits + p->symbols, all = 0, rest;

	for (int i = 0; i < PHASES; i++)
		all += p->ns[i];
	rest = p->steps[0].ns > charged ? p->steps[0].ns - charged : 0;
	for (int i = 0; i < PHASES; i++)
		if (p->ns[i])
			fprintf(stderr, "  %-20s %8.3f s\n", names[i],
				(double)rest * 1e-9 * (double)p->ns[i] / (double)all);
	fprintf(stderr, "  %-20s %8.3f s\n", "symbols", (double)p->symbols * 1e-9);
	fprintf(stderr, "  %-20s %8.3f s\n", "wait for the writer", (double)p->waits * 1e-9);
}

/* Prints to stderr, because stdout is for results. */
void phases_print(const struct import *im)
{
	const struct phases *p = &im->phases;
	struct rusage usage;

	for (unsigned i = 0; p->wanted && i < p->nsteps; i++) {
		fprintf(stderr, "%-22s %8.3f s\n", p->steps[i].name, (double)p->steps[i].ns * 1e-9);
		if (!i)
			print_merge(p);
	}
	if (p->wanted && !getrusage(RUSAGE_SELF, &usage))
		fprintf(stderr, "%-22s %8.1f MiB, with pages of files %.1f MiB\n", "peak memory",
			(double)p->peak_bytes / (1 << 20), (double)usage.ru_maxrss / 1024);
}
