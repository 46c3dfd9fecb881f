/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of symbols sorted by address, one per address, that finds the symbol that covers an
 * address. Adding takes O(n), sorting once O(n log n), a lookup is a binary search. Names are
 * borrowed.
 */
#ifndef MEMDB_SYMBOL_SYMTAB_H
#define MEMDB_SYMBOL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/image.h"

struct symtab_entry {
	uint64_t start, end;      /* vaddrs; if !sized, end is the start of the next symbol or
				   * the end of the section */
	const char *name;         /* borrowed */
	struct sym_symbol *shown; /* result of sym_symbol_at(), once it was asked for; else NULL */
	uint32_t outer;           /* index + 1 of the enclosing symbol; 0 means none */
	uint16_t rank;            /* of several symbols at one address, the one with the highest
				   * rank is kept */
	bool sized, code;
};

/* { 0 } is an empty table. */
struct symtab {
	struct symtab_entry *entries;
	size_t n, cap;
	size_t dropped; /* symbols beyond the limit of 16 Mi (count) */
};

void symtab_release(struct symtab *t);

/* Adds a symbol. If size is 0, it ends at `end` at the latest. Returns 0 or MD_ENOMEM. */
int symtab_add(struct symtab *t, const char *name, uint64_t start, uint64_t size, uint64_t end,
	       bool code, uint16_t rank);

/* Adds all functions and objects of .symtab and .dynsym. Borrows their names from im. Returns 0 or
 * MD_ENOMEM. */
int symtab_add_image(struct symtab *t, const struct image *im);

/* Does im have a .symtab? */
bool symtab_is_full(const struct image *im);

/* Sorts the table. Call it once, after the last symbol is added and before the first lookup. */
void symtab_sort(struct symtab *t);

/* Returns the innermost symbol that covers vaddr, or NULL. */
struct symtab_entry *symtab_find(const struct symtab *t, uint64_t vaddr);

/* One row of an ELF symbol table. The name is valid and not empty. */
struct symtab_row {
	const char *name; /* borrowed from the image */
	uint64_t value, size;
	uint8_t type, bind; /* STT_*, STB_* */
	const struct image_section *section;
};

typedef int (*symtab_row_fn)(const struct symtab_row *row, void *arg);

/* Calls fn for every defined symbol of the image. Stops at fn's first non-zero result and returns
 * it. */
int symtab_each(const struct image *im, symtab_row_fn fn, void *arg);

/* Ranks how well a symbol names its address, as perf does. In order of weight: has a size, is not
 * weak, is not local, has few leading underscores, has no version suffix. */
uint16_t symtab_rank(const struct symtab_row *row);

#endif
