/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of an open file. Internal to this folder. */
#ifndef MEMDB_SYMBOL_FILE_H
#define MEMDB_SYMBOL_FILE_H

#include "base/arena.h"
#include "base/index.h"
#include "symbol/cfi.h"
#include "symbol/dwarf_file.h"
#include "symbol/elf_image.h"
#include "symbol/symtab.h"

struct sym_file {
	enum sym_state state;
	const char *doubt; /* what sym_file_doubt() returns */
	char *path;        /* path of the opened file, with `root` before it */
	char *root, *debug_dirs;
	bool no_lines, debuginfod;
	bool absolute; /* offsets are addresses and not positions in a file: kallsyms, perf maps */

	struct image image; /* the file itself */
	struct image debug; /* its separate debug file */
	char *debug_path;
	struct image mini; /* the symbol table in its .gnu_debugdata */
	bool debug_searched;

	struct symtab symtab;
	bool symtab_loaded;
	/* text of kallsyms or of a perf map, or the name of a single symbol; names of symbols point
	 * into it */
	char *text;

	struct dwarf *dwarf;
	bool dwarf_tried;

	struct cfi *cfi;
	bool cfi_tried;

	struct sym_variable *variables;
	size_t nvariables;
	bool variables_loaded;

	struct {
		struct sym_section *at; /* sorted by vaddr */
		uint32_t n, cap;
		bool loaded;
	} sections;

	struct {
		struct file_locals {
			uint64_t vaddr;
			/* n elements, in the arena: first those in memory, then those that
			 * have `points`, then those that have `passed` */
			const struct sym_local *at;
			uint32_t n, in_memory, pointers;
		} * at;
		uint32_t n, cap;
	} locals;
	struct index locals_index;

	struct {
		struct file_uses {
			uint64_t function;        /* vaddr */
			const struct sym_use *at; /* what sym_uses() returns, in the arena */
			size_t n;
		} * at;
		uint32_t n, cap;
	} uses;
	struct index uses_index;
	uint64_t uses_read; /* bytes that were read to find uses */
	struct {
		char name[32]; /* of the last search; "" means none */
		const struct sym_symbol *symbol;
	} named; /* see sym_function_named() */

	struct {
		struct sym_type **at; /* each element is in the arena */
		uint32_t n, cap;
	} types;
	struct index types_index;

	struct arena arena; /* owns the names and symbols that callers get */
};

/* Returns the symbols, which are read at the first call. */
struct symtab *file_symtab(struct sym_file *f);

/* Returns the DWARF of the file or of its debug file, which is opened at the first call; NULL if
 * there is no DWARF, or if f->no_lines is set. */
struct dwarf *file_dwarf(struct sym_file *f);

/* At the first call, looks for the separate debug file and, if there is none, for .gnu_debugdata.
 * Sets f->debug, f->debug_path and f->mini. */
void file_find_debug(struct sym_file *f);

#endif
