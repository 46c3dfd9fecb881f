/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfread FILE [ROUNDS]: measures the reader of perf.data. Prints million samples per second of
 * the best of the rounds (default 5) for
 *
 * walk     pd_next() for each record
 * decode   also pd_sample() for each sample, and its call chain is read
 * ordered  the same as decode, with the records in time order (pd_order)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/cursor.h"
#include "perfdata/perfdata.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct tally {
	uint64_t samples, sum;
};

static void add(struct pd_file *f, const struct pd_raw *rec, struct tally *t)
{
	struct pd_sample s;
	struct cursor c;

	if (rec->type != PERF_RECORD_SAMPLE || pd_sample(f, rec, &s))
		return;
	t->samples++;
	t->sum += s.ip + s.addr + s.time + s.tid + s.cpu + s.weight + s.data_src;
	if (!s.ncallchain)
		return;
	c = cursor_make(s.callchain, s.ncallchain * 8, pd_swapped(f));
	while (cursor_left(&c))
		t->sum += cursor_u64(&c);
}

static void walk(struct pd_file *f, struct tally *t)
{
	struct pd_raw rec;

	while (pd_next(f, &rec, NULL) > 0)
		t->samples += rec.type == PERF_RECORD_SAMPLE;
}

static void decode(struct pd_file *f, struct tally *t)
{
	struct pd_raw rec;

	while (pd_next(f, &rec, NULL) > 0)
		add(f, &rec, t);
}

static void ordered(struct pd_file *f, struct tally *t)
{
	struct pd_order *o;
	struct pd_raw rec;
	uint64_t time;

	if (pd_order_open(f, &o, NULL))
		return;
	while (pd_order_next(o, &rec, &time, NULL) > 0)
		add(f, &rec, t);
	pd_order_close(o);
}

static void measure(struct pd_file *f, const char *name, int rounds,
		    void (*run)(struct pd_file *f, struct tally *t))
{
	struct tally t = { 0 };
	double best = 1e9;

	for (int i = 0; i < rounds; i++) {
		double start = now(), took;

		t = (struct tally){ 0 };
		pd_rewind(f);
		run(f, &t);
		took = now() - start;
		best = took < best ? took : best;
	}
	printf("%-8s %8.1f M samples/s   %" PRIu64 " samples, sum %" PRIx64 "\n", name,
	       (double)t.samples / best * 1e-6, t.samples, t.sum);
}

int main(int argc, char **argv)
{
	struct md_err err = { 0 };
	struct pd_file *f = NULL;
	int rounds = argc > 2 ? atoi(argv[2]) : 5;

	if (argc < 2 || rounds < 1 || pd_open_path(argv[1], &f, &err)) {
		fprintf(stderr, "perfread: %s\n",
			*err.msg ? err.msg : "usage: perfread FILE [ROUNDS]");
		return EXIT_FAILURE;
	}
	measure(f, "walk", rounds, walk);
	measure(f, "decode", rounds, decode);
	measure(f, "ordered", rounds, ordered);
	pd_close(f);
	return EXIT_SUCCESS;
}
