/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file stays readable at any time: one call writes the 8-byte header of the record that
 * replaces a run of samples. After that, the rest of the run is freed as a hole. */
#include "record/thin.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	WINDOW = 1 << 20,
	/* PERF_RECORD_HEADER_EVENT_TYPE: perf no longer writes such records, and ignores them */
	RECORD_GAP = 65,
	RECORD_AUXTRACE = 71,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
	GAP_MOST = 65528, /* the largest multiple of 8 that fits the 16-bit size of a record */
};

/* The part of perf.data's header up to the section of the records. */
struct head {
	char magic[8];
	uint64_t size, attr_size, attrs[2], data_offset, data_bytes;
};

struct walk {
	struct thin *t;
	uint64_t end;   /* offset of the end of the records */
	uint8_t *bytes; /* n bytes of the file, from offset `from` on */
	uint64_t from;
	size_t n;
	uint64_t gap;     /* offset of the run of samples to remove */
	size_t gap_bytes; /* size of the run; 0 means none */
	unsigned records; /* number of records in the run */
};

static int io_error(struct md_err *err)
{
	return md_fail_errno(err, MD_EIO, "cannot thin the samples");
}

/* Finds where the records begin and end. perf writes their size into the header only when it ends.
 * Before that the size is 0, and the records end at the end of the file. */
static int read_head(struct thin *t, uint64_t *start, uint64_t *end, struct md_err *err)
{
	struct head h;
	struct stat st;

	if (pread(t->fd, &h, sizeof(h), 0) != sizeof(h) || fstat(t->fd, &st))
		return io_error(err);
	if (memcmp(h.magic, "PERFILE2", sizeof(h.magic)) || h.size < sizeof(h) ||
	    h.data_offset > (uint64_t)st.st_size ||
	    h.data_bytes > (uint64_t)st.st_size - h.data_offset)
		return md_fail(err, MD_ENOTSUP, "cannot thin the samples: not a perf.data file");
	*start = h.data_offset;
	*end = h.data_bytes ? h.data_offset + h.data_bytes : (uint64_t)st.st_size;
	return 0;
}

/* Gets the header of the record at `at`. Returns 1; 0 if the records end before this record does,
 * or if its header is damaged; or MD_EIO. */
static int get_header(struct walk *w, uint64_t at, struct perf_event_header *h, struct md_err *err)
{
	if (at < w->from || at + sizeof(*h) > w->from + w->n) {
		const ssize_t n = pread(w->t->fd, w->bytes, WINDOW, (off_t)at);

		if (n < 0)
			return io_error(err);
		w->from = at;
		w->n = (size_t)n;
	}
	if (w->n < sizeof(*h) || at - w->from > w->n - sizeof(*h))
		return 0;
	memcpy(h, w->bytes + (at - w->from), sizeof(*h));
	return h->size >= sizeof(*h) && h->size % 8 == 0 && at <= w->end && h->size <= w->end - at;
}

/* Replaces the run of samples with one record, and frees the disk space of the run. */
static int remove_run(struct walk *w, struct md_err *err)
{
	const struct perf_event_header gap = { .type = RECORD_GAP, .size = (uint16_t)w->gap_bytes };
	const off_t body = (off_t)(w->gap + sizeof(gap));
	const size_t n = w->gap_bytes;
	struct perf_event_header old;

	w->gap_bytes = 0;
	if (!n || (w->records == 1 && pread(w->t->fd, &old, sizeof(old), (off_t)w->gap) > 0 &&
		   old.type == RECORD_GAP))
		return 0;
	w->records = 0;
	if (pwrite(w->t->fd, &gap, sizeof(gap), (off_t)w->gap) != sizeof(gap))
		return io_error(err);
	if (n > sizeof(gap) && fallocate(w->t->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, body,
					 (off_t)(n - sizeof(gap))))
		return io_error(err);
	return 0;
}

/* Returns which of the two halves of a pair is kept: 0 or 1. The choice is as good as random, but
 * the same each time. `pair` is the number of the pair. A half consists of 2^`bits` clusters. */
static unsigned kept_half(uint64_t pair, unsigned bits)
{
	uint64_t h = (pair * 64 + bits + 1) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	return (unsigned)(h >> 63);
}

/* Is the record at `at` kept? Of every two neighbouring clusters one is kept, chosen at random; of
 * every two clusters that were kept, again one, and so on, until one of N clusters is left. If
 * instead every Nth cluster were kept, a program that repeats itself every N clusters would always
 * be seen in the same state. */
static bool is_kept(const struct walk *w, uint64_t at)
{
	const uint64_t cluster = at / THIN_CLUSTER;

	for (unsigned k = 0; w->t->every >> k > 1; k++)
		if ((cluster >> k & 1) != kept_half(cluster >> (k + 1), k))
			return false;
	return true;
}

/* Adds the record at `at` to the run of samples to remove, or ends the run. */
static int see_record(struct walk *w, uint64_t at, const struct perf_event_header *h,
		      struct md_err *err)
{
	const bool goes =
		(h->type == PERF_RECORD_SAMPLE || h->type == RECORD_GAP) && !is_kept(w, at);
	int ret = 0;

	if (h->type == RECORD_AUXTRACE || h->type == RECORD_COMPRESSED ||
	    h->type == RECORD_COMPRESSED2)
		return md_fail(err, MD_ENOTSUP,
			       "cannot thin the samples: perf.data has other records than samples");
	if (!goes || w->gap_bytes + h->size > GAP_MOST)
		ret = remove_run(w, err);
	if (ret || !goes)
		return ret;
	if (!w->gap_bytes) {
		w->gap = at;
		w->records = 0;
	}
	w->gap_bytes += h->size;
	w->records++;
	w->t->removed += h->type == PERF_RECORD_SAMPLE;
	return 0;
}

/* Can the file have holes? Tries to punch one after the end of the file, where no data can be lost.
 */
static int check_holes(const struct thin *t, uint64_t end, struct md_err *err)
{
	const int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;

	return fallocate(t->fd, mode, (off_t)(end + WINDOW), WINDOW) ? io_error(err) : 0;
}

/* Thins the records from t->at on. */
static int thin_rest(struct walk *w, struct md_err *err)
{
	struct perf_event_header h;
	int ret;

	while ((ret = get_header(w, w->t->at, &h, err)) > 0) {
		ret = see_record(w, w->t->at, &h, err);
		if (ret)
			return ret;
		w->t->at += h.size;
	}
	return ret ? ret : remove_run(w, err);
}

int thin_samples(struct thin *t, uint64_t every, struct md_err *err)
{
	const uint64_t before = t->every;
	struct walk w = { .t = t };
	uint64_t start = 0;
	int ret = read_head(t, &start, &w.end, err);

	if (ret || every < 2)
		return ret;
	ret = check_holes(t, w.end, err);
	if (ret)
		return ret;
	w.bytes = malloc(WINDOW);
	if (!w.bytes)
		return md_nomem(err);
	if (every > t->every || t->at < start)
		t->at = start;
	t->every = every;
	ret = thin_rest(&w, err);
	if (ret)
		t->every = before;
	free(w.bytes);
	return ret;
}
