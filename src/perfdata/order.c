/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records by time. The kernel's buffers, one per CPU, are each in order, so what is held consists
 * of ascending runs, most of them long. A run is a range of bytes: of the image, where the records
 * are read again when their turn comes, or of copies, where they were inflated. The runs are merged
 * by a heap of their heads. Memory grows with the number of runs, not of records. Equal times keep
 * the order of the file.
 */
#include <stdlib.h>

#include "perfdata/internal.h"

/* Memory for copies of inflated records, which do not last. */
struct piece {
	size_t used, size;
	uint32_t holders; /* runs, the piece that is being filled, the record that was given last */
	uint8_t bytes[];
};

/* Records that follow each other in memory and in time. */
struct run {
	const uint8_t *next, *end; /* those that are not yet given out, headers included */
	uint64_t time;             /* of the first of them */
	uint64_t offset;           /* its offset, or, of copies, of the compressed record around */
	struct piece *piece;       /* the copies; NULL: the bytes are of the image */
};

/* The first of a run that is not yet given out. */
struct head {
	uint64_t time;
	size_t run;
};

/*
 * The window in which records are put in order ends with a round of perf's, and where there are no
 * rounds it has at most so many runs and bytes of copies. When it is full the older half is given
 * out, and what comes later than that is counted. The copies are more than two rounds of 200 CPUs
 * with perf's default buffers, and of a small file less, in proportion to it.
 */
enum {
	RUNS_MAX = 1 << 19, /* 28 MB with the heap */
	COPIES_MAX = 512 << 20,
	COPIES_SLACK = 64 << 20,
	COPIES_RATIO = 32, /* to the file's data: records of real recordings inflate by 3 to 30 */
	PIECE_BYTES = 1 << 16, /* of a larger record more */
};

struct pd_order {
	struct pd_file *f;
	struct run *runs; /* in the order of the file */
	size_t nruns, runs_cap;
	uint64_t newest;   /* time of the record held last */
	struct head *heap; /* the earliest at [0]; valid while giving out */
	size_t nheap, heap_cap;
	uint64_t limit;      /* give out what is not later */
	uint64_t round_max;  /* latest time read so far */
	uint64_t next_limit; /* latest time when the last round ended */
	uint64_t given, late;
	uint64_t read_bytes, given_bytes; /* of records */
	size_t copied, copies_max;        /* bytes in pieces */
	bool giving, at_end;
	bool halving;           /* give out only until the window is half empty */
	struct piece *filling;  /* new copies go there */
	struct piece *borrowed; /* has the record that was given last */
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

static struct piece *hold_piece(struct piece *p)
{
	if (p)
		p->holders++;
	return p;
}

static void drop_piece(struct pd_order *o, struct piece *p)
{
	if (!p || --p->holders)
		return;
	o->copied -= sizeof(*p) + p->size;
	free(p);
}

void pd_order_close(struct pd_order *o)
{
	if (!o)
		return;
	for (size_t r = 0; r < o->nruns; r++)
		drop_piece(o, o->runs[r].piece);
	drop_piece(o, o->filling);
	drop_piece(o, o->borrowed);
	free(o->runs);
	free(o->heap);
	free(o);
}

uint64_t pd_order_late(const struct pd_order *o)
{
	return o->late;
}

/* The file's position counts what was read, so that of what is held is taken off. */
uint64_t pd_order_position(const struct pd_order *o)
{
	double given = o->read_bytes ? (double)o->given_bytes / (double)o->read_bytes : 1;

	return (uint64_t)(given * (double)pd_position(o->f));
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

/* Room for a copy of so many bytes in the piece that is being filled. */
static bool reserve_copy(struct pd_order *o, size_t bytes)
{
	const size_t size = bytes > PIECE_BYTES ? bytes : PIECE_BYTES;
	struct piece *p = o->filling;

	if (p && bytes <= p->size - p->used)
		return true;
	p = malloc(sizeof(*p) + size);
	if (!p)
		return false;
	*p = (struct piece){ .size = size, .holders = 1 };
	drop_piece(o, o->filling);
	o->filling = p;
	o->copied += sizeof(*p) + size;
	return true;
}

/* Where the record will be found again: header and body stand together, in the file and in the
 * inflated window alike. NULL when out of memory. */
static const uint8_t *keep_bytes(struct pd_order *o, const struct pd_raw *rec)
{
	const size_t bytes = sizeof(struct perf_event_header) + rec->size;
	const uint8_t *record = rec->body - sizeof(struct perf_event_header);

	if (!o->f->inflating)
		return record;
	if (!reserve_copy(o, bytes))
		return NULL;
	record = memcpy(o->filling->bytes + o->filling->used, record, bytes);
	o->filling->used += bytes;
	return record;
}

/* Does the record go on the last run? */
static bool continues_run(const struct pd_order *o, const uint8_t *record, const struct pd_raw *rec,
			  uint64_t time)
{
	const struct run *last = &o->runs[o->nruns - 1];

	if (!o->nruns || last->end != record || time < o->newest)
		return false;
	return o->f->inflating ? last->piece == o->filling && last->offset == rec->offset
			       : !last->piece;
}

static bool hold(struct pd_order *o, const struct pd_raw *rec, uint64_t time)
{
	const uint8_t *record = keep_bytes(o, rec);

	if (!record)
		return false;
	if (!continues_run(o, record, rec, time)) {
		if (!reserve((void **)&o->runs, o->nruns, &o->runs_cap, sizeof(*o->runs)))
			return false;
		o->runs[o->nruns++] = (struct run){
			.next = record,
			.time = time,
			.offset = rec->offset,
			.piece = hold_piece(o->f->inflating ? o->filling : NULL),
		};
	}
	o->runs[o->nruns - 1].end = record + sizeof(struct perf_event_header) + rec->size;
	o->newest = time;
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
	while (o->heap_cap < o->nruns)
		if (!reserve((void **)&o->heap, o->heap_cap, &o->heap_cap, sizeof(*o->heap)))
			return false;
	o->nheap = o->nruns;
	for (size_t i = 0; i < o->nruns; i++)
		o->heap[i] = (struct head){ .time = o->runs[i].time, .run = i };
	for (size_t i = o->nruns / 2; i-- > 0;)
		sink(o, i, o->heap[i]);
	o->limit = limit;
	o->giving = true;
	return true;
}

/* Closes the gaps that given runs left. */
static void stop_giving(struct pd_order *o)
{
	size_t n = 0;

	for (size_t r = 0; r < o->nruns; r++)
		if (o->runs[r].next < o->runs[r].end)
			o->runs[n++] = o->runs[r];
		else
			drop_piece(o, o->runs[r].piece);
	o->nruns = n;
	o->giving = o->halving = false;
}

/* Is the window, of which so many runs are not empty, full, or half full (part 2)? */
static bool is_full(const struct pd_order *o, size_t runs, unsigned part)
{
	return runs >= RUNS_MAX / part || o->copied > o->copies_max / part;
}

/* The first record of the run, within it even where somebody has changed the file since. */
static void first_record(const struct pd_order *o, const struct run *run, struct pd_raw *rec)
{
	size_t left = (size_t)(run->end - run->next) - sizeof(struct perf_event_header);

	pd_take_header(run->next, o->f->swap, rec);
	rec->offset = run->offset;
	rec->body = run->next + sizeof(struct perf_event_header);
	if (rec->size > left)
		rec->size = left;
}

/* Takes the first record off the run, as pd_next() gave it. */
static void take_first(struct pd_order *o, struct run *run, struct pd_raw *rec)
{
	first_record(o, run, rec);
	run->next = rec->body + rec->size;
	if (!run->piece)
		run->offset += sizeof(struct perf_event_header) + rec->size;
	o->borrowed = hold_piece(run->piece);
	o->given_bytes += rec->size;
}

/* The time of the first record of the run, which is not empty. What the id of a record means may
 * have changed since it was held: time does not go back. */
static uint64_t first_time(struct pd_order *o, const struct run *run)
{
	struct pd_raw rec;
	uint64_t time;

	first_record(o, run, &rec);
	return pd_time(o->f, &rec, &time) && time > run->time ? time : run->time;
}

/* The earliest held record, where it is not later than the limit. */
static bool give(struct pd_order *o, struct pd_raw *rec, uint64_t *time)
{
	struct head next;
	struct run *run;

	if (!o->nheap || o->heap[0].time > o->limit || (o->halving && !is_full(o, o->nheap, 2)))
		return false;
	next = o->heap[0];
	run = &o->runs[next.run];
	take_first(o, run, rec);
	*time = o->given = next.time;
	if (run->next < run->end)
		next.time = run->time = first_time(o, run);
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
		o->read_bytes += rec->size;
		if (!is_held(o, rec, time)) {
			if (rec->type == PD_FINISHED_ROUND && !end_round(o))
				goto nomem;
			o->given_bytes += rec->size;
			return 1;
		}
		if (!hold(o, rec, *time))
			goto nomem;
		o->halving = is_full(o, o->nruns, 1);
		if (o->halving)
			break;
	}
	if (ret < 0)
		return ret;
	*time = 0;
	o->at_end = !ret;
	if (start_giving(o, UINT64_MAX))
		return 0;
nomem:
	return md_fail(err, MD_ENOMEM, "out of memory for %zu runs of records", o->nruns);
}

int pd_order_next(struct pd_order *o, struct pd_raw *rec, uint64_t *time, struct md_err *err)
{
	int ret;

	drop_piece(o, o->borrowed);
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
