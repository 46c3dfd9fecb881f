/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads facts that the follower (the part of memdb record that observes the program from outside)
 * reports only afterwards: a node has become full, or the kernel has made huge pages. Both may have
 * happened at any time since the follower's previous observation. So the importer reads the
 * follower's log twice. The first pass (this file) applies each report at the time of that previous
 * observation. The second pass (follow.c) applies all other records at their own time. */
#include "import/ahead.h"

#include <stdlib.h>
#include <string.h>

#include "import/pipeline.h"

/* Keeps a report of a node's free memory or of huge pages. `since` is the time of the previous
 * observation: the reported fact may be true from then on. Skips other records, which follow_step()
 * reads later. */
static int note_event(struct import *im, const struct fl_record *f)
{
	const bool is_free = f->kind == FL_FREE;

	if (f->kind != FL_FREE && f->kind != FL_COLLAPSE)
		return 0;
	if (!VEC_ROOM(&im->in.ahead))
		return md_nomem(im->err);
	im->in.ahead.at[im->in.ahead.n++] =
		(struct told_later){ .kind = f->kind,
				     .since = is_free ? f->time : f->since,
				     .time = f->time,
				     .id = is_free ? f->node : f->pid,
				     .bytes = f->bytes };
	return 0;
}

/* Lowers each report of a node's free memory to the value of the node's next report, if that is
 * smaller: the node may have been filled right after the first of the two. Goes from the last
 * report to the first, because the next report must be known. */
static void look_ahead(struct import *im)
{
	memset(im->in.ahead.free_next, 0xff, sizeof(im->in.ahead.free_next));
	for (uint32_t i = im->in.ahead.n; i-- > 0;) {
		struct told_later *a = &im->in.ahead.at[i];
		uint64_t told = a->bytes;

		if (a->kind != FL_FREE || a->id >= NODES_MOST)
			continue;
		if (im->in.ahead.free_next[a->id] < told)
			a->bytes = im->in.ahead.free_next[a->id];
		im->in.ahead.free_next[a->id] = told;
	}
}

static int by_since(const void *a, const void *b)
{
	const struct told_later *x = a, *y = b;

	return x->since < y->since ? -1 : x->since > y->since;
}

/* Stores the follower's reports in im->in.ahead. There are few: one for each observation of
 * memory. */
int ahead_read(struct import *im)
{
	struct fl_log *log;
	struct fl_record f;
	int ret = fl_open_path(im->in.follow_path, &log, im->err);

	while (!ret && (ret = fl_next(log, &f, im->err)) > 0)
		ret = note_event(im, &f);
	fl_close(log);
	look_ahead(im);
	/* sort by `since`, which is not the order of the log */
	if (im->in.ahead.n)
		qsort(im->in.ahead.at, im->in.ahead.n, sizeof(*im->in.ahead.at), by_since);
	return ret;
}

/* `bytes` is the node's free memory according to its description. The node may have been filled
 * right after this description was written, so the value of the node's first report is used if it
 * is smaller. */
uint64_t ahead_free(const struct import *im, uint32_t node, uint64_t bytes)
{
	return node < NODES_MOST && im->in.ahead.free_next[node] < bytes
		       ? im->in.ahead.free_next[node]
		       : bytes;
}

/* Must be called with rising times, and before other events of the same time are applied to the
 * model: the home nodes of new pages depend on how much memory a node has free. */
void ahead_reach(struct import *im, uint64_t time)
{
	for (; im->in.ahead.next < im->in.ahead.n; im->in.ahead.next++) {
		const struct told_later *a = &im->in.ahead.at[im->in.ahead.next];

		if (a->since > time)
			break;
		if (a->kind == FL_FREE)
			topology_set_room(&im->model.topology, (int32_t)a->id, a->bytes);
		else
			homes_collapsing(&im->model.homes,
					 space_process_of(&im->model.space, a->id, false, time),
					 a->time);
	}
}
