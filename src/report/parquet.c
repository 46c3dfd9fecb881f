/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes Parquet files without a library. The libraries for it are in C++ (Arrow's), larger than
 * memdb, and not in all distributions. memdb needs a small part of the format: three types, no
 * nesting, one encoding of values, and zstd, which it links anyway. tests/export reads the files
 * with DuckDB and hyparquet.
 *
 * What must stay true: every page has as many values as the footer says, because readers trust it.
 */
#include "report/parquet.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/escape.h"
#include "report/column_type.h"

enum { GROUP_ROWS = 1 << 16, GROUP_BYTES = 64 << 20, ZSTD_LEVEL = 3 };

/* values of the enums Type, ConvertedType, Encoding and CompressionCodec in parquet.thrift */
enum { TYPE_INT64 = 2, TYPE_DOUBLE = 5, TYPE_BYTES = 6 };
enum { CONVERTED_UTF8 = 0, ENCODING_PLAIN = 0, ENCODING_RLE = 3, CODEC_ZSTD = 6 };

/* Types of fields in the compact protocol of Thrift. */
enum { FIELD_I32 = 5, FIELD_I64 = 6, FIELD_BINARY = 8, FIELD_LIST = 9, FIELD_STRUCT = 12 };

struct bytes {
	uint8_t *p;
	size_t n, cap;
	bool failed; /* memory ran out; from then on nothing is added */
};

/* A Thrift struct that is being written in the compact protocol, which stores for each field the
 * difference between its id and `last`, the id of the previous field. */
struct thrift {
	struct bytes *to;
	int last;
};

struct column {
	const char *name;
	int type;
	/* The data of the current row group. present: one byte per row, 0 for NULL. values: the
	 * values that are not NULL, in Parquet's plain encoding */
	struct bytes present, values;
};

struct writer {
	FILE *out;
	sqlite3_stmt *st;
	int ncolumns;
	struct column *columns;
	uint64_t at;         /* number of bytes written to out */
	struct bytes groups; /* metadata of the row groups, which come at the end of the file */
	uint64_t ngroups, rows, group_rows;
	size_t group_bytes;
};

static void put_bytes(struct bytes *b, const void *p, size_t n)
{
	if (b->failed)
		return;
	if (b->n + n > b->cap) {
		size_t cap = 2 * (b->n + n) + 64;
		uint8_t *grown = realloc(b->p, cap);

		if (!grown) {
			b->failed = true;
			return;
		}
		b->p = grown;
		b->cap = cap;
	}
	memcpy(b->p + b->n, p, n);
	b->n += n;
}

static void put_byte(struct bytes *b, unsigned v)
{
	uint8_t byte = (uint8_t)v;

	put_bytes(b, &byte, 1);
}

static void put_varint(struct bytes *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		put_byte(b, (unsigned)(v & 0x7f) | 0x80);
	put_byte(b, (unsigned)v);
}

static void put_zigzag(struct bytes *b, int64_t v)
{
	put_varint(b, ((uint64_t)v << 1) ^ (uint64_t)(v >> 63));
}

static void put_text(struct bytes *b, const char *s)
{
	put_varint(b, strlen(s));
	put_bytes(b, s, strlen(s));
}

/* Appends the lowest `size` bytes of a number, lowest byte first. */
static void put_number(struct bytes *b, uint64_t v, int size)
{
	for (int i = 0; i < size; i++)
		put_byte(b, (unsigned)(v >> 8 * i) & 0xff);
}

static void put_field(struct thrift *t, int id, int type)
{
	put_byte(t->to, (unsigned)((id - t->last) << 4 | type));
	t->last = id;
}

static void field_int(struct thrift *t, int id, int type, int64_t v)
{
	put_field(t, id, type);
	put_zigzag(t->to, v);
}

static void field_list(struct thrift *t, int id, int type, uint64_t n)
{
	put_field(t, id, FIELD_LIST);
	put_byte(t->to, (unsigned)((n < 15 ? n : 15) << 4) | (unsigned)type);
	if (n >= 15)
		put_varint(t->to, n);
}

static void end_struct(struct thrift *t)
{
	put_byte(t->to, 0);
}

static int type_number(const char *name)
{
	return !strcmp(name, "INTEGER") ? TYPE_INT64
	       : !strcmp(name, "REAL")  ? TYPE_DOUBLE
	       : !strcmp(name, "TEXT")  ? TYPE_BYTES
					: 0;
}

static int value_type(int was, int sqlite_type)
{
	switch (sqlite_type) {
	case SQLITE_NULL:
		return was;
	case SQLITE_INTEGER:
		return was ? was : TYPE_INT64;
	case SQLITE_FLOAT:
		return was == TYPE_BYTES ? was : TYPE_DOUBLE;
	default:
		return TYPE_BYTES;
	}
}

/* Finds the type of each column. If a column has no declared type, this takes a pass over all
 * rows, because values of another type than expected change it. */
static int find_types(struct writer *w, const char *table)
{
	bool all_declared = true;
	int rc;

	for (int i = 0; i < w->ncolumns; i++) {
		const char *declared = sqlite3_column_decltype(w->st, i);
		struct column *c = &w->columns[i];

		c->name = sqlite3_column_name(w->st, i);
		if (!c->name)
			return SQLITE_NOMEM;
		c->type = type_number(declared ? declared : column_type(table, c->name));
		all_declared &= declared && c->type;
	}
	if (all_declared)
		return SQLITE_OK;
	while ((rc = sqlite3_step(w->st)) == SQLITE_ROW)
		for (int i = 0; i < w->ncolumns; i++)
			w->columns[i].type =
				value_type(w->columns[i].type, sqlite3_column_type(w->st, i));
	for (int i = 0; i < w->ncolumns; i++)
		w->columns[i].type = w->columns[i].type ? w->columns[i].type : TYPE_BYTES;
	return rc == SQLITE_DONE ? sqlite3_reset(w->st) : rc;
}

/* Appends a text and its length. Readers of Parquet refuse invalid UTF-8, so each invalid byte is
 * replaced by "\xNN". */
static void keep_text(struct bytes *to, const char *s)
{
	size_t size = s ? escape_utf8_size(s) : 0, n = s ? strlen(s) : 0;
	char *valid = size != n ? malloc(size) : NULL;

	if (valid)
		escape_utf8(s, valid);
	to->failed |= !s || (size != n && !valid);
	put_number(to, size, 4);
	if (!to->failed)
		put_bytes(to, valid ? valid : s, size);
	free(valid);
}

/* Adds the value of column i in the current row of `st` to the row group. Returns the approximate
 * number of bytes that this adds to the group. */
static size_t keep_value(struct column *c, sqlite3_stmt *st, int i)
{
	size_t before = c->values.n;
	double real;
	uint64_t bits;

	put_byte(&c->present, sqlite3_column_type(st, i) != SQLITE_NULL);
	if (sqlite3_column_type(st, i) == SQLITE_NULL)
		return 1;
	switch (c->type) {
	case TYPE_INT64:
		put_number(&c->values, (uint64_t)sqlite3_column_int64(st, i), 8);
		break;
	case TYPE_DOUBLE:
		real = sqlite3_column_double(st, i);
		memcpy(&bits, &real, sizeof(bits));
		put_number(&c->values, bits, 8);
		break;
	default:
		keep_text(&c->values, (const char *)sqlite3_column_text(st, i));
	}
	return 1 + c->values.n - before;
}

/* Makes the content of a data page: first one bit for each row that says whether it has a value
 * (Parquet's definition levels), then the values. */
static void make_page(const struct column *c, struct bytes *page)
{
	size_t n = c->present.n, groups = (n + 7) / 8;
	struct bytes levels = { 0 };

	/* header of Parquet's hybrid encoding: a bit-packed run of `groups` groups, of eight levels
	 * each */
	put_varint(&levels, groups << 1 | 1);
	for (size_t g = 0; g < groups; g++) {
		unsigned bits = 0;

		for (size_t k = 8 * g; k < n && k < 8 * g + 8; k++)
			bits |= (unsigned)c->present.p[k] << (k - 8 * g);
		put_byte(&levels, bits);
	}
	put_number(page, levels.n, 4);
	put_bytes(page, levels.p, levels.n);
	put_bytes(page, c->values.p, c->values.n);
	page->failed |= levels.failed;
	free(levels.p);
}

static void put_page_header(struct bytes *to, size_t plain, size_t packed, size_t values)
{
	struct thrift page = { to, 0 }, data = { to, 0 };

	field_int(&page, 1, FIELD_I32, 0); /* page type: DATA_PAGE */
	field_int(&page, 2, FIELD_I32, (int64_t)plain);
	field_int(&page, 3, FIELD_I32, (int64_t)packed);
	put_field(&page, 5, FIELD_STRUCT);
	field_int(&data, 1, FIELD_I32, (int64_t)values);
	field_int(&data, 2, FIELD_I32, ENCODING_PLAIN);
	field_int(&data, 3, FIELD_I32, ENCODING_RLE);
	field_int(&data, 4, FIELD_I32, ENCODING_RLE);
	end_struct(&data);
	end_struct(&page);
}

/* Appends the metadata of a column's page in the current row group (ColumnChunk in parquet.thrift).
 * The page begins at w->at in the file and has `packed` bytes; before compression they are `plain`.
 */
static void put_chunk(struct writer *w, const struct column *c, size_t plain, size_t packed)
{
	struct thrift chunk = { &w->groups, 0 }, meta = { &w->groups, 0 };

	field_int(&chunk, 2, FIELD_I64, (int64_t)w->at);
	put_field(&chunk, 3, FIELD_STRUCT);
	field_int(&meta, 1, FIELD_I32, c->type);
	field_list(&meta, 2, FIELD_I32, 2);
	put_zigzag(&w->groups, ENCODING_PLAIN);
	put_zigzag(&w->groups, ENCODING_RLE);
	field_list(&meta, 3, FIELD_BINARY, 1);
	put_text(&w->groups, c->name);
	field_int(&meta, 4, FIELD_I32, CODEC_ZSTD);
	field_int(&meta, 5, FIELD_I64, (int64_t)c->present.n);
	field_int(&meta, 6, FIELD_I64, (int64_t)plain);
	field_int(&meta, 7, FIELD_I64, (int64_t)packed);
	field_int(&meta, 9, FIELD_I64, (int64_t)w->at);
	end_struct(&meta);
	end_struct(&chunk);
}

static int write_out(struct writer *w, const void *p, size_t n, struct md_err *err)
{
	w->at += n;
	return fwrite(p, 1, n, w->out) == n ? 0 : md_fail_errno(err, MD_EIO, "cannot write");
}

static int write_column(struct writer *w, struct column *c, struct md_err *err)
{
	struct bytes page = { 0 }, header = { 0 };
	size_t bound, n = 0;
	void *packed = NULL;
	int ret;

	make_page(c, &page);
	if (page.n > INT_MAX) {
		ret = md_fail(err, MD_ENOTSUP, "the texts of column '%s' are too long", c->name);
		goto out;
	}
	bound = ZSTD_compressBound(page.n);
	packed = malloc(bound);
	if (packed)
		n = ZSTD_compress(packed, bound, page.p, page.n, ZSTD_LEVEL);
	put_page_header(&header, page.n, n, c->present.n);
	if (!packed || ZSTD_isError(n) || page.failed || header.failed || c->values.failed ||
	    c->present.failed) {
		ret = md_nomem(err);
		goto out;
	}
	put_chunk(w, c, page.n + header.n, n + header.n);
	ret = write_out(w, header.p, header.n, err);
	if (!ret)
		ret = write_out(w, packed, n, err);
	c->present.n = c->values.n = 0;
out:
	free(packed);
	free(header.p);
	free(page.p);
	return ret;
}

static int write_group(struct writer *w, struct md_err *err)
{
	struct thrift group = { &w->groups, 0 };
	uint64_t start = w->at;
	int ret = 0;

	if (!w->group_rows)
		return 0;
	field_list(&group, 1, FIELD_STRUCT, (uint64_t)w->ncolumns);
	for (int i = 0; i < w->ncolumns && !ret; i++)
		ret = write_column(w, &w->columns[i], err);
	field_int(&group, 2, FIELD_I64, (int64_t)(w->at - start));
	field_int(&group, 3, FIELD_I64, (int64_t)w->group_rows);
	end_struct(&group);
	w->ngroups++;
	w->rows += w->group_rows;
	w->group_rows = 0;
	w->group_bytes = 0;
	return ret;
}

static void put_schema(struct writer *w, struct bytes *to)
{
	struct thrift root = { to, 0 };

	put_byte(to, 4 << 4 | FIELD_BINARY);
	root.last = 4;
	put_text(to, "schema");
	field_int(&root, 5, FIELD_I32, w->ncolumns);
	end_struct(&root);
	for (int i = 0; i < w->ncolumns; i++) {
		struct thrift e = { to, 0 };

		field_int(&e, 1, FIELD_I32, w->columns[i].type);
		field_int(&e, 3, FIELD_I32, 1); /* repetition type: OPTIONAL */
		put_field(&e, 4, FIELD_BINARY);
		put_text(to, w->columns[i].name);
		if (w->columns[i].type == TYPE_BYTES)
			field_int(&e, 6, FIELD_I32, CONVERTED_UTF8);
		end_struct(&e);
	}
}

static int write_footer(struct writer *w, struct md_err *err)
{
	struct bytes b = { 0 };
	struct thrift file = { &b, 0 };
	int ret;

	field_int(&file, 1, FIELD_I32, 1);
	field_list(&file, 2, FIELD_STRUCT, (uint64_t)w->ncolumns + 1);
	put_schema(w, &b);
	field_int(&file, 3, FIELD_I64, (int64_t)w->rows);
	field_list(&file, 4, FIELD_STRUCT, w->ngroups);
	put_bytes(&b, w->groups.p, w->groups.n);
	put_field(&file, 6, FIELD_BINARY);
	put_text(&b, "memdb");
	end_struct(&file);
	put_number(&b, b.n, 4);
	put_bytes(&b, "PAR1", 4);
	ret = b.failed || w->groups.failed ? md_nomem(err) : write_out(w, b.p, b.n, err);
	free(b.p);
	return ret;
}

static int write_rows(struct writer *w, struct md_err *err)
{
	int ret = 0, rc = SQLITE_DONE;

	while (!ret && (rc = sqlite3_step(w->st)) == SQLITE_ROW) {
		for (int i = 0; i < w->ncolumns; i++)
			w->group_bytes += keep_value(&w->columns[i], w->st, i);
		if (++w->group_rows == GROUP_ROWS || w->group_bytes > GROUP_BYTES)
			ret = write_group(w, err);
	}
	if (!ret && rc != SQLITE_DONE)
		ret = md_fail(err, MD_EDB, "%s", sqlite3_errmsg(sqlite3_db_handle(w->st)));
	return ret ? ret : write_group(w, err);
}

int parquet_write(sqlite3_stmt *st, const char *table, FILE *out, uint64_t *rows,
		  struct md_err *err)
{
	struct writer w = { .out = out, .st = st, .ncolumns = sqlite3_column_count(st) };
	int ret;

	w.columns = calloc((size_t)w.ncolumns, sizeof(*w.columns));
	if (!w.columns)
		return md_nomem(err);
	ret = find_types(&w, table)
		      ? md_fail(err, MD_EDB, "%s", sqlite3_errmsg(sqlite3_db_handle(st)))
		      : write_out(&w, "PAR1", 4, err);
	if (!ret)
		ret = write_rows(&w, err);
	if (!ret)
		ret = write_footer(&w, err);
	*rows = w.rows;
	for (int i = 0; i < w.ncolumns; i++) {
		free(w.columns[i].present.p);
		free(w.columns[i].values.p);
	}
	free(w.columns);
	free(w.groups.p);
	return ret;
}
