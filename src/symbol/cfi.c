/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/cfi.h"

#include <elf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/file.h"

enum {
	MAX_OPS = 512,      /* of one row: compilers write a dozen */
	MAX_ROWS = 1 << 21, /* distinct addresses of one file */
};

/* One file's section with rules. */
struct cfi_source {
	Elf *elf;
	Dwarf *dw;
	Dwarf_CFI *eh, *debug; /* eh is ours, debug is dw's */
};

/* What was asked for an address. */
struct cfi_answer {
	uint64_t vaddr;
	uint32_t row; /* position + 1 in rows, 0: there is none */
};

struct cfi {
	struct cfi_source main, separate;
	bool separate_tried;
	int nregisters; /* of the machine that unwinding follows */
	struct {
		struct cfi_answer *at;
		uint32_t n, cap;
	} answers;
	struct {
		struct cfi_row *at;
		uint32_t n, cap;
	} rows; /* each different one once */
	struct index by_vaddr, by_content;
	struct arena arena;
};

/* A row while it is read. */
struct draft {
	struct cfi_row row;
	struct cfi_op ops[MAX_OPS];
};

static void source_close(struct cfi_source *s)
{
	if (s->eh)
		dwarf_cfi_end(s->eh);
	dwarf_end(s->dw);
	elf_end(s->elf);
}

/* The image's bytes are only read: elf_memory() lacks a const. */
static void source_open(struct cfi_source *s, const struct image *im, bool eh)
{
	elf_version(EV_CURRENT);
	s->elf = elf_memory((char *)(uintptr_t)im->bytes, im->len);
	if (!s->elf)
		return;
	if (eh)
		s->eh = dwarf_getcfi_elf(s->elf);
	if (image_section(im, ".debug_frame") || image_section(im, ".zdebug_frame"))
		s->dw = dwarf_begin_elf(s->elf, DWARF_C_READ, NULL);
	if (s->dw)
		s->debug = dwarf_getcfi(s->dw);
}

void cfi_close(struct cfi *c)
{
	if (!c)
		return;
	source_close(&c->main);
	source_close(&c->separate);
	free(c->answers.at);
	free(c->rows.at);
	index_release(&c->by_vaddr);
	index_release(&c->by_content);
	arena_release(&c->arena);
	free(c);
}

static struct cfi *file_cfi(struct sym_file *f)
{
	struct cfi *c;

	if (f->cfi_tried)
		return f->cfi;
	f->cfi_tried = true;
	if (!f->image.bytes || !f->image.is64 || f->image.swap ||
	    (f->image.machine != EM_X86_64 && f->image.machine != EM_AARCH64))
		return NULL;
	f->cfi = c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->nregisters = f->image.machine == EM_X86_64 ? 17 : 32;
	source_open(&c->main, &f->image, true);
	return c;
}

static bool add_ops(struct draft *d, uint8_t reg, const Dwarf_Op *ops, size_t n)
{
	struct cfi_rule *rule = &d->row.rules[d->row.nrules];

	if (n > UINT8_MAX || n > (size_t)(MAX_OPS - d->row.nops))
		return false;
	*rule = (struct cfi_rule){ .reg = reg, .n = (uint8_t)n, .first = d->row.nops };
	for (size_t i = 0; i < n; i++) {
		struct cfi_op *op = &d->ops[d->row.nops++];

		memset(op, 0, sizeof(*op)); /* rows are compared as bytes */
		op->atom = ops[i].atom;
		op->number = ops[i].number;
		op->number2 = ops[i].number2;
		op->offset = (uint32_t)ops[i].offset;
	}
	return true;
}

/* False where libdw finds the rules unsound, or the CFA cannot be told. */
static bool read_rules(const struct cfi *c, Dwarf_Frame *frame, struct draft *d)
{
	Dwarf_Op mem[3], *ops;
	bool signal = false;
	size_t n;
	int ra = dwarf_frame_info(frame, NULL, NULL, &signal);

	if (ra < 0 || ra >= c->nregisters || dwarf_frame_cfa(frame, &ops, &n) != 0 || !n ||
	    !add_ops(d, 0, ops, n))
		return false;
	d->row.ra = (uint8_t)ra;
	d->row.signal = signal;
	for (int reg = 0; reg < c->nregisters; reg++) {
		if (dwarf_frame_register(frame, reg, mem, &ops, &n) != 0)
			return false;
		if (!n) {
			d->row.undefined |= (uint64_t)(ops == mem) << reg;
			continue;
		}
		d->row.nrules++;
		if (!add_ops(d, (uint8_t)reg, ops, n))
			return false;
	}
	return true;
}

static bool read_source(const struct cfi *c, Dwarf_CFI *source, uint64_t vaddr, struct draft *d)
{
	Dwarf_Frame *frame = NULL;
	bool ok;

	memset(&d->row, 0, sizeof(d->row));
	if (!source || dwarf_cfi_addrframe(source, vaddr, &frame) != 0)
		return false;
	ok = read_rules(c, frame, d);
	free(frame);
	return ok;
}

static bool read_row(struct sym_file *f, struct cfi *c, uint64_t vaddr, struct draft *d)
{
	if (read_source(c, c->main.eh, vaddr, d) || read_source(c, c->main.debug, vaddr, d))
		return true;
	if (!c->separate_tried) {
		c->separate_tried = true;
		file_find_debug(f);
		if (f->debug.bytes)
			source_open(&c->separate, &f->debug, false);
	}
	return read_source(c, c->separate.debug, vaddr, d);
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

/* The position + 1 of the row, which may be there already; 0 when out of memory. */
static uint32_t keep_row(struct cfi *c, struct draft *d)
{
	size_t bytes = d->row.nops * sizeof(*d->ops);
	uint32_t hash = hash_bytes(&d->row, offsetof(struct cfi_row, ops), 0), place, id;
	struct cfi_op *copy;

	hash = place = hash_bytes(d->ops, bytes, hash);
	d->row.ops = d->ops;
	while ((id = index_next(&c->by_content, hash, &place)))
		if (same_row(&c->rows.at[id - 1], &d->row))
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
	struct draft d;

	if (!c)
		return NULL;
	while ((id = index_next(&c->by_vaddr, hash, &place)))
		if (c->answers.at[id - 1].vaddr == vaddr)
			break;
	if (id) {
		row = c->answers.at[id - 1].row;
	} else if (c->answers.n < MAX_ROWS) {
		if (read_row(f, c, vaddr, &d))
			row = keep_row(c, &d);
		if (!VEC_ROOM(&c->answers) || !index_add(&c->by_vaddr, hash, c->answers.n + 1))
			return NULL;
		c->answers.at[c->answers.n++] = (struct cfi_answer){ vaddr, row };
	}
	return row ? &c->rows.at[row - 1] : NULL;
}
