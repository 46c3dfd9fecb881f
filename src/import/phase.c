/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles `import -v`: how long the import spent on reading, stacks, joining, packing.
 *
 * The phases change several times for each event, and reading the clock costs as much as the
 * cheaper ones. So only one event in EVERY is measured, and its times are scaled to the time of the
 * merge, after the work that is measured entirely (symbols, inserts) has been subtracted.
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
	EVERY = 61, /* one event in 61 is measured; odd, so that no pattern in the events aliases */
	MEMORY_EVERY = 1 << 16,
	/* a phase that took longer for one event was interrupted, so its time is discarded */
	OTHERS_NS = 100000,
};

/* Returns the resident anonymous memory of this process. */
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

/* Updates the peak. The kernel's own peak counts pages of mapped files too, which cost nothing. */
static void look_at_memory(struct phases *p)
{
	uint64_t bytes = anonymous_bytes();

	if (bytes > p->peak_bytes)
		p->peak_bytes = bytes;
}

/* Returns the nanoseconds so far of the work that is measured entirely. */
static uint64_t measured_ns(const struct import *im)
{
	return im->model.code.symbol_ns + (im->out.w ? writer_insert_ns(im->out.w) : 0);
}

/* Returns what reading the clock adds to a measurement, ns. */
static uint64_t cost_of_looking(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 64; i++) {
		uint64_t start = monotonic_ns(), took = monotonic_ns() - start;

		least = took < least ? took : least;
	}
	return least;
}

/* Ends the previous step. Steps follow each other; phases alternate within the first step. */
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
	if (p->nsteps == 1) { /* the merge ends */
		p->on = false;
		p->symbols = im->model.code.symbol_ns;
		p->inserts = im->out.w ? writer_insert_ns(im->out.w) : 0;
	}
	look_at_memory(p);
	p->step_since = now;
	if (name && p->nsteps < COUNT_OF(p->steps))
		p->steps[p->nsteps++].name = name;
}

/* Adds the time since the last switch to the phase that ends now. */
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

/* Ends the measurement of an event and decides on the next one. Call at the beginning of each
 * event. */
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

/* Prints the phases of the merge. */
static void print_merge(const struct phases *p)
{
	static const char *const names[] = {
		[PHASE_READ] = "read",
		[PHASE_SIDE] = "side band",
		[PHASE_TRACK] = "tracker events",
		[PHASE_STACKS] = "stacks",
		[PHASE_JOIN] = "join",
		[PHASE_PACK] = "pack and count",
	};
	ASSERT_NAMES(names, PHASES - 1);
	uint64_t charged = p->inserts + p->symbols, all = 0, rest;

	for (int i = 0; i < PHASES; i++)
		all += p->ns[i];
	rest = p->steps[0].ns > charged ? p->steps[0].ns - charged : 0;
	for (int i = 0; i < PHASES; i++)
		if (p->ns[i])
			fprintf(stderr, "  %-20s %8.3f s\n", names[i],
				(double)rest * 1e-9 * (double)p->ns[i] / (double)all);
	fprintf(stderr, "  %-20s %8.3f s\n", "symbols", (double)p->symbols * 1e-9);
	fprintf(stderr, "  %-20s %8.3f s\n", "insert", (double)p->inserts * 1e-9);
}

/* Prints to stderr, because results belong to stdout. */
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
