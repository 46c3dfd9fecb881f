/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodatabase [-v] INPUT [ROUNDS]: measures what an import costs without its database. Records,
 * symbols, call paths and the join are processed as always, but the writer here discards all rows.
 * Prints million samples per second of CPU time and of wall time, the best of the rounds (default
 * 5). With -v, it also prints the time of each phase of each round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "database/writer.h"
#include "import/import.h"

/* Replaces the writer of database/writer.c: only counts rows. */
struct writer {
	uint64_t rows;
};

static struct writer nowhere;

#define PUT(name)                                                            \
	void writer_put_##name(struct writer *w, const struct row_##name *r) \
	{                                                                    \
		w->rows++;                                                   \
	}

PUT(run)
PUT(node)
PUT(pmu)
PUT(node_distance)
PUT(cpu)
PUT(process)
PUT(thread)
PUT(thread_affinity)
PUT(comm)
PUT(selected_event)
PUT(dso)
PUT(mapping)
PUT(symbol)
PUT(file)
PUT(source_line)
PUT(location)
PUT(inlined_frame)
PUT(call_path)
PUT(type)
PUT(member)
PUT(object)
PUT(allocation)
PUT(sample)
PUT(other_wait)
PUT(page_home)
PUT(policy_call)
PUT(tracepoint)
PUT(loss)

void writer_put_page_fault(struct writer *w, const struct row_sample *r)
{
	w->rows++;
}

void writer_count_operation(struct writer *w, const struct row_sample *r)
{
	w->rows++;
}

void writer_count_block(struct writer *w, const struct row_block *r)
{
	w->rows++;
}

void writer_end_counts(struct writer *w)
{
}

void writer_forget_homes(struct writer *w, const struct moved *at, uint32_t n, uint64_t until,
			 uint32_t (*process_of)(const void *arg, uint32_t thread), const void *arg)
{
}

void writer_check_everything(struct writer *w)
{
}

void writer_insert_all(struct writer *w)
{
}

int writer_open(const char *path, bool force, struct writer **out, struct md_err *err)
{
	nowhere = (struct writer){ 0 };
	*out = &nowhere;
	return 0;
}

int writer_error(const struct writer *w, struct md_err *err)
{
	return 0;
}

uint64_t writer_waited_ns(const struct writer *w)
{
	return 0;
}

int writer_finish(struct writer *w, writer_progress_fn *progress, void *arg, struct md_err *err)
{
	return 0;
}

void writer_abort(struct writer *w)
{
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	struct import_options o = { .output = "nowhere.db" };
	struct import_result r = { 0 };
	struct md_err err = { 0 };
	double best_cpu = 1e9, best = 1e9;
	int rounds;

	o.timing = argc > 1 && !strcmp(argv[1], "-v");
	argv += o.timing;
	o.input = argv[1];
	rounds = o.input && argv[2] ? atoi(argv[2]) : 5;
	for (int i = 0; i < rounds && o.input; i++) {
		double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), clock = seconds(CLOCK_MONOTONIC);

		if (import_run(&o, &r, &err))
			break;
		cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
		clock = seconds(CLOCK_MONOTONIC) - clock;
		best_cpu = cpu < best_cpu ? cpu : best_cpu;
		best = clock < best ? clock : best;
	}
	if (!o.input || err.code || rounds < 1) {
		fprintf(stderr, "nodatabase: %s\n",
			err.code ? err.msg : "usage: nodatabase [-v] INPUT [ROUNDS]");
		return EXIT_FAILURE;
	}
	printf("%llu samples: %.3f CPU s, %.2f M samples a CPU second; %.3f s, %.2f M a second\n",
	       (unsigned long long)(r.samples + r.page_faults), best_cpu,
	       (double)(r.samples + r.page_faults) / best_cpu * 1e-6, best,
	       (double)(r.samples + r.page_faults) / best * 1e-6);
	return EXIT_SUCCESS;
}
