/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles pages that were on different nodes in two looks (a look is a query that asks on which
 * nodes pages are). No record shows when they moved. So the home node of such a page is unknown
 * between the two looks, and is removed from the rows of that time. */
#include "import/moved.h"

#include "import/pipeline.h"

/* Adds pages to im->model.moved. `since` is the last time at which the pages were seen on their
 * former node. */
static void add_moved(struct import *im, uint32_t process, uint64_t start, uint64_t end,
		      uint64_t since)
{
	struct moved *last = im->model.moved.n ? &AT_ID(im->model.moved, im->model.moved.n) : NULL;
	const struct place p = objects_find(&im->model.objects, process, 0, start, 0);

	/* the memory was mapped only after `since`, so an earlier look saw a different page */
	if (since < objects_page_birth(&im->model.objects, process, start, &p))
		return;
	if (last && last->process == process && last->end == start && last->since == since) {
		last->end = end;
		return;
	}
	if (!VEC_ROOM(&im->model.moved))
		im->nomem = true;
	else
		im->model.moved.at[im->model.moved.n++] =
			(struct moved){ process, start, end, since };
}

void moved_found(void *arg, uint32_t process, uint64_t start, uint64_t end, uint64_t since)
{
	add_moved(arg, process, start, end, since);
}

/* Adds the pages [start, end) of a shared file in every process that maps them. */
void moved_in_file(void *arg, uint32_t file, uint64_t start, uint64_t end, uint64_t since)
{
	struct import *im = arg;

	for (uint32_t process = 1; process <= im->model.space.processes.n; process++) {
		const struct process_memory *memory =
			space_process(&im->model.space, process)->memory;
		uint64_t at = 0;
		uint32_t i;

		for (; memory && rangemap_ge(&memory->mappings, at, &at, &i); at++) {
			const struct mapping *m = &im->model.space.mappings.at[i];
			uint64_t from = start > m->pgoff ? start - m->pgoff : 0;
			uint64_t to = end > m->pgoff ? end - m->pgoff : 0;

			to = to < m->end - m->start ? to : m->end - m->start;
			if (m->file == file && from < to)
				add_moved(im, process, m->start + from, m->start + to, since);
		}
	}
}

static uint32_t process_of(const void *arg, uint32_t thread)
{
	const struct import *im = arg;

	return thread ? AT_ID(im->model.space.threads, thread).process : 0;
}

/* Sorts by process and address, because the writer searches the ranges in that order. */
static int by_place(const void *a, const void *b)
{
	const struct moved *x = a, *y = b;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* Handles all moved pages in one call, because each change of stored rows reads many rows of the
 * table `samples`. */
void moved_take_back(struct import *im)
{
	if (!im->model.moved.n)
		return;
	held_flush(im); /* only stored rows can be changed, so queued ones are written first */
	qsort(im->model.moved.at, im->model.moved.n, sizeof(*im->model.moved.at), by_place);
	writer_forget_homes(im->out.w, im->model.moved.at, im->model.moved.n, im->model.moved.until,
			    process_of, im);
	im->model.moved.n = 0;
}
