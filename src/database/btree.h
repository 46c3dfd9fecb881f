/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the rows of a large table directly as pages of SQLite's file format
 * (sqlite.org/fileformat2.html, "B-tree Pages" and "Record Format"). The result is an ordinary
 * table, which SQLite reads, checks and changes.
 */
#ifndef MEMDB_DATABASE_BTREE_H
#define MEMDB_DATABASE_BTREE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "database/table.h"

enum {
	BTREE_PAGE_BYTES = 16384,
	BTREE_COLUMNS = 64,   /* a table has at most this many columns */
	BTREE_TEXT_MOST = 57, /* bytes of a text: its serial type is one byte then */
	/* SQLite leaves the page that contains this byte of a file unused */
	BTREE_LOCK_BYTE = 1 << 30,
};

/* A page that is complete, and the largest rowid in it or below it. */
struct btree_page {
	int64_t last;
	uint32_t number; /* number in the file, from 1 */
};

/* A table whose pages are written. Only btree.c uses the members, except `error`, which bulk.c
 * reads, and lock_page, which a test sets. */
struct btree {
	const struct table *table;
	/* the columns in the order in which the database has them; `table` may have another
	 * order */
	const struct column *columns[BTREE_COLUMNS];
	bool has_id;        /* whether the first column is the rowid; otherwise rows count from 1 */
	sqlite3 *db;        /* borrowed */
	int fd;             /* the database's file; borrowed */
	uint32_t root;      /* number of the root page; 0: the tree has not begun */
	uint32_t lock_page; /* the page that SQLite leaves unused */
	int64_t last;       /* the largest rowid so far */
	int error;          /* errno of the last failure to read or write the file */
	uint8_t *cells;     /* the rows of the page that is not complete yet */
	uint32_t cell_bytes, ncells;
	uint16_t *starts;  /* where each of these rows begins in `cells` */
	uint8_t *complete; /* complete pages that are not in the file yet */
	uint32_t ncomplete;
	/* all complete leaf pages; those that are not in the file have no number yet */
	struct {
		struct btree_page *at;
		uint32_t n, cap;
	} leaves;
};

/*
 * Begins to write the rows of a table that is empty and has no index or trigger. If it has a
 * primary key, that must be its first column and its rowid. Its columns must be those of *t, at
 * most BTREE_COLUMNS, and none a fraction; texts have at most BTREE_TEXT_MOST bytes. Then each row
 * fits into a page. Constraints such as NOT NULL and CHECK are not enforced. The database must have
 * pages of BTREE_PAGE_BYTES without reserved bytes, auto_vacuum=none, no journal, and
 * locking_mode=normal. A transaction must be open. db must have no running statement during
 * btree_begin(), btree_put() and btree_end(). fd is the database's file. Returns an SQLite code;
 * SQLITE_MISMATCH means that the table does not have these columns. btree_release() must be called
 * in any case.
 */
int btree_begin(struct btree *b, const struct table *t, sqlite3 *db, int fd);

/*
 * Adds rows, in the order of increasing rowids: `count` structs of table->row_size bytes. When
 * enough pages are complete, commits the transaction, appends the pages to the file, and begins
 * another transaction. SQLite does not see the rows before btree_end(). Returns an SQLite code;
 * SQLITE_CONSTRAINT means that the rowids do not increase, SQLITE_TOOBIG that a text is too long.
 */
int btree_put(struct btree *b, const char *rows, size_t count);

/* Writes what is left and connects the pages with the root page. From then on, SQLite sees the rows
 * and may add others. Returns an SQLite code. */
int btree_end(struct btree *b);

/* Frees the members of *b, which may be { 0 }. */
void btree_release(struct btree *b);

#endif
