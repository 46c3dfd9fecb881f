/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records by time. The kernel's buffers, one per CPU, are each in order, so what is held consists
 * of a few ascending runs: they are merged by a heap of their heads as the records are given out,
 * which needs no second copy of what is held. Equal times keep the order of the file.
 */
#include <stdlib.h>

#include "perfdata/internal.h"

struct held {
	uint64_t time;
	const uint8_t *record; /* header and body: of the image, or a copy */
	uint64_t offset : 63;  /* of the record, or of the compressed one around it */
	uint64_t copied : 1;   /* record is ours, because the bytes did not last */
};

struct run {
	size_t next, end; /* in held: what is not yet given out */
};

/* The first of a run that is not yet given out. */
struct head {
	uint64_t time;
	size_t run;
};

/* Copies of inflated records that are held take at most so much: more than two rounds of 200 CPUs
 * with perf's default buffers, and of a small file less, in proportion to it. Beyond it all are
 * given out, and what comes late is counted. */
enum {
	COPIES_MAX = 512 << 20,
	COPIES_SLACK = 64 << 20,
	COPIES_RATIO = 32, /* to the file's data: records of real recordings inflate by 3 to 30 */
	COPY_BYTES = sizeof(struct held) + 16, /* of each beside its record: in held, malloc's */
};

struct pd_order {
	struct pd_file *f;
	struct held *held;
	size_t nheld, cap;
	struct run *runs; /* in the order of the file */
	size_t nruns, runs_cap;
	struct head *heap; /* the earliest at [0]; valid while giving out */
	size_t nheap;
	uint64_t limit;      /* give out what is not later */
	uint64_t round_max;  /* latest time read so far */
	uint64_t next_limit; /* latest time when the last round ended */
	uint64_t given, late;
	size_t copied, copies_max; /* bytes in copies, with what holds them */
	bool giving, at_end;
	void *borrowed; /* the copy of the record given last */
};

static size_t most_copies(const struct pd_file *f)
{
	uint64_t bytes = pd_data_size(f);

	if (bytes > (COPIES_MAX - COPIES_SLACK) / COPIES_RATIO)
		return COPIES_MAX;
	return COPIES_SLACK + (size_t)bytes * COPIES_RATIO;
}

int pd_order_open(struct pd_file *f, struct pd_order **out, struct md_err *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return md_fail(err, MD_ENOMEM, "out of memory");
	(*out)->f = f;
	(*out)->copies_max = most_copies(f);
	return 0;
}

/* What must be freed of it. */
static void *copy_of(const struct held *h)
{
	return h->copied ? (void *)(uintptr_t)h->record : NULL;
}

static void drop_held(struct pd_order *o)
{
	for (size_t r = 0; r < o->nruns; r++) {
		for (size_t i = o->runs[r].next; i < o->runs[r].end; i++)
			free(copy_of(&o->held[i]));
	}
}

void pd_order_close(struct pd_order *o)
{
	if (!o)
		return;
	drop_held(o);
	free(o->borrowed);
	free(o->held);
	free(o->runs);
	free(o->heap);
	free(o);
}

uint64_t pd_order_late(const struct pd_order *o)
{
	return o->late;
}

/* Room for one more element of *p. */
static bool reserve(void **p, size_t n, size_t *cap, size_t each)
{
	size_t want = *cap ? *cap * 2 : 256;
	void *bigger;

	if (n < *cap)
		return true;
	bigger = reallocarray(*p, want, each);
	if (!bigger)
		return false;
	*p = bigger;
	*cap = want;
	return true;
}

/* Header and body stand together, in the file and in the inflated window alike. */
static bool keep_bytes(struct pd_order *o, const struct pd_raw *rec, struct held *h)
{
	const size_t size = sizeof(struct perf_event_header) + rec->size;
	uint8_t *copy;

	h->record = rec->body - sizeof(struct perf_event_header);
	h->offset = rec->offset;
	h->copied = o->f->inflating;
	if (!h->copied)
		return true;
	copy = malloc(size);
	if (!copy)
		return false;
	h->record = memcpy(copy, h->record, size);
	o->copied += size + COPY_BYTES;
	return true;
}

static bool hold(struct pd_order *o, const struct pd_raw *rec, uint64_t time)
{
	bool new_run = !o->nheld || o->held[o->nheld - 1].time > time;

	if (!reserve((void **)&o->held, o->nheld, &o->cap, sizeof(*o->held)))
		return false;
	if (new_run && !reserve((void **)&o->runs, o->nruns, &o->runs_cap, sizeof(*o->runs)))
		return false;
	if (!keep_bytes(o, rec, &o->held[o->nheld]))
		return false;
	o->held[o->nheld].time = time;
	if (new_run)
		o->runs[o->nruns++] = (struct run){ .next = o->nheld, .end = o->nheld };
	o->nheld++;
	o->runs[o->nruns - 1].end++;
	if (time > o->round_max)
		o->round_max = time;
	return true;
}

static bool before(const struct head *a, const struct head *b)
{
	return a->time != b->time ? a->time < b->time : a->run < b->run;
}

/* Puts `moved` where it belongs at or below i. */
static void sink(struct pd_order *o, size_t i, struct head moved)
{
	struct head *heap = o->heap;
	size_t child;

	for (; (child = i * 2 + 1) < o->nheap; i = child) {
		if (child + 1 < o->nheap && before(&heap[child + 1], &heap[child]))
			child++;
		if (!before(&heap[child], &moved))
			break;
		heap[i] = heap[child];
	}
	heap[i] = moved;
}

/* From here on everything up to limit is given out. */
static bool start_giving(struct pd_order *o, uint64_t limit)
{
	struct head *heap = reallocarray(o->heap, o->nruns ? o->nruns : 1, sizeof(*heap));

	if (!heap)
		return false;
	o->heap = heap;
	o->nheap = o->nruns;
	for (size_t i = 0; i < o->nruns; i++)
		heap[i] = (struct head){ .time = o->held[o->runs[i].next].time, .run = i };
	for (size_t i = o->nruns / 2; i-- > 0;)
		sink(o, i, heap[i]);
	o->limit = limit;
	o->giving = true;
	return true;
}

/* Closes the gaps that given records left. */
static void stop_giving(struct pd_order *o)
{
	size_t to = 0, nruns = 0;

	for (size_t r = 0; r < o->nruns; r++) {
		struct run run = o->runs[r];
		size_t n = run.end - run.next;

		if (!n)
			continue;
		memmove(&o->held[to], &o->held[run.next], n * sizeof(*o->held));
		o->runs[nruns++] = (struct run){ .next = to, .end = to + n };
		to += n;
	}
	o->nheld = to;
	o->nruns = nruns;
	o->giving = false;
}

/* The record as pd_next() gave it. */
static void restore(struct pd_order *o, const struct held *h, struct pd_raw *rec)
{
	pd_take_header(h->record, o->f->swap, rec);
	rec->offset = h->offset;
	rec->body = h->record + sizeof(struct perf_event_header);
	o->borrowed = copy_of(h);
	if (h->copied)
		o->copied -= sizeof(struct perf_event_header) + rec->size + COPY_BYTES;
}

/* The earliest held record, where it is not later than the limit. */
static bool give(struct pd_order *o, struct pd_raw *rec, uint64_t *time)
{
	struct head next;
	struct run *run;

	if (!o->nheap || o->heap[0].time > o->limit)
		return false;
	next = o->heap[0];
	run = &o->runs[next.run];
	restore(o, &o->held[run->next], rec);
	*time = o->given = next.time;
	run->next++;
	if (run->next < run->end)
		next.time = o->held[run->next].time;
	else
		next = o->heap[--o->nheap];
	sink(o, 0, next);
	return true;
}

/* Records without a time keep their place, and those that are late cannot be put right. */
static bool is_held(struct pd_order *o, const struct pd_raw *rec, uint64_t *time)
{
	if (!pd_time(o->f, rec, time))
		return false;
	o->late += *time < o->given;
	return *time >= o->given;
}

/* The round that ends with this record: what was there before it is not overtaken any more. */
static bool end_round(struct pd_order *o)
{
	uint64_t limit = o->next_limit;

	o->next_limit = o->round_max;
	return start_giving(o, limit);
}

/* Takes records of the file up to one that is given to the caller at once, 1, or after which giving
 * out begins, 0; or MD_ENOMEM. */
static int take(struct pd_order *o, struct pd_raw *rec, uint64_t *time, struct md_err *err)
{
	int ret;

	while ((ret = pd_next(o->f, rec, err)) > 0) {
		*time = 0;
		if (!is_held(o, rec, time)) {
			if (rec->type == PD_FINISHED_ROUND && !end_round(o))
				goto nomem;
			return 1;
		}
		if (!hold(o, rec, *time))
			goto nomem;
		if (o->copied > o->copies_max)
			break;
	}
	if (ret < 0)
		return ret;
	*time = 0;
	o->at_end = !ret;
	if (start_giving(o, UINT64_MAX))
		return 0;
nomem:
	return md_fail(err, MD_ENOMEM, "out of memory for %zu held records", o->nheld);
}

int pd_order_next(struct pd_order *o, struct pd_raw *rec, uint64_t *time, struct md_err *err)
{
	int ret;

	free(o->borrowed);
	o->borrowed = NULL;
	for (;;) {
		if (o->giving) {
			if (give(o, rec, time))
				return 1;
			stop_giving(o);
		}
		if (o->at_end)
			return 0;
		ret = take(o, rec, time, err);
		if (ret)
			return ret;
	}
}
