/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a tracker log as text, for the tests.
 *
 *   tracklog-dump FILE…           one line per event
 *   tracklog-dump -c FILE…        one line per file: counts and losses
 *   tracklog-dump -m SIZE FILE…   births and deaths of heap blocks of exactly this size, over all
 *                                 files: "births N deaths N"
 *
 * If FILE is shared.log, it prints all logs that are only a slot of shared.log, without a file of
 * their own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracklog/tracklog.h"

#include "../unit/tracklog_stack.h"

struct block {
	uint64_t address, size;
};

/* A hash table of heap blocks by address, with open addressing. A free slot has address 0; the slot
 * of a freed block keeps its address, with size 0. */
struct blocks {
	struct block *slots;
	size_t n, used;
};

static struct block *block_at(struct blocks *b, uint64_t address)
{
	size_t i = (address * 0x9e3779b97f4a7c15u >> 20) & (b->n - 1);

	while (b->slots[i].address && b->slots[i].address != address)
		i = (i + 1) & (b->n - 1);
	return &b->slots[i];
}

static void add_block(struct blocks *b, uint64_t address, uint64_t size)
{
	struct block *at;

	if (b->used * 2 >= b->n) {
		struct blocks old = *b;

		b->n = old.n ? old.n * 2 : 1024;
		b->slots = calloc(b->n, sizeof(*b->slots));
		if (!b->slots)
			abort();
		for (size_t i = 0; i < old.n; i++)
			if (old.slots[i].address)
				*block_at(b, old.slots[i].address) = old.slots[i];
		free(old.slots);
	}
	at = block_at(b, address);
	b->used += !at->address;
	*at = (struct block){ address, size };
}

struct totals {
	uint64_t kinds[TL_THREAD + 1];
	uint64_t overlaps; /* births at the address of a block that is still alive: an error */
	uint64_t unknown;  /* deaths of blocks whose birth is not in the log */
	uint64_t backward; /* events whose time is before the time of the previous event: an
			    * error */
	uint64_t truncated;
	uint64_t births, deaths; /* births and deaths of blocks of the size given by -m */
};

static const char *const kind_names[] = { "?",     "birth",      "death",    "map",
					  "unmap", "policy",     "affinity", "name",
					  "homes", "thread_end", "end",      "thread" };

static void print_event(struct tl_log *l, const struct tl_event *e)
{
	const struct log_stack s = log_stack(l, e->stack);

	printf("%" PRIu64 " %u cpu%d %s %s %" PRIx64 " %" PRIu64, e->time, e->tid, e->cpu,
	       kind_names[e->kind], tl_function_name(e->function), e->address, e->size);
	if (e->old_address)
		printf(" old=%" PRIx64, e->old_address);
	if (e->kind == TL_POLICY)
		printf(" mode=%d flags=%x result=%d nodes=%" PRIx64, e->policy.mode,
		       e->policy.flags, e->result, e->policy.nwords ? e->policy.nodes[0] : 0);
	if (e->kind == TL_AFFINITY)
		printf(" subject=%u cpus=%" PRIx64, e->subject, e->ncpuwords ? e->cpus[0] : 0);
	if (e->kind == TL_NAME || e->kind == TL_END)
		printf(" subject=%u %s", e->subject, e->name);
	for (uint32_t i = 0; e->kind == TL_THREAD && i < e->tls.count; i++)
		printf(" tls=%" PRIx64 ":%" PRIx64 "+%" PRIu64, e->tls.modules[i].code,
		       e->tls.modules[i].block, e->tls.modules[i].bytes);
	if (e->kind == TL_HOMES)
		for (uint32_t i = 0; i < e->homes.count; i++)
			printf("%s%d", i ? "," : " ", e->homes.nodes[i]);
	for (uint32_t i = 0; i < s.n; i++)
		printf("%s%" PRIx64, i ? ";" : " [", s.pcs[i]);
	printf("%s\n", s.n ? s.truncated ? ";...]" : "]" : "");
}

static void count_event(struct tl_log *l, const struct tl_event *e, struct totals *t,
			struct blocks *b, uint64_t wanted)
{
	struct block *old;

	t->kinds[e->kind]++;
	if (e->kind == TL_BIRTH) {
		old = b->n ? block_at(b, e->address) : NULL;
		t->overlaps += old && old->address && old->size != UINT64_MAX;
		add_block(b, e->address, e->size);
		t->births += e->size == wanted;
		t->truncated += log_stack(l, e->stack).truncated;
	} else if (e->kind == TL_DEATH) {
		old = b->n ? block_at(b, e->address) : NULL;
		if (!old || !old->address || old->size == UINT64_MAX) {
			t->unknown++;
			return;
		}
		t->deaths += old->size == wanted;
		old->size = UINT64_MAX;
	}
}

static int read_file(const char *path, int mode, uint64_t wanted, struct totals *all)
{
	struct totals t = { 0 };
	struct blocks b = { 0 };
	struct md_err err = { 0 };
	struct tl_log *l;
	struct tl_event e;
	uint64_t last = 0;
	int ret = tl_open_path(path, &l, &err);

	if (ret)
		goto out;
	while ((ret = tl_next(l, &e, &err)) > 0) {
		t.backward += e.time < last;
		last = e.time;
		if (!mode)
			print_event(l, &e);
		else
			count_event(l, &e, &t, &b, wanted);
	}
	if (mode == 'c') {
		const struct tl_losses *x = tl_losses(l);

		printf("%s: %s", path, tl_info(l)->exe);
		for (int k = 1; k <= TL_END; k++)
			printf(" %s %" PRIu64, kind_names[k], t.kinds[k]);
		printf(" overlaps %" PRIu64 " unknown %" PRIu64 " backward %" PRIu64
		       " truncated %" PRIu64 " lost %" PRIu64 " stackless %" PRIu64
		       " damaged %" PRIu64 "%s%s\n",
		       t.overlaps, t.unknown, t.backward, t.truncated, x->lost_events,
		       x->lost_stacks, x->damaged_bytes, *x->what ? " " : "", x->what);
	}
	all->births += t.births;
	all->deaths += t.deaths;
	tl_close(l);
out:
	free(b.slots);
	if (ret)
		fprintf(stderr, "tracklog-dump: %s\n", err.msg);
	return ret;
}

/* Reads the logs that have no file of their own but a slot of shared.log. */
static int read_slots(const char *path, int mode, uint64_t wanted, struct totals *all)
{
	char *dir = strdup(path), *slash = strrchr(dir, '/'), *log;
	struct md_err err = { 0 };
	struct tl_names names;
	int bad;

	if (slash)
		*slash = 0;
	bad = tl_names(slash ? dir : ".", &names, &err);
	if (bad)
		fprintf(stderr, "tracklog-dump: %s\n", err.msg);
	for (uint32_t i = 0; i < names.n; i++) {
		if (!strchr(names.at[i], ':'))
			continue;
		if (asprintf(&log, "%s/%s", slash ? dir : ".", names.at[i]) < 0)
			abort();
		bad |= read_file(log, mode, wanted, all) != 0;
		free(log);
	}
	tl_names_release(&names);
	free(dir);
	return bad;
}

static bool is_short(const char *path)
{
	const char *slash = strrchr(path, '/');

	return !strcmp(slash ? slash + 1 : path, TRACK_SHARED);
}

int main(int argc, char **argv)
{
	struct totals all = { 0 };
	uint64_t wanted = 0;
	int c, mode = 0, bad = 0;

	while ((c = getopt(argc, argv, "cm:")) != -1) {
		if (c == '?')
			return 2;
		mode = c;
		if (c == 'm')
			wanted = strtoull(optarg, NULL, 0);
	}
	for (; optind < argc; optind++)
		bad |= (is_short(argv[optind]) ? read_slots : read_file)(argv[optind], mode, wanted,
									 &all) != 0;
	if (mode == 'm')
		printf("births %" PRIu64 " deaths %" PRIu64 "\n", all.births, all.deaths);
	return bad;
}
