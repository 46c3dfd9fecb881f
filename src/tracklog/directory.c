/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the chunks of a log and groups them into streams (a stream has the records of one thread at
 * a time). A log has up to three parts: its slot in the file that all logs share, blocks of that
 * file, and a file of its own. The chunks of a stream may be in several parts, so they are sorted
 * here. */
#include "tracklog/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool tl_grow(void **array, uint32_t *cap, uint32_t used, size_t size)
{
	uint32_t to = *cap ? *cap * 2 : 64;
	void *p;

	if (used < *cap)
		return true;
	if (to <= *cap)
		return false;
	p = realloc(*array, (size_t)to * size);
	if (!p)
		return false;
	*array = p;
	*cap = to;
	return true;
}

/* Finds in which part of the log the byte `at` is. Returns its offset in that part, for messages.
 * Sets *in to words that name the part; "" means the log's own file. */
static uint64_t place_of(const struct tl_log *l, const uint8_t *at, const char **in)
{
	const struct tl_parts *p = &l->parts;

	*in = "";
	if (p->slot && (size_t)(at - p->slot) < TRACK_SLOT) {
		*in = " of its slot";
		return (uint64_t)(at - p->slot);
	}
	for (unsigned i = 0; i < p->nblocks; i++)
		if ((size_t)(at - p->blocks[i].bytes) < p->blocks[i].len) {
			*in = " of " TRACK_SHARED;
			return p->blocks[i].offset + (uint64_t)(at - p->blocks[i].bytes);
		}
	return (uint64_t)(at - l->buf);
}

void tl_damage(struct tl_log *l, uint64_t bytes, const uint8_t *at, const char *what)
{
	const char *in;
	uint64_t place;

	if (!l->losses.damaged_bytes && bytes) {
		place = place_of(l, at, &in);
		snprintf(l->losses.what, sizeof(l->losses.what), "%s at byte %" PRIu64 "%s", what,
			 place, in);
	}
	l->losses.damaged_bytes += bytes;
}

/* Reads the header of a chunk. Returns false if the chunk is unused, is shorter than a header, or
 * has a damaged header; only the damage is counted. */
static bool read_chunk(struct tl_log *l, const uint8_t *bytes, size_t size, struct chunk *out)
{
	struct track_chunk h;

	if (size < sizeof(h))
		return false;
	memcpy(&h, bytes, sizeof(h));
	if (h.magic != TRACK_CHUNK_MAGIC || h.cookie != l->cookie) {
		if (h.magic)
			tl_damage(l, size, bytes, "not a chunk");
		return false;
	}
	*out = (struct chunk){ bytes, size, h.ticks, h.ns, h.stream, h.sequence, h.tid };
	tl_clock_pair(l, h.ticks, h.ns);
	return true;
}

static int by_stream(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;

	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* Makes one stream for each stream number. l->chunks is sorted by stream number, so the chunks of a
 * stream are a range of this array. Returns 0 or MD_ENOMEM. */
static int make_streams(struct tl_log *l, struct md_err *err)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->nchunks; i++)
		n += !i || l->chunks[i].stream != l->chunks[i - 1].stream;
	l->streams = calloc(n ? n : 1, sizeof(*l->streams));
	l->heap.at = calloc(n ? n : 1, sizeof(*l->heap.at));
	if (!l->streams || !l->heap.at)
		return md_nomem(err);
	for (uint32_t i = 0; i < l->nchunks; i++) {
		struct stream *s;

		if (!i || l->chunks[i].stream != l->chunks[i - 1].stream) {
			s = &l->streams[l->nstreams++];
			s->id = l->chunks[i].stream;
			s->chunk = i;
			s->c = cursor_make(l->buf, 0, false);
		}
		l->streams[l->nstreams - 1].chunk_end = i + 1;
	}
	return 0;
}

/* Returns the offset, at or after `at`, of the first chunk that does not begin in a hole of the
 * file. Holes must not be read: on a full tmpfs even reading a hole needs a page. */
static uint64_t skip_holes(int fd, uint64_t at, uint64_t len)
{
	while (fd >= 0 && at < len) {
		off_t data = lseek(fd, (off_t)at, SEEK_DATA);

		if (data < 0)
			return errno == ENXIO ? len : at; /* ENXIO means that no data follow */
		if ((uint64_t)data == at)
			break;
		at = ((uint64_t)data + TRACK_CHUNK - 1) / TRACK_CHUNK * TRACK_CHUNK;
	}
	return at;
}

/* If bytes[0..size) begin with a chunk, appends it to l->chunks. Returns false when out of
 * memory. */
static bool add_chunk(struct tl_log *l, const uint8_t *bytes, size_t size)
{
	struct chunk c;

	if (!read_chunk(l, bytes, size, &c))
		return true;
	if (!tl_grow((void **)&l->chunks, &l->cap_chunks, l->nchunks, sizeof(*l->chunks)))
		return false;
	l->chunks[l->nchunks++] = c;
	return true;
}

/* Appends the chunks in bytes[0..len) to l->chunks. The bytes are at `offset` in the file fd.
 * Returns false when out of memory. */
static bool add_chunks(struct tl_log *l, int fd, uint64_t offset, const uint8_t *bytes, size_t len)
{
	bool ok = true;

	for (uint64_t at = 0; ok && at < len; at += TRACK_CHUNK) {
		at = skip_holes(fd, offset + at, offset + len) - offset;
		if (at < len)
			ok = add_chunk(l, bytes + at,
				       len - at < TRACK_CHUNK ? len - at : TRACK_CHUNK);
	}
	return ok;
}

int tl_directory(struct tl_log *l, int fd, struct md_err *err)
{
	const struct tl_parts *p = &l->parts;
	const size_t head = TRACK_SLOT_HEADER;
	bool ok = !p->slot || add_chunk(l, p->slot + head, TRACK_SLOT - head);

	for (unsigned i = 0; i < p->nblocks && ok; i++)
		ok = add_chunks(l, p->fd, p->blocks[i].offset, p->blocks[i].bytes,
				p->blocks[i].len);
	if (l->len > TRACK_CHUNK)
		ok = ok &&
		     add_chunks(l, fd, TRACK_CHUNK, l->buf + TRACK_CHUNK, l->len - TRACK_CHUNK);
	if (!ok)
		return md_nomem(err);
	if (l->nchunks)
		qsort(l->chunks, l->nchunks, sizeof(*l->chunks), by_stream);
	return make_streams(l, err);
}
