/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shows a progress line on the terminal during the recording: how much has been written so far.
 * Samples are counted by reading the headers of new records. The bytes are the disk space of all
 * files. */
#include "record/ticker.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "record/births.h"
#include "record/capture.h"
#include "record/status_line.h"

enum {
	/* position of the field in perf.data's header that contains the offset of the first
	 * record */
	DATA_OFFSET = 40,
	/* maximum number of bytes of perf.data that are read per second, so that the ticker does
	 * not slow the recording */
	MOST_READ = 64 << 20,
};

struct ticker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool stop;
	int dir_fd;
	struct status_line line;
	struct births *births; /* NULL: out of memory, no allocations are counted */
	uint64_t start;        /* when the recording began, ns */
	uint64_t samples;      /* samples in perf.data before the offset `at` */
	/* offset of the next record to read; 0 means that perf.data has no header yet */
	uint64_t at;
};

/* Counts the samples that were appended to perf.data since the last call. Stops at a record that is
 * not complete yet. */
static void count_samples(struct ticker *t)
{
	int fd = openat(t->dir_fd, "perf.data", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	uint64_t end = t->at + MOST_READ;
	struct perf_event_header h;
	struct stat st;
	FILE *f = fd >= 0 ? fdopen(fd, "re") : NULL;

	if (!f) {
		if (fd >= 0)
			close(fd);
		return;
	}
	if (!t->at && pread(fd, &t->at, sizeof(t->at), DATA_OFFSET) != sizeof(t->at))
		t->at = 0;
	if (fstat(fd, &st) || !t->at || fseeko(f, (off_t)t->at, SEEK_SET))
		st.st_size = 0;
	while (t->at < end && t->at + sizeof(h) <= (uint64_t)st.st_size &&
	       fread(&h, sizeof(h), 1, f) == 1 && h.size >= sizeof(h) &&
	       t->at + h.size <= (uint64_t)st.st_size) {
		t->samples += h.type == PERF_RECORD_SAMPLE;
		t->at += h.size;
		if (fseeko(f, h.size - (off_t)sizeof(h), SEEK_CUR))
			break;
	}
	fclose(f);
}

/* Shows the progress line. It counts only the samples that perf has already written; perf writes
 * when one of its buffers is half full. */
static void show_status(struct ticker *t)
{
	uint64_t bytes = capture_bytes(t->dir_fd, "track") + capture_bytes(t->dir_fd, "."), births;
	bool all = true;
	double seconds = (double)(monotonic_ns() - t->start) * 1e-9;
	char allocations[48] = "", line[160];

	count_samples(t);
	births = t->births ? births_count(t->births, t->dir_fd, &all) : 0;
	if (births)
		snprintf(allocations, sizeof(allocations), "%s%" PRIu64 " allocations, ",
			 all ? "" : "more than ", births);
	snprintf(line, sizeof(line), "recording: %.0f s, %" PRIu64 " samples written%s, %s%.1f MiB",
		 seconds, t->samples, t->samples ? "" : " yet", allocations,
		 (double)bytes / (1 << 20));
	status_line_show(&t->line, line);
}

/* Sleeps until `when` or until ticker_stop() is called. Returns false after ticker_stop(). */
static bool pause_until(struct ticker *t, uint64_t when)
{
	struct timespec at = { .tv_sec = (time_t)(when / 1000000000u),
			       .tv_nsec = (long)(when % 1000000000u) };
	bool stop;
	int ret = 0;

	pthread_mutex_lock(&t->lock);
	while (!t->stop && !ret)
		ret = pthread_cond_timedwait(&t->wake, &t->lock, &at);
	stop = t->stop;
	pthread_mutex_unlock(&t->lock);
	return !stop;
}

/* The thread's function: shows the line once a second. */
static void *ticker_loop(void *arg)
{
	struct ticker *t = arg;

	for (uint64_t n = 1; pause_until(t, t->start + n * 1000000000u); n++)
		show_status(t);
	return NULL;
}

struct ticker *ticker_start(int dir_fd)
{
	struct ticker *t = status_line_works() ? calloc(1, sizeof(*t)) : NULL;
	pthread_condattr_t attr;
	sigset_t all, old;
	int ret;

	if (!t)
		return NULL;
	t->dir_fd = dir_fd;
	t->start = monotonic_ns();
	t->births = births_new();
	pthread_mutex_init(&t->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->wake, &attr);
	pthread_condattr_destroy(&attr);
	/* also SIGTTOU, which would stop memdb when it writes to the terminal from the
	 * background */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ret = pthread_create(&t->thread, NULL, ticker_loop, t);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ret) {
		births_free(t->births);
		free(t);
		return NULL;
	}
	return t;
}

void ticker_stop(struct ticker *t)
{
	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->stop = true;
	pthread_cond_signal(&t->wake);
	pthread_mutex_unlock(&t->lock);
	pthread_join(t->thread, NULL);
	status_line_end(&t->line);
	births_free(t->births);
	free(t);
}
