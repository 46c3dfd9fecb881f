/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads everything except the data section: the file header, the attributes, the table of features.
 */
#include <inttypes.h>

#include "perfdata/internal.h"

enum {
	PIPE_HEADER_BYTES = 16,
	OLD_HEADER_BYTES = 72, /* size of a header without the bitmap of features */
	HEADER_BYTES = 104,
	SECTION_BYTES = 16,
	FEATURE_BITS = 256,
	HEADER_BUILD_ID = 2,
	HEADER_HOSTNAME = 3,
};

struct section {
	uint64_t offset, size;
};

struct header {
	uint64_t size, attr_size;
	struct section attrs, data;
	bool features[FEATURE_BITS];
};

static struct section read_section(struct cursor *c)
{
	struct section s;

	s.offset = cursor_u64(c);
	s.size = cursor_u64(c);
	return s;
}

static struct cursor file_cursor(const struct pd_file *f)
{
	return cursor_make(f->image, f->len, f->swap);
}

static struct cursor section_cursor(const struct pd_file *f, struct section s)
{
	struct cursor c = file_cursor(f);

	return cursor_range(&c, f->image, s.offset, s.size);
}

/* Reads the bitmap of features. It is an array of `unsigned long`, which has word_bytes bytes on
 * the recording machine. If the file has the other byte order, the positions of the bits depend on
 * word_bytes. */
static void read_bitmap(struct header *h, struct cursor c, unsigned word_bytes)
{
	for (unsigned bit = 0; bit < FEATURE_BITS; bit += word_bytes * 8) {
		uint64_t word = word_bytes == 8 ? cursor_u64(&c) : cursor_u32(&c);

		for (unsigned i = 0; i < word_bytes * 8; i++)
			h->features[bit + i] = word >> i & 1;
	}
}

/* Reads the bitmap of features. If the file has the other byte order, the size of a word is
 * unknown. So this function tries 8 bytes and then 4 bytes. With the right size, the bit of the
 * feature HOSTNAME is set, because perf, except very old versions, always sets it. */
static void read_feature_bits(struct header *h, struct cursor c)
{
	read_bitmap(h, c, 8);
	if (!c.swap || h->features[HEADER_HOSTNAME])
		return;
	read_bitmap(h, c, 4);
	if (h->features[HEADER_HOSTNAME] || !memchr(h->features, true, sizeof(h->features)))
		return;
	memset(h->features, 0, sizeof(h->features));
	/* HOSTNAME is not set, but another bit is, so the file is older than the feature HOSTNAME.
	 * As in perf, such a file is assumed to have only the feature BUILD_ID. */
	h->features[HEADER_BUILD_ID] = true;
}

/* Checks the magic and finds the byte order. The magic of version 2 shows the byte order. The magic
 * of version 1, which old versions of perf wrote, does not. In version 1, the next word shows it:
 * the size of the header, which is small only in the right byte order. Returns 0 or MD_EFORMAT. */
static int read_magic(struct pd_file *f, struct md_err *err)
{
	static const char v2[8] = "PERFILE2", turned[8] = "2ELIFREP", v1[8] = "PERFFILE";
	const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	struct cursor c = cursor_make(f->image, f->len, false);
	const void *magic = cursor_bytes(&c, 8);

	if (!magic || (memcmp(magic, v2, 8) && memcmp(magic, turned, 8) && memcmp(magic, v1, 8)))
		return md_fail(err, MD_EFORMAT, "not a perf.data file");
	if (memcmp(magic, v1, 8))
		f->swap = !memcmp(magic, little ? turned : v2, 8);
	else
		f->swap = cursor_u64(&c) > UINT32_MAX;
	return 0;
}

static void read_fields(const struct pd_file *f, struct cursor *c, struct header *h)
{
	cursor_skip(c, 8); /* skips the magic */
	h->size = cursor_u64(c);
	h->attr_size = cursor_u64(c);
	h->attrs = read_section(c);
	h->data = read_section(c);
	read_section(c); /* skips the event types, which newer versions of perf do not use */
	if (h->size >= HEADER_BYTES && cursor_left(c) >= FEATURE_BITS / 8)
		read_feature_bits(h, *c);
}

/* Adds the events. Each entry of the section `attrs` has an attribute and the position of its ids.
 * Returns 0 or an error of pd_add_evsel(). */
static int read_attrs(struct pd_file *f, const struct header *h, struct md_err *err)
{
	struct cursor c = section_cursor(f, h->attrs);

	if (c.failed || h->attr_size < PERF_ATTR_SIZE_VER0 + SECTION_BYTES)
		return md_fail(err, MD_EFORMAT,
			       "attributes of %" PRIu64 " bytes at %" PRIu64
			       " lie outside the file or are too small",
			       h->attr_size, h->attrs.offset);
	while (cursor_left(&c) >= h->attr_size) {
		struct cursor entry = c, attr, ids;
		uint64_t attr_bytes = h->attr_size - SECTION_BYTES;
		struct cursor peek = c;
		uint32_t size;
		int ret;

		cursor_skip(&peek, 4);
		size = cursor_u32(&peek);
		if (!size)
			size = PERF_ATTR_SIZE_VER0;
		attr = cursor_range(&c, c.p, 0, size < attr_bytes ? size : attr_bytes);
		cursor_skip(&entry, attr_bytes);
		ids = section_cursor(f, read_section(&entry));
		ret = pd_add_evsel(f, attr, ids, err);
		if (ret)
			return ret;
		cursor_skip(&c, h->attr_size);
	}
	return 0;
}

/* Finds the sections of the features. Their table, after the data, has one entry for each bit that
 * is set in the bitmap of features, in the same order. */
static void find_features(struct pd_file *f, const struct header *h)
{
	struct cursor table = file_cursor(f);

	table.p = f->data_end;
	for (unsigned i = 0; i < FEATURE_BITS; i++) {
		struct section s;
		struct cursor bytes;

		if (!h->features[i])
			continue;
		s = read_section(&table);
		bytes = section_cursor(f, s);
		if (table.failed) {
			pd_damage(f, "the table of features at offset %" PRIu64 " is cut short",
				  h->data.offset + h->data.size);
			break;
		}
		if (bytes.failed) {
			pd_damage(f, "feature %u at offset %" PRIu64 " lies outside the file", i,
				  s.offset);
			continue;
		}
		pd_note_feature(f, i, bytes);
	}
}

/* Finds the data section, which may be cut short, and counts the bytes that are missing in it.
 * Returns false if the size of the data section in the header is missing or impossible, or if the
 * file ends inside the section. In these cases no feature sections are read. */
static bool place_data(struct pd_file *f, const struct header *h)
{
	uint64_t offset = h->data.offset;

	if (offset > f->len) {
		pd_damage(f, "the data at offset %" PRIu64 " begin behind the end of the file",
			  offset);
		offset = f->len;
	}
	f->data = f->image + offset;
	f->data_end = f->image + f->len;
	if (!h->data.size) {
		pd_damage(f,
			  "the recording was not finished: the header gives no size of the data");
		return false;
	}
	if (h->data.size > INT64_MAX) {
		pd_damage(f, "the header gives an impossible size of the data: %" PRIu64,
			  h->data.size);
		return false;
	}
	f->size_known = true;
	if (h->data.size > f->len - offset) {
		f->losses.unread_bytes = h->data.size - (f->len - offset);
		pd_damage(f, "the file is cut short: %" PRIu64 " of %" PRIu64 " bytes of data",
			  f->len - offset, h->data.size);
		return false;
	}
	f->data_end = f->data + h->data.size;
	return true;
}

int pd_read_header(struct pd_file *f, struct md_err *err)
{
	struct header h = { 0 };
	struct cursor c;
	int ret = read_magic(f, err);

	if (ret)
		return ret;
	c = file_cursor(f);
	read_fields(f, &c, &h);
	if (h.size == PIPE_HEADER_BYTES && f->len >= PIPE_HEADER_BYTES) {
		f->pipe = true;
		f->data = f->image + PIPE_HEADER_BYTES;
		f->data_end = f->image + f->len;
		return 0;
	}
	if (c.failed || h.size < OLD_HEADER_BYTES)
		return md_fail(err, MD_EFORMAT, "perf.data header of %" PRIu64 " bytes in %zu",
			       h.size, f->len);
	ret = read_attrs(f, &h, err);
	if (!ret && place_data(f, &h))
		find_features(f, &h);
	return ret;
}
