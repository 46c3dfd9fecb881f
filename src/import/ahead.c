/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the follower tells only afterwards: that a node has become full, and that the kernel has
 * made huge pages. Both may have happened at any time since its look before, so its log is read
 * twice, and what a look says counts from the look before it.
 */
#include "import/pipeline.h"

int ahead_read(struct import *im)
{
	struct fl_log *log;
	struct fl_record f;
	int ret = fl_open_path(im->follow_path, &log, im->err);

	while (!ret && (ret = fl_next(log, &f, im->err)) > 0) {
		ret = 0;
		if (f.kind != FL_FREE && f.kind != FL_COLLAPSE)
			continue;
		if (!VEC_ROOM(&im->ahead))
			ret = md_fail(im->err, MD_ENOMEM, "out of memory");
		else
			im->ahead.at[im->ahead.n++] = (struct told_later){
				.kind = f.kind,
				.since = f.kind == FL_FREE ? f.time : f.since,
				.time = f.time,
				.id = f.kind == FL_FREE ? f.node : f.pid,
				.bytes = f.bytes,
			};
	}
	fl_close(log);
	return ret;
}

uint64_t ahead_free(const struct import *im, uint32_t node, uint64_t time, uint64_t bytes)
{
	for (uint32_t i = im->ahead_at; i < im->ahead.n; i++) {
		const struct told_later *a = &im->ahead.at[i];

		if (a->kind == FL_FREE && a->id == node && a->time > time)
			return a->bytes < bytes ? a->bytes : bytes;
	}
	return bytes;
}

void ahead_reach(struct import *im, uint64_t time)
{
	for (; im->ahead_at < im->ahead.n; im->ahead_at++) {
		const struct told_later *a = &im->ahead.at[im->ahead_at];

		if (a->since > time)
			break;
		if (a->kind == FL_COLLAPSE)
			homes_collapsing(&im->homes,
					 space_process_of(&im->space, a->id, false, time), a->time);
	}
}
