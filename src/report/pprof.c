/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the cost of call paths as a Profile of pprof (profile.proto), a protocol buffer. A field
 * consists of a key (number << 3 | kind) and a value: a varint (kind 0), or a length and as many
 * bytes (kind 2). Fields may come in any order. So texts, functions and locations are written at
 * the end, when all of them are known. These few rules need no library, and no compiler of .proto
 * files in the build.
 */
#include "report/export_format.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/err.h"

enum { VARINT, BYTES = 2 };

/* Numbers of the fields in pprof's message Profile. */
enum { SAMPLE_TYPE = 1, SAMPLE = 2, LOCATION = 4, FUNCTION = 5, STRING_TABLE = 6 };

static void put_varint(FILE *f, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		putc((int)(v & 0x7f) | 0x80, f);
	putc((int)v, f);
}

static size_t varint_size(uint64_t v)
{
	size_t n = 1;

	for (; v >= 0x80; v >>= 7)
		n++;
	return n;
}

static void put_key(FILE *f, int field, int kind)
{
	put_varint(f, (uint64_t)(field << 3 | kind));
}

/* Writes a field that is a message with the n numbers v as its fields 1, 2, … A number 0 is left
 * out, because 0 is the default. */
static void put_message(FILE *f, int field, const uint64_t *v, int n)
{
	size_t size = 0;

	for (int i = 0; i < n; i++)
		size += v[i] ? 1 + varint_size(v[i]) : 0;
	put_key(f, field, BYTES);
	put_varint(f, size);
	for (int i = 0; i < n; i++)
		if (v[i]) {
			put_key(f, i + 1, VARINT);
			put_varint(f, v[i]);
		}
}

/* Returns the index of a text in the string table of pprof, where the empty string is 0. UINT32_MAX
 * means out of memory. */
static uint32_t text_index(struct exporter *e, const char *s)
{
	uint32_t id = *s ? strings_id(&e->texts, s) : 0;

	return id || !*s ? id : UINT32_MAX;
}

/* Returns the id of a function; a new one is written to the profile. 0 means out of memory. */
static uint32_t function_id(struct exporter *e, const char *name, const char *file)
{
	uint32_t known = e->functions.n, id, name_at, file_at;
	char *key = NULL;

	if (asprintf(&key, "%s\n%s", name, file) < 0)
		return 0;
	id = strings_id(&e->functions, key);
	free(key);
	name_at = text_index(e, name);
	file_at = text_index(e, file);
	if (!id || name_at == UINT32_MAX || file_at == UINT32_MAX)
		return 0;
	if (e->functions.n > known)
		put_message(e->shared.f, FUNCTION, (uint64_t[]){ id, name_at, name_at, file_at },
			    4);
	return id;
}

/* Writes a message Location: field 1 is its id; field 4 is a message Line, whose field 1 is the id
 * of a function and field 2 the line number. */
static void put_location(FILE *f, uint64_t id, uint64_t function, uint64_t line)
{
	size_t inner = 1 + varint_size(function) + (line ? 1 + varint_size(line) : 0);

	put_key(f, LOCATION, BYTES);
	put_varint(f, 1 + varint_size(id) + 1 + varint_size(inner) + inner);
	put_key(f, 1, VARINT);
	put_varint(f, id);
	put_message(f, 4, (uint64_t[]){ function, line }, 2);
}

int pprof_frame(struct exporter *e, const char *name, const char *file, int line)
{
	uint32_t known = e->frames.n, id, function;
	char *key = NULL;

	if (!e->begun)
		e->depth = 0;
	if (e->depth == EXPORT_DEPTH)
		return 0;
	file = file ? file : "";
	if (asprintf(&key, "%s\n%s\n%d", name, file, line) < 0)
		return MD_ENOMEM;
	id = strings_id(&e->frames, key);
	free(key);
	function = function_id(e, name, file);
	if (!id || !function)
		return MD_ENOMEM;
	if (e->frames.n > known)
		put_location(e->shared.f, id, function, line > 0 ? (uint64_t)line : 0);
	e->path[e->depth++] = id;
	return 0;
}

/* Writes a message Sample: field 1 contains the ids of the locations, the innermost first; field 2
 * contains the cost. Both are packed arrays. */
int pprof_end_path(struct exporter *e, int64_t cost)
{
	size_t ids = 0, values = varint_size((uint64_t)cost);

	for (size_t i = 0; i < e->depth; i++)
		ids += varint_size(e->path[i]);
	put_key(e->samples.f, SAMPLE, BYTES);
	put_varint(e->samples.f, 1 + varint_size(ids) + ids + 1 + varint_size(values) + values);
	put_key(e->samples.f, 1, BYTES);
	put_varint(e->samples.f, ids);
	for (size_t i = e->depth; i-- > 0;)
		put_varint(e->samples.f, e->path[i]);
	put_key(e->samples.f, 2, BYTES);
	put_varint(e->samples.f, values);
	put_varint(e->samples.f, (uint64_t)cost);
	return 0;
}

static void put_texts(struct exporter *e)
{
	put_key(e->weights.f, STRING_TABLE, BYTES);
	put_varint(e->weights.f, 0);
	for (uint32_t i = 1; i <= e->texts.n; i++) {
		const char *s = strings_text(&e->texts, i);

		put_key(e->weights.f, STRING_TABLE, BYTES);
		put_varint(e->weights.f, strlen(s));
		fwrite(s, 1, strlen(s), e->weights.f);
	}
}

/* Writes all parts of the profile to e->out as one gzip file. */
static int compress_all(struct exporter *e)
{
	struct stream *parts[] = { &e->samples, &e->shared, &e->weights };
	enum { GZIP = 16 + MAX_WBITS };
	unsigned char out[8192];
	z_stream z = { 0 };
	int rc = Z_OK;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		return MD_ENOMEM;
	for (int i = 0; i < 3; i++) {
		fflush(parts[i]->f);
		z.next_in = (unsigned char *)parts[i]->text;
		z.avail_in = (uInt)parts[i]->size;
		do {
			z.next_out = out;
			z.avail_out = sizeof(out);
			rc = deflate(&z, i == 2 ? Z_FINISH : Z_NO_FLUSH);
			fwrite(out, 1, sizeof(out) - z.avail_out, e->out);
		} while (!z.avail_out || (i == 2 && rc == Z_OK));
	}
	deflateEnd(&z);
	return rc == Z_STREAM_END ? 0 : MD_ENOMEM;
}

int pprof_end(struct exporter *e)
{
	bool time = !strcmp(e->unit, "ns");
	uint32_t type = text_index(e, "memory"),
		 unit = text_index(e, time ? "nanoseconds" : e->unit);

	if (type == UINT32_MAX || unit == UINT32_MAX)
		return MD_ENOMEM;
	put_message(e->shared.f, SAMPLE_TYPE, (uint64_t[]){ type, unit }, 2);
	put_texts(e);
	return compress_all(e);
}
