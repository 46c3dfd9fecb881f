/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts ticks of the time-stamp counter to CLOCK_MONOTONIC. A log contains pairs (ticks,
 * CLOCK_MONOTONIC): one at the start of each chunk, and in a busy stream one about every 10 ms. The
 * time of an event is the time of the last pair before it, plus the ticks since then, converted at
 * the mean rate of the log. The rate of the system's clock relative to the counter varies by a few
 * millionths, so after 10 ms the error is below 0.1 µs.
 */
#include "tracklog/internal.h"

/* Maximum number of chunks that are searched for pairs when the log is opened. */
enum { SCAN_MOST = 64 };

/* Handles a pair (ticks, ns) that was read from a chunk. While the log is being opened, stores the
 * latest pair, from which tl_clock_init() computes the rate of the counter. Later, tl_clock_ns()
 * counts from this pair. */
void tl_clock_pair(struct tl_log *l, uint64_t ticks, uint64_t ns)
{
	double rate;

	if (!l->tsc)
		return;
	if (!l->started) {
		if (ticks > l->far_ticks && ns > l->far_ns) {
			l->far_ticks = ticks;
			l->far_ns = ns;
		}
		return;
	}
	if (ticks <= l->pair_ticks)
		return;
	/* a pair with an impossible rate is damaged, and is ignored */
	rate = (double)(int64_t)(ns - l->pair_ns) / (double)(ticks - l->pair_ticks);
	if (rate < 0.5 * l->ns_per_tick || rate > 2 * l->ns_per_tick)
		return;
	l->pair_ticks = ticks;
	l->pair_ns = ns;
}

/* Reads the times of a record TRACK_PAIR. A clock that the record lacks is set to 0, which means
 * unknown. */
static struct track_moment read_moment(struct cursor c)
{
	struct track_moment m;

	m.ticks = cursor_u64(&c);
	m.monotonic_ns = cursor_u64(&c);
	m.raw_ns = cursor_u64(&c);
	m.boottime_ns = cursor_u64(&c);
	m.realtime_ns = cursor_u64(&c);
	return m;
}

void tl_scan_pairs(const struct chunk *chunk, tl_pair_fn *take, void *arg)
{
	struct cursor c = chunk_records(chunk);
	struct track_moment m;

	while (cursor_left(&c) >= 8) {
		uint64_t word = cursor_u64(&c), words = TRACK_GET(LONG_WORDS, word);

		if (TRACK_TYPE(word) != TRACK_LONG || words < 1 ||
		    (words - 1) * 8 > cursor_left(&c))
			continue;
		m = read_moment(cursor_make(c.p, (words - 1) * 8, false));
		cursor_skip(&c, (words - 1) * 8);
		if (TRACK_GET(LONG_KIND, word) == TRACK_PAIR && word & TRACK_LONG_COMPLETE)
			take(arg, &m);
	}
}

static void take_pair(void *log, const struct track_moment *m)
{
	tl_clock_pair(log, m->ticks, m->monotonic_ns);
}

void tl_clock_init(struct tl_log *l)
{
	double rate = 0;

	/* Looks for pairs inside the last chunk of each stream, because the pairs in the headers of
	 * chunks may be close together: in a short or quiet program each stream has only one chunk.
	 */
	for (uint32_t i = 0; i < l->nstreams && i < SCAN_MOST && l->tsc; i++)
		tl_scan_pairs(&l->chunks[l->streams[i].chunk_end - 1], take_pair, l);
	if (l->far_ticks > l->pair_ticks && l->far_ns > l->pair_ns)
		rate = (double)(l->far_ns - l->pair_ns) / (double)(l->far_ticks - l->pair_ticks);
	else if (l->tick_khz)
		rate = 1e6 / (double)l->tick_khz;
	/* A counter runs at 1 MHz to 100 GHz; any other rate shows that the log is damaged. */
	l->ns_per_tick = rate >= 0.01 && rate <= 1000 ? rate : 1;
}

uint64_t tl_clock_ns(struct tl_log *l, uint64_t ticks)
{
	double since;
	uint64_t ns;

	if (!l->tsc)
		return ticks;
	since = (double)(int64_t)(ticks - l->pair_ticks) * l->ns_per_tick;
	if (since > 1e18 || since < -1e18) /* the log is damaged: no program runs that long */
		since = 0;
	ns = l->pair_ns + (uint64_t)(int64_t)since;
	if (ns < l->last_ns)
		ns = l->last_ns;
	l->last_ns = ns;
	return ns;
}
