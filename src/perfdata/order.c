/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts records by time. The kernel writes to one buffer for each CPU, and the records of each
 * buffer are in the order of time. So the records that wait to be sorted form ascending runs, most
 * of them long. A run is stored as a range of bytes: in the file's image or, if its records were
 * compressed, in a copy. Each record is decoded again when it is returned. A heap of the first
 * records of all runs merges them. So memory, except for copies, grows with the number of runs and
 * not with the number of records. Records with equal times keep their order in the file.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "base/heap.h"
#include "base/index.h"
#include "perfdata/internal.h"

enum {
	/* has room for any record that has a time: the size of such a record is a 16-bit number */
	PIECE_BYTES = 1 << 18,
	SPARE_BYTES = 16 << 20,
};

/* A buffer with copies of records that were compressed in the file. They are copied because
 * pd_next() overwrites the inflated bytes later. A piece is a mapping of its own, so that munmap()
 * gives its memory back to the kernel: the importer needs this memory for what it makes of the
 * records. */
struct piece {
	size_t used; /* number of bytes in `bytes` */
	/* number of pointers to this piece: from runs, pd_order.filling and pd_order.borrowed */
	uint32_t holders;
	struct piece *next_spare;
	uint8_t bytes[];
};

/* A run: records that are adjacent in memory and ascending in time. */
struct run {
	const uint8_t *next, *end; /* the bytes of the records that were not returned yet, with
				    * their headers */
	uint64_t time;             /* time of the first remaining record */
	/* offset of the first remaining record; for a copy, offset of the compressed record that
	 * contains it */
	uint64_t offset;
	/* the piece with the copies; NULL means that the run is in the image */
	struct piece *piece;
};

/*
 * Records are collected (the "window") until perf marks the end of a round. A file without such
 * marks is sorted in windows of limited size: when the runs or the copied bytes reach these limits,
 * the oldest records are returned until the window is half empty. A record that comes too late for
 * its window is counted. The limit on copies suffices for two rounds of 200 CPUs with perf's
 * default buffers. For a small file it is smaller in proportion.
 */
enum {
	RUNS_MAX = 1 << 19, /* maximum number of runs in a window, which take 28 MB with their
			     * heap */
	COPIES_MAX = 512 << 20,
	COPIES_SLACK = 64 << 20,
	/* maximum number of copied bytes per byte of the file; recordings inflate to 3 to 30 times
	 * their size */
	COPIES_RATIO = 32,
};

struct pd_order {
	struct pd_file *f;
	struct run *runs; /* in the order of the file */
	size_t nruns, runs_cap;
	uint64_t newest;     /* time of the record added last; an earlier record begins a new run */
	struct heap heap;    /* heap of the runs; valid while records are returned */
	uint64_t limit;      /* records up to this time may be returned */
	uint64_t round_max;  /* latest time that was read */
	uint64_t next_limit; /* latest time that had been read when the last round ended */
	/* given: time of the record that was returned last; late: number of late records */
	uint64_t given, late;
	/* size of the records that were read, and of the records that were returned */
	uint64_t read_bytes, given_bytes;
	size_t copied, copies_max; /* size of all pieces in use, and its limit */
	struct piece *spare;       /* list of pieces to use again, of at most SPARE_BYTES */
	size_t spare_bytes;
	bool giving, at_end;
	/* return records only until the window is half empty, then read on */
	bool halving;
	struct piece *filling;  /* the piece to which copies are added */
	struct piece *borrowed; /* the piece with the record that was returned last */
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
		return md_nomem(err);
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
	o->copied -= PIECE_BYTES;
	if (o->spare_bytes >= SPARE_BYTES) {
		munmap(p, PIECE_BYTES);
		return;
	}
	p->next_spare = o->spare;
	o->spare = p;
	o->spare_bytes += PIECE_BYTES;
}

/* Returns an empty piece with one holder, or NULL when out of memory. */
static struct piece *new_piece(struct pd_order *o)
{
	struct piece *p = o->spare;

	if (p) {
		o->spare = p->next_spare;
		o->spare_bytes -= PIECE_BYTES;
	} else {
		p = mmap(NULL, PIECE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0);
		if (p == MAP_FAILED)
			return NULL;
	}
	p->used = 0;
	p->holders = 1;
	o->copied += PIECE_BYTES;
	return p;
}

void pd_order_close(struct pd_order *o)
{
	if (!o)
		return;
	for (size_t r = 0; r < o->nruns; r++)
		drop_piece(o, o->runs[r].piece);
	drop_piece(o, o->filling);
	drop_piece(o, o->borrowed);
	for (struct piece *p; (p = o->spare) != NULL;) {
		o->spare = p->next_spare;
		munmap(p, PIECE_BYTES);
	}
	free(o->runs);
	free(o->heap.at);
	free(o);
}

uint64_t pd_order_late(const struct pd_order *o)
{
	return o->late;
}

/* pd_position() also counts the bytes of records that still wait to be sorted. So it is multiplied
 * by the share of records that were returned, measured in bytes. */
uint64_t pd_order_position(const struct pd_order *o)
{
	double given = o->read_bytes ? (double)o->given_bytes / (double)o->read_bytes : 1;

	return (uint64_t)(given * (double)pd_position(o->f));
}

/* Makes room for one more element of `each` bytes in the array *p, which has n of them. Returns
 * false when out of memory. */
static bool reserve_room(void **p, size_t n, size_t *cap, size_t each)
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

/* If the current piece has no room for a copy of this size, begins another one. Returns false
 * when out of memory. */
static bool reserve_copy(struct pd_order *o, size_t bytes)
{
	struct piece *p = o->filling;

	if (p && bytes <= PIECE_BYTES - sizeof(*p) - p->used)
		return true;
	p = new_piece(o);
	if (!p)
		return false;
	drop_piece(o, o->filling);
	o->filling = p;
	return true;
}

/* Returns the address at which the record can be read again later, header first: in the file's
 * image or, if the record was compressed, in a copy. NULL means out of memory. */
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

/* Can the record be added to the last run? It must follow the last record of the run in memory, and
 * must not be earlier. */
static bool continues_run(const struct pd_order *o, const uint8_t *record, const struct pd_raw *rec,
			  uint64_t time)
{
	const struct run *last = &o->runs[o->nruns - 1];

	if (!o->nruns || last->end != record || time < o->newest)
		return false;
	return o->f->inflating ? last->piece == o->filling && last->offset == rec->offset
			       : !last->piece;
}

static bool hold_record(struct pd_order *o, const struct pd_raw *rec, uint64_t time)
{
	const uint8_t *record = keep_bytes(o, rec);

	if (!record)
		return false;
	if (!continues_run(o, record, rec, time)) {
		if (!reserve_room((void **)&o->runs, o->nruns, &o->runs_cap, sizeof(*o->runs)))
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

/* Begins to return the records up to the time `limit`. Returns false when out of memory. */
static bool start_giving(struct pd_order *o, uint64_t limit)
{
	while (o->heap.cap < o->nruns)
		if (!vec_grow((void **)&o->heap.at, &o->heap.cap, sizeof(*o->heap.at)))
			return false;
	o->heap.n = (uint32_t)o->nruns;
	for (uint32_t i = 0; i < o->heap.n; i++)
		o->heap.at[i] = (struct heap_head){ o->runs[i].time, i, i };
	heap_build(&o->heap);
	o->limit = limit;
	o->giving = true;
	return true;
}

/* Stops returning records, and removes the runs that are empty now. */
static void stop_giving(struct pd_order *o)
{
	size_t n = 0;

	for (size_t r = 0; r < o->nruns; r++)
		if (o->runs[r].next < o->runs[r].end)
			o->runs[n++] = o->runs[r];
	o->nruns = n;
	o->giving = o->halving = false;
}

/* Is the window, if it has this number of runs, full (part 1) or at least half full (part 2)? */
static bool is_full(const struct pd_order *o, size_t runs, unsigned part)
{
	return runs >= RUNS_MAX / part || o->copied > o->copies_max / part;
}

/* Reads the first record of a run again. Another process may have changed the file in the meantime,
 * so the size of the record is limited to the bytes of the run. */
static void first_record(const struct pd_order *o, const struct run *run, struct pd_raw *rec)
{
	size_t left = (size_t)(run->end - run->next) - sizeof(struct perf_event_header);

	pd_take_header(run->next, o->f->swap, rec);
	rec->offset = run->offset;
	rec->body = run->next + sizeof(struct perf_event_header);
	if (rec->size > left)
		rec->size = left;
}

/* Removes the first record from a run, and fills *rec with it as pd_next() does. */
static void take_first(struct pd_order *o, struct run *run, struct pd_raw *rec)
{
	first_record(o, run, rec);
	run->next = rec->body + rec->size;
	if (!run->piece)
		run->offset += sizeof(struct perf_event_header) + rec->size;
	o->borrowed = hold_piece(run->piece);
	o->given_bytes += rec->size;
}

/* Returns the time of the first record of a run that is not empty, or the time of the run's
 * previous record if that is later. The time of the first record may differ from the time with
 * which the record was added: records that were read since then may have assigned its id to a
 * different event with a different layout. */
static uint64_t first_time(struct pd_order *o, const struct run *run)
{
	struct pd_raw rec;
	uint64_t time;

	first_record(o, run, &rec);
	return pd_time(o->f, &rec, &time) && time > run->time ? time : run->time;
}

/* Returns the earliest record in *rec. Returns false if there is none, if it is later than the
 * limit, or if the window is half empty and `halving` is set. */
static bool return_earliest(struct pd_order *o, struct pd_raw *rec, uint64_t *time)
{
	struct heap_head next;
	struct run *run;

	if (!o->heap.n || o->heap.at[0].time > o->limit ||
	    (o->halving && !is_full(o, o->heap.n, 2)))
		return false;
	next = o->heap.at[0];
	run = &o->runs[next.source];
	take_first(o, run, rec);
	*time = o->given = next.time;
	if (run->next < run->end) {
		next.time = run->time = first_time(o, run);
		heap_replace(&o->heap, next);
	} else {
		heap_remove(&o->heap);
		drop_piece(o, run->piece);
		run->piece = NULL;
	}
	return true;
}

/* Must the record wait until it can be sorted? Two kinds of records are returned at once. A record
 * without a time keeps its position in the file. A late record is older than one that was returned
 * already. Sets *time and counts late records. */
static bool is_held(struct pd_order *o, const struct pd_raw *rec, uint64_t *time)
{
	if (!pd_time(o->f, rec, time))
		return false;
	o->late += *time < o->given;
	return *time >= o->given;
}

/* Handles perf's mark for the end of a round. No record that follows in the file can be older than
 * the newest record of the previous round, so the records up to the time of that record are
 * returned. Returns false when out of memory. */
static bool end_round(struct pd_order *o)
{
	uint64_t limit = o->next_limit;

	o->next_limit = o->round_max;
	return start_giving(o, limit);
}

/* Reads records into the window. Returns 1 and sets *rec for a record that must be returned at
 * once, 0 if the window is full or the file ends, or MD_ENOMEM. */
static int fill_window(struct pd_order *o, struct pd_raw *rec, uint64_t *time, struct md_err *err)
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
		if (!hold_record(o, rec, *time))
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
	return md_nomem(err);
}

int pd_order_next(struct pd_order *o, struct pd_raw *rec, uint64_t *time, struct md_err *err)
{
	int ret;

	drop_piece(o, o->borrowed);
	o->borrowed = NULL;
	for (;;) {
		if (o->giving) {
			if (return_earliest(o, rec, time))
				return 1;
			stop_giving(o);
		}
		if (o->at_end)
			return 0;
		ret = fill_window(o, rec, time, err);
		if (ret)
			return ret;
	}
}
