/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the symbol that covers an address, in a table that is sorted by address and has one symbol
 * for each address. A lookup is a binary search. Names are borrowed.
 */
#ifndef MEMDB_SYMBOL_SYMTAB_H
#define MEMDB_SYMBOL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/elf_image.h"

struct symtab_entry {
	/* vaddrs. If `sized` is false, end is the start of the next symbol, or the `end` that
	 * symtab_add() got */
	uint64_t start, end;
	const char *name; /* points into the text or image that the symbol was read from */
	/* what sym_symbol_at() returns; NULL before the first call for it */
	struct sym_symbol *shown;
	uint32_t outer; /* the symbol that encloses this one: its id; 0 means none */
	/* if several symbols have one address, the symbol with the highest rank is kept */
	uint16_t rank;
	bool sized, code;
};

/* { 0 } is an empty table. */
struct symtab {
	struct symtab_entry *entries;
	size_t n, cap;
	size_t dropped; /* number of symbols that did not fit: the table has room for 16 Mi */
};

void symtab_release(struct symtab *t);

/* Adds a symbol that covers [start, start + size). If size is 0, it covers the addresses up to the
 * next symbol, at most up to `end`. Returns 0 or MD_ENOMEM. */
int symtab_add(struct symtab *t, const char *name, uint64_t start, uint64_t size, uint64_t end,
	       bool code, uint16_t rank);

/* Adds the symbols of .symtab and .dynsym: functions, objects, and those that have no type but are
 * in code. Their names are borrowed from im. Returns 0 or MD_ENOMEM. */
int symtab_add_image(struct symtab *t, const struct image *im);

/* Does im have the section .symtab, which lists all symbols? (.dynsym lists only symbols that other
 * files can use.) */
bool symtab_is_full(const struct image *im);

/* Sorts the table. Must be called once, between the last added symbol and the first lookup. */
void symtab_sort(struct symtab *t);

/* Returns the innermost symbol that covers vaddr, or NULL. */
struct symtab_entry *symtab_find(const struct symtab *t, uint64_t vaddr);

/* One row of an ELF symbol table. The name is valid and not empty. */
struct symtab_row {
	const char *name; /* points into the image */
	uint64_t value, size;
	uint8_t type, bind; /* STT_* and STB_* */
	const struct image_section *section;
};

typedef int (*symtab_row_fn)(const struct symtab_row *row, void *arg);

/* Calls fn for each symbol that the image defines, except absolute symbols and those that only mark
 * code or data ("$x", "$d"). Stops at the first non-zero result of fn and returns it. */
int symtab_each(const struct image *im, symtab_row_fn fn, void *arg);

/* Returns a rank: how well a symbol names its address. The criteria are those of perf. The most
 * important one is that the symbol has a size. The others follow in the order of their weight: it
 * is not weak, it is not local, it has few leading underscores, it has no version. */
uint16_t symtab_rank(const struct symtab_row *row);

#endif
