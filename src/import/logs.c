/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the tracker's logs, merged by time. A log is kept open only while its process lives,
 * because a recording may have more logs than a process may have open files. */
#include "import/logs.h"

#include <stdio.h>
#include <string.h>

#include "import/images.h"
#include "import/losses.h"
#include "import/pipeline.h"

/* Returns the entry of a log in the heap tracks.next, where the log with the oldest next event is
 * first. If times are equal, the order of the logs in tracks.at decides. */
static struct heap_head head_of(uint32_t track, uint64_t time)
{
	return (struct heap_head){ time, track, track };
}

int tracks_advance(struct import *im, struct track *t)
{
	int ret = tl_next(t->log, &t->next, im->err);

	if (ret > 0) {
		t->next.address = import_untag(im, t->next.address);
		t->next.old_address = import_untag(im, t->next.old_address);
	}
	im->in.tracks.passed += tl_position(t->log) - t->passed;
	t->passed = tl_position(t->log);
	if (ret < 0)
		return ret;
	if (!ret) {
		t->losses = *tl_losses(t->log);
		tl_close(t->log);
		t->log = NULL;
		free(t->stacks.at);
		free(t->tids.at);
		t->stacks.at = NULL;
		t->tids.at = NULL;
		t->tids.n = t->tids.cap = 0;
		heap_remove(&im->in.tracks.next);
		return 0;
	}
	heap_replace(&im->in.tracks.next, head_of(im->in.tracks.next.at[0].source, t->next.time));
	return 0;
}

/* Opens a log. If it cannot be read, adds a row of losses and returns 0 with *log NULL. */
static int log_open(struct import *im, const char *name, struct tl_log **log)
{
	struct md_err why = { 0 };
	char *path;
	int ret;

	*log = NULL;
	if (asprintf(&path, "%s/%s", im->in.track_dir, name) < 0)
		return md_nomem(im->err);
	ret = tl_open_path(path, log, &why);
	free(path);
	if (ret == MD_ENOMEM)
		return md_fail(im->err, MD_ENOMEM, "%s", why.msg);
	if (ret)
		import_damage(im, "tracker", "unreadable log", 1, why.msg);
	return 0;
}

/* Adds a log. Opens the log to get its start time, then closes it until the merge of all events
 * reaches that time. */
static int track_add(struct import *im, const char *name)
{
	struct tl_log *log;
	struct track *t;
	uint32_t every;
	int ret = log_open(im, name, &log);

	if (ret || !log)
		return ret;
	if (!VEC_ROOM(&im->in.tracks) || !VEC_ROOM(&im->in.tracks.next)) {
		tl_close(log);
		return md_nomem(im->err);
	}
	t = &im->in.tracks.at[im->in.tracks.n];
	*t = (struct track){ .start_ns = tl_info(log)->start_ns,
			     .slot = tl_info(log)->slot,
			     .name = strdup(name) };
	im->in.tracks.bytes += tl_size(log);
	if (!im->in.follow.log && tl_info(log)->page_bytes)
		im->model.topology.page_bytes = tl_info(log)->page_bytes;
	every = tl_info(log)->sample_every;
	if (im->in.recording.thinned.blocks > 1 && im->in.recording.thinned.blocks > every)
		every = (uint32_t)im->in.recording.thinned.blocks;
	if (every) {
		im->in.tracks.sample_every = every;
		im->in.tracks.sample_bytes = tl_info(log)->sample_bytes;
	}
	tl_close(log);
	if (!t->name)
		return md_nomem(im->err);
	im->in.tracks.next.at[im->in.tracks.next.n++] = head_of(im->in.tracks.n++, t->start_ns);
	return images_log(im, im->in.tracks.n) ? 0 : md_nomem(im->err);
}

/* Opens a log only when its first event is due: a script may leave ten thousand logs, more files
 * than a process may have open. */
int tracks_oldest(struct import *im, struct track **oldest)
{
	int ret = 0;

	*oldest = NULL;
	while (!ret && im->in.tracks.next.n) {
		struct track *t = &im->in.tracks.at[im->in.tracks.next.at[0].source];

		if (t->log) {
			*oldest = t;
			return 0;
		}
		ret = log_open(im, t->name, &t->log);
		if (!ret && t->log)
			ret = tracks_advance(im, t);
		else if (!ret)
			heap_remove(&im->in.tracks.next);
	}
	return ret;
}

/* Adds all logs. If there is no folder of logs, the tracker was not used, which is not an error. */
int tracks_open(struct import *im)
{
	struct md_err why = { 0 };
	struct tl_names names;
	int ret;

	if (!im->in.track_dir)
		return 0;
	ret = tl_names(im->in.track_dir, &names, &why);
	if (ret == MD_EIO && !im->o->track_dir)
		return 0;
	if (ret)
		return md_fail(im->err, ret, "%s", why.msg);
	im->in.tracks.files = names.n;
	im->in.tracks.missing_bytes = names.missing;
	for (uint32_t i = 0; i < names.n && !ret; i++)
		ret = track_add(im, names.at[i]);
	tl_names_release(&names);
	heap_build(&im->in.tracks.next);
	return ret;
}

/* Empties the list of logs, so a second call does nothing. */
void tracks_close(struct import *im)
{
	struct tracks *t = &im->in.tracks;

	for (uint32_t i = 0; i < t->n; i++) {
		tl_close(t->at[i].log);
		free(t->at[i].name);
		free(t->at[i].stacks.at);
		free(t->at[i].tids.at);
	}
	free(t->shown.at);
	t->shown.at = NULL;
	t->shown.n = t->shown.cap = 0;
	free(t->at);
	t->at = NULL;
	t->n = t->cap = 0;
	t->bytes = t->passed = 0;
	free(t->next.at);
	t->next = (struct heap){ 0 };
	index_release(&t->index);
	strings_release(&t->gone);
}
