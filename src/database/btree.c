/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the pages of a table. An INSERT costs SQLite 25 ns for each value; writing the pages here
 * costs 2 ns for each value. That is possible because rows come in the order of their rowids and
 * nobody reads them meanwhile: so leaf pages are filled one after the other, and the inner pages of
 * the tree are made at the end.
 *
 * SQLite numbers new pages itself, so the file must not grow during a transaction. Pages are
 * appended between two transactions. Then two fields of the file's header are updated: the number
 * of pages, and the change counter, which makes SQLite read its cached pages again. SQLite compares
 * the counter only where other processes may write, so the connection must not have
 * locking_mode=exclusive.
 *
 * What must stay true: until btree_end(), no page of the tree refers to the appended pages. If
 * memdb ends before that, these pages are lost together with the entire file, which has no name
 * yet.
 */
#include "database/btree.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/index.h"

enum {
	LEAF = 0x0d, /* types of pages */
	INNER = 0x05,
	LEAF_HEADER = 8, /* bytes of the header of a page */
	INNER_HEADER = 12,
	POINTER = 2, /* bytes of the offset of a cell */
	/* maximum number of children of an inner page: the offset of a cell, and its page number
	 * and rowid, take at most 15 bytes */
	INNER_MOST = (BTREE_PAGE_BYTES - INNER_HEADER) / (POINTER + 4 + 9),
	COMPLETE_MOST = 256, /* maximum number of complete pages in memory */
	VALUE_MOST = 8,      /* bytes of a number */
	TEXT_TYPE = 13,      /* serial type of an empty text; each byte more adds 2 */
	/* maximum number of bytes of a cell: its size and its rowid, the record's header, the
	 * values */
	CELL_MOST = 2 + 9 + (1 + BTREE_TEXT_MOST) * BTREE_COLUMNS + 2,
	/* offsets in the file's header of what SQLite needs to know about appended pages: the
	 * change counter, the number of pages, and the change counter for which that number is
	 * valid */
	HEADER_CHANGES = 24,
	HEADER_PAGES = 28,
	HEADER_VALID_FOR = 92,
	HEADER_BYTES = 100,
};

static void put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static void put32(uint8_t *at, uint32_t value)
{
	put16(at, value >> 16);
	put16(at + 2, value);
}

static uint32_t get32(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Writes a number with 7 bits in each byte, the highest bits first; a ninth byte has 8 bits.
 * Returns the end. */
static uint8_t *put_varint(uint8_t *at, uint64_t value)
{
	int n = 1;

	while (n < 9 && value >> (7 * n))
		n++;
	if (n == 9) {
		at[8] = (uint8_t)value;
		value >>= 8;
	}
	for (int i = n == 9 ? 7 : n - 1, last = i; i >= 0; i--, value >>= 7)
		at[i] = (uint8_t)((value & 0x7f) | (i < last || n == 9 ? 0x80 : 0));
	return at + n;
}

/* Writes a value in as few bytes as it needs, and returns the end of these bytes. May overwrite up
 * to VALUE_MOST bytes at `at`. *type becomes the value's serial type. */
static inline uint8_t *put_value(uint8_t *at, int64_t value, uint8_t *type)
{
	static const struct {
		uint8_t type, bytes;
	} sizes[] = { { 1, 1 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 },
		      { 5, 6 }, { 5, 6 }, { 6, 8 }, { 6, 8 } };
	uint64_t bits = (uint64_t)(value < 0 ? ~value : value), order;
	/* the sign needs a bit, too */
	int bytes = bits ? (65 + 7 - __builtin_clzll(bits)) / 8 : 0;

	if (value == 0 || value == 1) {
		*type = value ? 9 : 8;
		return at;
	}
	*type = sizes[bytes].type;
	order = htobe64((uint64_t)value << (64 - 8 * sizes[bytes].bytes));
	memcpy(at, &order, sizeof(order));
	return at + sizes[bytes].bytes;
}

/* Writes a text, and returns the end of its bytes. NULL: it is too long. */
static uint8_t *put_text(uint8_t *at, const char *text, uint8_t *type)
{
	const size_t n = strlen(text);

	if (n > BTREE_TEXT_MOST)
		return NULL;
	*type = (uint8_t)(TEXT_TYPE + 2 * n);
	memcpy(at, text, n);
	return at + n;
}

/* Writes one value of a row at `at`, as put_value() and put_text() do. */
static inline uint8_t *put_column(uint8_t *at, const struct btree *b, const struct column *c,
				  const char *row, uint8_t *type)
{
	const char *text;
	int64_t value;

	*type = 0; /* NULL */
	if (c->kind == COLUMN_TEXT) {
		memcpy(&text, row + c->offset, sizeof(text));
		return text ? put_text(at, text, type) : at;
	}
	return column_integer(b->table, c, row, &value) ? put_value(at, value, type) : at;
}

/* Writes a row as a cell: the size of the record, the rowid, and the record. The record begins with
 * a header: the size of the header, and the serial type of each value. If the rowid is a column,
 * its own value is NULL in the record. Returns the cell's end; NULL: a text is too long. */
static uint8_t *put_cell(uint8_t *at, const struct btree *b, const char *row, int64_t rowid)
{
	const int n = b->table->ncolumns;
	uint8_t record[CELL_MOST], *end = record + 1 + n;

	record[0] = (uint8_t)(1 + n);
	record[1] = 0;
	for (int i = b->has_id; i < n && end; i++)
		end = put_column(end, b, b->columns[i], row, &record[1 + i]);
	if (!end)
		return NULL;
	at = put_varint(at, (uint64_t)(end - record));
	at = put_varint(at, (uint64_t)rowid);
	memcpy(at, record, (size_t)(end - record));
	return at + (end - record);
}

static int fail_io(struct btree *b)
{
	b->error = errno;
	return errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR;
}

static int write_at(struct btree *b, const uint8_t *bytes, size_t size, off_t offset)
{
	while (size) {
		const ssize_t n = pwrite(b->fd, bytes, size, offset);

		if (!n)
			errno = EIO;
		if (!n || (n < 0 && errno != EINTR))
			return fail_io(b);
		bytes += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
		offset += n > 0 ? n : 0;
	}
	return SQLITE_OK;
}

static off_t page_offset(uint32_t number)
{
	return (off_t)(number - 1) * BTREE_PAGE_BYTES;
}

/* Finds how many pages the file has. */
static int count_pages(struct btree *b, uint32_t *pages)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(b->db, "PRAGMA page_count", -1, &st, NULL);

	*pages = 0;
	if (!rc && sqlite3_step(st) == SQLITE_ROW)
		*pages = (uint32_t)sqlite3_column_int64(st, 0);
	return rc ? rc : sqlite3_finalize(st);
}

/* Writes into the file's header how many pages the file has, and increments the change counter. */
static int write_header(struct btree *b, uint32_t pages)
{
	uint8_t header[HEADER_BYTES];
	const ssize_t n = pread(b->fd, header, sizeof(header), 0);

	if (n != sizeof(header)) {
		errno = n < 0 ? errno : EIO;
		return fail_io(b);
	}
	put32(header + HEADER_CHANGES, get32(header + HEADER_CHANGES) + 1);
	memcpy(header + HEADER_VALID_FOR, header + HEADER_CHANGES, 4);
	put32(header + HEADER_PAGES, pages);
	return write_at(b, header, sizeof(header), 0);
}

/* Appends `n` pages to the file and sets their numbers in at[0..n). Skips the number b->lock_page.
 * *pages is the file's number of pages, which this function updates. */
static int append_pages(struct btree *b, const uint8_t *bytes, struct btree_page *at, uint32_t n,
			uint32_t *pages)
{
	int rc = SQLITE_OK;

	for (uint32_t i = 0, run; i < n && !rc; i += run) {
		*pages += *pages + 1 == b->lock_page;
		run = b->lock_page > *pages && b->lock_page - *pages <= n - i
			      ? b->lock_page - *pages - 1
			      : n - i;
		rc = write_at(b, bytes + (size_t)i * BTREE_PAGE_BYTES,
			      (size_t)run * BTREE_PAGE_BYTES, page_offset(*pages + 1));
		for (uint32_t k = 0; k < run; k++)
			at[i + k].number = ++*pages;
	}
	return rc;
}

/* Commits the transaction, so that the file can be changed, and sets *pages to the file's number of
 * pages. end_change() begins the next transaction. */
static int begin_change(struct btree *b, uint32_t *pages)
{
	int rc = sqlite3_exec(b->db, "COMMIT", NULL, NULL, NULL);

	return rc ? rc : count_pages(b, pages);
}

static int end_change(struct btree *b, uint32_t pages)
{
	int rc = write_header(b, pages);

	return rc ? rc : sqlite3_exec(b->db, "BEGIN", NULL, NULL, NULL);
}

static int append_leaves(struct btree *b, uint32_t *pages)
{
	int rc = append_pages(b, b->complete, b->leaves.at + (b->leaves.n - b->ncomplete),
			      b->ncomplete, pages);

	b->ncomplete = 0;
	return rc;
}

static int write_leaves(struct btree *b)
{
	uint32_t pages;
	int rc = begin_change(b, &pages);

	if (!rc)
		rc = append_leaves(b, &pages);
	return rc ? rc : end_change(b, pages);
}

/* Fills *page: the header of a page of this type, then the offsets of its cells, and the cells at
 * the end of the page. starts[] has the offsets of the n cells in `cells`. */
static void put_page(uint8_t *page, int type, const uint8_t *cells, uint32_t bytes,
		     const uint16_t *starts, uint32_t n)
{
	const uint32_t header = type == LEAF ? LEAF_HEADER : INNER_HEADER;
	const uint32_t content = BTREE_PAGE_BYTES - bytes;

	memset(page, 0, content);
	page[0] = (uint8_t)type;
	put16(page + 3, n);
	put16(page + 5, content);
	for (uint32_t i = 0; i < n; i++)
		put16(page + header + i * POINTER, content + starts[i]);
	memcpy(page + content, cells, bytes);
}

/* Makes a page of the rows in b->cells. */
static int complete_leaf(struct btree *b)
{
	int rc = b->ncomplete == COMPLETE_MOST ? write_leaves(b) : SQLITE_OK;

	if (rc)
		return rc;
	if (!VEC_ROOM(&b->leaves))
		return SQLITE_NOMEM;
	put_page(b->complete + (size_t)b->ncomplete++ * BTREE_PAGE_BYTES, LEAF, b->cells,
		 b->cell_bytes, b->starts, b->ncells);
	b->leaves.at[b->leaves.n++] = (struct btree_page){ .last = b->last };
	b->cell_bytes = b->ncells = 0;
	return SQLITE_OK;
}

static int put_row(struct btree *b, const char *row)
{
	const int64_t id = b->has_id
				   ? *(const uint32_t *)(const void *)(row + b->columns[0]->offset)
				   : b->last + 1;
	uint8_t *cell = b->cells + b->cell_bytes, *end = put_cell(cell, b, row, id);
	uint32_t bytes;
	int rc = SQLITE_OK;

	if (!end)
		return SQLITE_TOOBIG;
	if (id <= b->last)
		return SQLITE_CONSTRAINT;
	bytes = (uint32_t)(end - cell);
	if (LEAF_HEADER + (b->ncells + 1) * POINTER + b->cell_bytes + bytes > BTREE_PAGE_BYTES) {
		rc = complete_leaf(b);
		memmove(b->cells, cell, bytes);
	}
	b->starts[b->ncells++] = (uint16_t)b->cell_bytes;
	b->cell_bytes += bytes;
	b->last = id;
	return rc;
}

int btree_put(struct btree *b, const char *rows, size_t count)
{
	int rc = SQLITE_OK;

	for (size_t i = 0; i < count && !rc; i++)
		rc = put_row(b, rows + i * b->table->row_size);
	return rc;
}

/* Returns the column of this name. NULL means that there is none, or that it is a fraction, which
 * put_cell() cannot write. */
static const struct column *find_column(const struct table *t, const char *name)
{
	for (int i = 0; i < t->ncolumns; i++)
		if (!strcmp(t->columns[i].name, name) && t->columns[i].kind != COLUMN_REAL)
			return &t->columns[i];
	return NULL;
}

/* Finds the root page of the table, the order of its columns, and whether the first one is the
 * rowid. */
static int find_table(struct btree *b)
{
	static const char sql[] = "SELECT s.rootpage, c.name, c.pk FROM sqlite_master AS s, "
				  "pragma_table_info(s.name) AS c "
				  "WHERE s.name = ?1 ORDER BY c.cid";
	bool known = b->table->ncolumns <= BTREE_COLUMNS;
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(b->db, sql, -1, &st, NULL), n = 0;

	if (rc)
		return rc;
	sqlite3_bind_text(st, 1, b->table->name, -1, SQLITE_STATIC);
	for (; known && sqlite3_step(st) == SQLITE_ROW; n++) {
		b->root = (uint32_t)sqlite3_column_int64(st, 0);
		b->has_id |= !n && sqlite3_column_int(st, 2);
		known = n < b->table->ncolumns && (!n || !sqlite3_column_int(st, 2));
		if (known)
			b->columns[n] =
				find_column(b->table, (const char *)sqlite3_column_text(st, 1));
		known = known && b->columns[n];
	}
	rc = sqlite3_finalize(st);
	known = known && n == b->table->ncolumns &&
		(!b->has_id || b->columns[0]->kind == COLUMN_ID);
	return rc ? rc : known ? SQLITE_OK : SQLITE_MISMATCH;
}

int btree_begin(struct btree *b, const struct table *t, sqlite3 *db, int fd)
{
	*b = (struct btree){
		.table = t, .db = db, .fd = fd, .lock_page = BTREE_LOCK_BYTE / BTREE_PAGE_BYTES + 1
	};
	b->cells = malloc(BTREE_PAGE_BYTES + CELL_MOST);
	b->starts = malloc(sizeof(*b->starts) * BTREE_PAGE_BYTES / POINTER);
	b->complete = malloc((size_t)COMPLETE_MOST * BTREE_PAGE_BYTES);
	if (!b->cells || !b->starts || !b->complete)
		return SQLITE_NOMEM;
	return find_table(b);
}

/* Makes the inner page of `n` children in b->complete. This overwrites leaves that are in the file
 * already. The last child is in the page's header, all others are cells. */
static void put_inner(struct btree *b, const struct btree_page *children, uint32_t n)
{
	uint8_t *at = b->cells;

	for (uint32_t i = 0; i + 1 < n; i++) {
		b->starts[i] = (uint16_t)(at - b->cells);
		put32(at, children[i].number);
		at = put_varint(at + 4, (uint64_t)children[i].last);
	}
	put_page(b->complete, INNER, b->cells, (uint32_t)(at - b->cells), b->starts, n - 1);
	put32(b->complete + 8, children[n - 1].number);
}

/* Appends inner pages above the pages at[0..*n), and replaces the elements of at[] by the inner
 * pages. The children are distributed evenly, so no inner page has only one child. */
static int add_level(struct btree *b, struct btree_page *at, uint32_t *n, uint32_t *pages)
{
	const uint32_t inner = (*n + INNER_MOST - 1) / INNER_MOST;
	int rc = SQLITE_OK;

	for (uint32_t i = 0; i < inner && !rc; i++) {
		const uint32_t from = (uint32_t)((uint64_t)*n * i / inner);
		const uint32_t to = (uint32_t)((uint64_t)*n * (i + 1) / inner);

		put_inner(b, at + from, to - from);
		at[i].last = at[to - 1].last;
		rc = append_pages(b, b->complete, &at[i], 1, pages);
	}
	*n = inner;
	return rc;
}

/* Writes the levels of the tree above its leaves. */
static int write_inner(struct btree *b, uint32_t *pages)
{
	uint32_t n = b->leaves.n;
	int rc = SQLITE_OK;

	while (n > INNER_MOST && !rc)
		rc = add_level(b, b->leaves.at, &n, pages);
	if (rc)
		return rc;
	put_inner(b, b->leaves.at, n);
	return write_at(b, b->complete, BTREE_PAGE_BYTES, page_offset(b->root));
}

/* If all rows fit into one page, this page is the root. Without rows, nothing is written. */
int btree_end(struct btree *b)
{
	uint32_t pages;
	int rc = b->ncells ? complete_leaf(b) : SQLITE_OK;

	if (rc || !b->leaves.n)
		return rc;
	rc = begin_change(b, &pages);
	if (!rc && b->leaves.n == 1)
		rc = write_at(b, b->complete, BTREE_PAGE_BYTES, page_offset(b->root));
	if (!rc && b->leaves.n > 1)
		rc = append_leaves(b, &pages);
	if (!rc && b->leaves.n > 1)
		rc = write_inner(b, &pages);
	return rc ? rc : end_change(b, pages);
}

void btree_release(struct btree *b)
{
	free(b->cells);
	free(b->starts);
	free(b->complete);
	free(b->leaves.at);
	*b = (struct btree){ 0 };
}
