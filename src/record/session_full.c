/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the capture below --max-size. Ten times a second, memdb computes the disk space of the
 * capture. When it reaches BYTES, the recording ends and the program continues.
 *
 * With BYTES:all, the recording becomes sparser before that, so that it covers the entire run of
 * the program:
 * - Allocations, frees and page faults cannot be removed once they are recorded: an allocation and
 *   its free belong together, and page faults are compressed. So, when their files reach a quarter
 *   of BYTES, only one in 4 small blocks and page faults is recorded; one sixteenth of BYTES later
 *   one in 16, then one in 64, and so on. So these files grow ever more slowly: if they need a
 *   time T for the first quarter of BYTES, they reach nine sixteenths only after more than 300 T. A
 *   recorded block says how many blocks it represents; omitted page faults are counted.
 * - Samples can be removed again (thin.h). Whenever the capture reaches seven eighths of BYTES,
 *   half of all samples are removed, repeatedly, until the capture takes less than three quarters
 *   of BYTES or perf.data less than a sixteenth, or until this hardly helps any more. All samples
 *   that are left represent the same number of samples.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/session.h"

enum { MOST_EVERY = 1 << 14 };

void session_end_faults(struct session *s)
{
	struct md_err err;

	if (faults_stop(s->faults, &s->faults_missing, &err))
		session_warn(s, "%s", err.msg);
	if (s->faults_fd >= 0)
		close(s->faults_fd);
	s->faults = NULL;
	s->faults_fd = -1;
}

void session_end_follower(void *arg)
{
	struct session *s = arg;

	ticker_stop(s->ticker);
	s->ticker = NULL;
	follow_stop(s->follow, &s->follow_stats);
	s->follow = NULL;
}

/* Opens perf.data for thinning at the first call. Returns false if its samples cannot be
 * thinned. */
static bool open_samples(struct session *s)
{
	if (!s->thin.fd)
		s->thin.fd = sampler_run(s->plan.sampler) == RUN_PERF && !s->plan.inject
				     ? capture_open(&s->capture, "perf.data", O_RDWR)
				     : -1;
	return s->thin.fd > 0;
}

static void thin_samples_of(struct session *s, uint64_t every)
{
	struct md_err err;

	if (!open_samples(s) || !thin_samples(&s->thin, every, &err))
		return;
	session_warn(s, "%s", err.msg);
	close(s->thin.fd);
	s->thin.fd = -1;
}

void session_end_thinning(struct session *s)
{
	if (s->thin.every > 1)
		thin_samples_of(s, s->thin.every);
	if (s->thin.fd > 0)
		close(s->thin.fd);
	s->thin.fd = 0;
}

static uint64_t bytes_of_capture(const struct session *s)
{
	return capture_bytes(s->capture.fd, ".") + capture_bytes(s->capture.fd, "track");
}

static uint64_t bytes_of_file(const struct session *s, const char *name)
{
	struct stat st;

	return fstatat(s->capture.fd, name, &st, AT_SYMLINK_NOFOLLOW)
		       ? 0
		       : (uint64_t)st.st_blocks * 512;
}

/* Reduces how many small blocks and page faults are recorded, depending on the size of their
 * files. */
static void thin_logs(struct session *s)
{
	const uint64_t bytes =
		capture_bytes(s->capture.fd, "track") + bytes_of_file(s, FAULTS_FILE);
	const uint64_t first = s->o->max_bytes / 4, step = s->o->max_bytes / 16 + 1;
	uint64_t every = 1;
	struct md_err err;

	for (uint64_t at = first; at <= bytes && every < MOST_EVERY; at += step)
		every *= 4;
	if (every <= s->thin_every || every == 1)
		return;
	s->thin_every = every;
	faults_thin(s->faults, every);
	if (capture_thin_logs(&s->capture, every, &err))
		session_warn(s, "%s", err.msg);
}

/* Writes to capture.json what was thinned so far, in case memdb is killed. */
static void save_thinning(struct session *s)
{
	struct md_err err;

	if (session_write_json(s, &err))
		session_warn(s, "%s", err.msg);
}

/* Makes room by thinning. Returns the bytes that the capture then takes on disk. */
static uint64_t make_room(struct session *s, uint64_t bytes)
{
	const uint64_t most = s->o->max_bytes;

	thin_logs(s);
	if (bytes < most / 8 * 7 || !open_samples(s))
		return bytes;
	if (s->thin.every > 1)
		thin_samples_of(s, s->thin.every);
	for (;;) {
		const uint64_t samples = bytes_of_file(s, "perf.data");

		bytes = bytes_of_capture(s);
		if (bytes < most / 4 * 3 || samples < most / 16 || s->thin.every >= THIN_MOST ||
		    s->thin_is_useless || !open_samples(s))
			return bytes;
		thin_samples_of(s, s->thin.every > 1 ? s->thin.every * 2 : 2);
		s->thin_is_useless = bytes_of_file(s, "perf.data") > samples / 8 * 7;
		save_thinning(s);
	}
}

bool session_is_full(void *arg)
{
	struct session *s = arg;
	uint64_t bytes = bytes_of_capture(s);
	struct md_err err;

	if (s->o->keep_all)
		bytes = make_room(s, bytes);
	if (bytes < s->o->max_bytes)
		return false;
	session_read_clocks(s->full);
	if (capture_close_logs(&s->capture, &err))
		session_warn(s, "%s", err.msg);
	session_end_faults(s);
	session_end_follower(s);
	session_warn(s,
		     "the capture takes %.0f MB after %.1f s: it ends here (--max-size), and the "
		     "program runs on",
		     (double)bytes / 1e6, (double)(s->full[0] - s->start[0]) / 1e9);
	return true;
}
