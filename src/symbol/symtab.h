/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols sorted by address, one per address, to find the one that covers an address. Adding is
 * O(n), sorting O(n log n) once, a lookup a binary search; names stay where they are.
 */
#ifndef MEMDB_SYMBOL_SYMTAB_H
#define MEMDB_SYMBOL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/image.h"

struct symtab_entry {
	uint64_t start, end;      /* vaddr; end is that of the next symbol where !sized */
	const char *name;         /* borrowed */
	struct sym_symbol *shown; /* the symbol that sym_symbol_at() has returned for it */
	uint32_t outer;           /* index + 1 of the symbol around this one; 0 none */
	uint16_t rank;            /* of several at one address the highest is kept */
	bool sized, code;
};

/* { 0 } is an empty table. */
struct symtab {
	struct symtab_entry *entries;
	size_t n, cap;
	size_t dropped; /* symbols beyond the limit of 16 M */
};

void symtab_release(struct symtab *t);

/* A symbol as /proc/kallsyms has them. `end` bounds it where size is 0. 0 or MD_ENOMEM. */
int symtab_add(struct symtab *t, const char *name, uint64_t start, uint64_t size, uint64_t end,
	       bool code, uint16_t rank);

/* All functions and objects of .symtab and .dynsym, whose names are borrowed from im. 0 or
 * MD_ENOMEM. */
int symtab_add_image(struct symtab *t, const struct image *im);

/* True where im has a .symtab. */
bool symtab_is_full(const struct image *im);

/* To be called once after the last symbol and before the first lookup. */
void symtab_sort(struct symtab *t);

/* The innermost symbol that covers vaddr; NULL where none does. */
struct symtab_entry *symtab_find(const struct symtab *t, uint64_t vaddr);

/* One row of an ELF symbol table, whose name is checked and not empty. */
struct symtab_row {
	const char *name; /* borrowed from the image */
	uint64_t value, size;
	uint8_t type, bind; /* STT_*, STB_* */
	const struct image_section *section;
};

typedef int (*symtab_row_fn)(const struct symtab_row *row, void *arg);

/* Calls fn for every defined symbol of the image; stops at and returns its first non-zero result.
 */
int symtab_each(const struct image *im, symtab_row_fn fn, void *arg);

/* How well a symbol names its address: sized before not, strong before weak, global before local,
 * few leading underscores, no version suffix. perf ranks alike. */
uint16_t symtab_rank(const struct symtab_row *row);

#endif
