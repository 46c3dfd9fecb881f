/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the moments of a log: readings of several clocks at the same time. The import uses them
 * to convert perf's times to CLOCK_MONOTONIC if perf used a different clock. */
#include "tracklog/internal.h"

#include <stdlib.h>

struct moments {
	struct tl_moment *at;
	uint32_t n, cap;
	bool tsc, nomem;
};

static void add_moment(struct moments *m, struct tl_moment moment)
{
	if (!tl_grow((void **)&m->at, &m->cap, m->n, sizeof(*m->at))) {
		m->nomem = true;
		return;
	}
	if (!m->tsc)
		moment.ticks = 0;
	m->at[m->n++] = moment;
}

static void add_track_moment(void *arg, const struct track_moment *m)
{
	add_moment(arg, (struct tl_moment){ .ticks = m->ticks,
					    .monotonic = m->monotonic_ns,
					    .monotonic_raw = m->raw_ns,
					    .boottime = m->boottime_ns,
					    .realtime = m->realtime_ns });
}

int tl_moments(const struct tl_log *l, struct tl_moment **out, uint32_t *n, struct md_err *err)
{
	struct moments m = { .tsc = l->tsc };

	*out = NULL;
	add_moment(&m, l->start);
	for (uint32_t i = 0; i < l->nchunks && !m.nomem; i++) {
		add_moment(&m, (struct tl_moment){ .ticks = l->chunks[i].ticks,
						   .monotonic = l->chunks[i].ns });
		tl_scan_pairs(&l->chunks[i], add_track_moment, &m);
	}
	if (m.nomem) {
		free(m.at);
		return md_nomem(err);
	}
	*out = m.at;
	*n = m.n;
	return 0;
}
