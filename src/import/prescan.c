/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads facts that the follower (the part of memdb record that observes the program from outside)
 * reports only afterwards: the kernel has placed pages on other nodes because a node was full, or
 * it has made huge pages. Both may have happened at any time since the follower's previous
 * observation. So the importer reads the follower's log twice. The first pass (this file) collects
 * these reports, and each is applied at the time of that previous observation. The second pass
 * (follow.c) applies all other records at their own time. */
#include "import/prescan.h"

#include <stdbool.h>
#include <stdlib.h>

#include "import/pipeline.h"

/* Stores a report of pages on other nodes or of huge pages. Skips other records, which
 * follow_step() reads later. */
static int note_event(struct import *im, const struct fl_record *f)
{
	const bool is_foreign = f->kind == FL_FOREIGN;

	if (!is_foreign && f->kind != FL_COLLAPSE)
		return 0;
	if (!VEC_ROOM(&im->in.ahead))
		return md_nomem(im->err);
	im->in.ahead.at[im->in.ahead.n++] =
		(struct told_later){ .kind = f->kind,
				     .since = is_foreign ? f->time : f->since,
				     .until = f->took < UINT64_MAX - f->time ? f->time + f->took
									     : UINT64_MAX,
				     .id = is_foreign ? f->node : f->pid,
				     .pages = f->pages };
	return 0;
}

/* Sets `until` of each report on a node: the time until which the kernel may have placed the node's
 * pages on other nodes. If the node's next report has a different number of such pages, `until` is
 * the end of the observation that made this next report. If the number is the same, `until` is 0
 * (never). In the node's last report, `until` is UINT64_MAX (for ever). Goes from the last report
 * to the first, because each one needs the next. Returns 0 or MD_ENOMEM. */
static int look_ahead(struct import *im)
{
	struct next {
		bool is;
		uint64_t pages, until;
	} *next = calloc(NODES_MOST, sizeof(*next));

	if (!next)
		return md_nomem(im->err);
	for (uint32_t i = im->in.ahead.n; i-- > 0;) {
		struct told_later *a = &im->in.ahead.at[i];
		const uint64_t until = a->until;

		if (a->kind != FL_FOREIGN || a->id >= NODES_MOST)
			continue;
		if (!next[a->id].is)
			a->until = UINT64_MAX;
		else
			a->until = next[a->id].pages == a->pages ? 0 : next[a->id].until;
		next[a->id].is = true;
		next[a->id].pages = a->pages;
		next[a->id].until = until;
	}
	free(next);
	return 0;
}

static int by_since(const void *a, const void *b)
{
	const struct told_later *x = a, *y = b;

	return x->since < y->since ? -1 : x->since > y->since;
}

/* Stores the follower's reports in im->in.ahead. */
int ahead_read(struct import *im)
{
	struct fl_log *log;
	struct fl_record f;
	int ret = fl_open_path(im->in.follow_path, &log, im->err);

	while (!ret && (ret = fl_next(log, &f, im->err)) > 0)
		ret = note_event(im, &f);
	fl_close(log);
	if (!ret)
		ret = look_ahead(im);
	/* sort by `since`, which is not the order of the log */
	if (im->in.ahead.n)
		qsort(im->in.ahead.at, im->in.ahead.n, sizeof(*im->in.ahead.at), by_since);
	return ret;
}

uint64_t ahead_time(const struct import *im)
{
	const struct ahead *a = &im->in.ahead;

	return a->next < a->n ? a->at[a->next].since : UINT64_MAX;
}

void ahead_step(struct import *im)
{
	const struct told_later *a = &im->in.ahead.at[im->in.ahead.next++];

	if (a->kind == FL_FOREIGN)
		topology_observed(&im->model.topology, (int32_t)a->id, a->until);
	else
		homes_collapsing(&im->model.homes,
				 a->id ? space_process_of(&im->model.space, a->id, false, a->since)
				       : 0,
				 a->until);
}
