/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/cfi.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/cfi_program.h"
#include "symbol/file.h"

enum {
	/* maximum number of addresses of one file for which rules are looked up; further addresses
	 * have no rules */
	MAX_ROWS = 1 << 21,
	/* maximum number of instructions of unwind entries that are executed for one file, so that
	 * a hostile file takes a second or two at most */
	MAX_WORK = 1 << 28,
};

/* The sections with unwind rules, in the order in which they are searched. SEPARATE is .debug_frame
 * of the separate debug file. */
enum { EH_FRAME, DEBUG_FRAME, SEPARATE, TABLES };

/* The cached row of one address. An address without rules is cached, too, so that it is not
 * searched again. */
struct cfi_answer {
	uint64_t vaddr;
	/* position + 1 in cfi.rows; 0 means that there are no rules for the address */
	uint32_t row;
};

struct cfi {
	struct cfi_table tables[TABLES];
	bool tried[TABLES];
	/* number of instructions of unwind entries that may still be executed: MAX_WORK at the
	 * start */
	uint64_t work;
	struct {
		struct cfi_answer *at;
		uint32_t n, cap;
	} answers;
	struct {
		struct cfi_row *at;
		uint32_t n, cap;
	} rows; /* the rows, without duplicates: many addresses have equal rows */
	struct index by_vaddr, by_content;
	struct cfi_draft draft; /* the row that is being built */
	struct arena arena;
};

void cfi_close(struct cfi *c)
{
	if (!c)
		return;
	for (int i = 0; i < TABLES; i++)
		cfi_table_close(&c->tables[i]);
	free(c->answers.at);
	free(c->rows.at);
	index_release(&c->by_vaddr);
	index_release(&c->by_content);
	arena_release(&c->arena);
	free(c);
}

static struct cfi *file_cfi(struct sym_file *f)
{
	if (f->cfi_tried)
		return f->cfi;
	f->cfi_tried = true;
	if (!f->image.bytes || !f->image.is64 || f->image.swap ||
	    (f->image.machine != EM_X86_64 && f->image.machine != EM_AARCH64))
		return NULL;
	f->cfi = calloc(1, sizeof(*f->cfi));
	if (f->cfi)
		f->cfi->work = MAX_WORK;
	return f->cfi;
}

/* Returns the entries of section i (EH_FRAME, DEBUG_FRAME or SEPARATE). They are read at the first
 * call. */
static const struct cfi_table *table_at(struct sym_file *f, struct cfi *c, int i)
{
	if (c->tried[i])
		return &c->tables[i];
	c->tried[i] = true;
	if (i == SEPARATE)
		file_find_debug(f);
	if (i != SEPARATE)
		cfi_table_open(&c->tables[i], &f->image, i == EH_FRAME);
	else if (f->debug.bytes && f->debug.is64 && !f->debug.swap)
		cfi_table_open(&c->tables[i], &f->debug, false);
	return &c->tables[i];
}

static bool read_row(struct sym_file *f, struct cfi *c, uint64_t vaddr, struct cfi_draft *d)
{
	struct cfi_entry e;

	for (int i = 0; i < TABLES; i++) {
		const struct cfi_table *t = table_at(f, c, i);

		if (cfi_table_find(t, vaddr, &e) &&
		    cfi_program_row(t, &e, f->image.machine, vaddr, &c->work, d))
			return true;
	}
	return false;
}

bool file_cfi_function(struct sym_file *f, uint64_t vaddr, uint64_t *start, uint64_t *end)
{
	struct cfi *c = file_cfi(f);
	struct cfi_entry e;

	if (!c || !cfi_table_find(table_at(f, c, EH_FRAME), vaddr, &e))
		return false;
	*start = e.lo;
	*end = e.hi;
	return true;
}

bool file_cfi_landing(struct sym_file *f, uint64_t vaddr, uint64_t *table)
{
	struct cfi *c = file_cfi(f);
	struct cfi_entry e;

	if (!c || !cfi_table_find(table_at(f, c, EH_FRAME), vaddr, &e))
		return false;
	*table = e.landing;
	return e.landing;
}

static uint32_t hash_bytes(const void *p, size_t n, uint32_t h)
{
	const uint8_t *b = p;
	uint64_t w;

	for (; n >= sizeof(w); n -= sizeof(w), b += sizeof(w)) {
		memcpy(&w, b, sizeof(w));
		h = index_hash(w, h);
	}
	return h;
}

static bool same_row(const struct cfi_row *a, const struct cfi_row *b)
{
	return !memcmp(a, b, offsetof(struct cfi_row, ops)) &&
	       !memcmp(a->ops, b->ops, a->nops * sizeof(*a->ops));
}

/* Copies d->row to c->rows, unless an equal row is there already. Returns the row's position + 1; 0
 * means out of memory. */
static uint32_t keep_row(struct cfi *c, struct cfi_draft *d)
{
	size_t bytes = d->row.nops * sizeof(*d->ops);
	uint32_t hash = hash_bytes(&d->row, offsetof(struct cfi_row, ops), 0), place, id;
	struct cfi_op *copy;

	hash = place = hash_bytes(d->ops, bytes, hash);
	d->row.ops = d->ops;
	while ((id = index_next(&c->by_content, hash, &place)))
		if (same_row(&AT_ID(c->rows, id), &d->row))
			return id;
	copy = arena_alloc(&c->arena, bytes);
	if (!copy || !VEC_ROOM(&c->rows) || !index_add(&c->by_content, hash, c->rows.n + 1))
		return 0;
	memcpy(copy, d->ops, bytes);
	d->row.ops = copy;
	c->rows.at[c->rows.n++] = d->row;
	return c->rows.n;
}

const struct cfi_row *file_cfi_row(struct sym_file *f, uint64_t vaddr)
{
	uint32_t hash = index_hash(vaddr, 0), place = hash, id, row = 0;
	struct cfi *c = file_cfi(f);

	if (!c)
		return NULL;
	while ((id = index_next(&c->by_vaddr, hash, &place)))
		if (AT_ID(c->answers, id).vaddr == vaddr)
			break;
	if (id) {
		row = AT_ID(c->answers, id).row;
	} else if (c->answers.n < MAX_ROWS) {
		if (read_row(f, c, vaddr, &c->draft))
			row = keep_row(c, &c->draft);
		if (!VEC_ROOM(&c->answers) || !index_add(&c->by_vaddr, hash, c->answers.n + 1))
			return NULL;
		c->answers.at[c->answers.n++] = (struct cfi_answer){ vaddr, row };
	}
	return row ? &AT_ID(c->rows, row) : NULL;
}
