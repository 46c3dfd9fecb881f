/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compilation units and their addresses. Only for the sources that call libdw. */
#ifndef MEMDB_SYMBOL_UNIT_H
#define MEMDB_SYMBOL_UNIT_H

#include <elfutils/libdw.h>

#include "base/arena.h"
#include "symbol/debuginfo.h"

enum {
	UNIT_MAX_DEPTH = 200,             /* maximum nesting of entries */
	UNIT_MAX_SPANS = 1 << 22,         /* address ranges of functions per unit */
	UNIT_MAX_VARIABLE_WORK = 1 << 25, /* entries read for variables: takes a few seconds */
	UNIT_MAX_WORK = 1 << 27,          /* entries and ranges read per file, in all */
};

/* A function, or a function inlined into another, of a unit. */
struct scope {
	Dwarf_Off die;
	uint32_t parent; /* the enclosing function, index + 1; 0 none */
	uint32_t frame;  /* in struct debuginfo's frames, index + 1; 0 not read yet */
};

/* The code from start to the next piece; scope is index + 1, 0 none. */
struct piece {
	uint64_t start;
	uint32_t scope;
};

/* A namespace or class. It contains the entries in [start, end) of .debug_info. */
struct container {
	Dwarf_Off start, end; /* end 0: that of the enclosing one */
	uint32_t outer;       /* index + 1; 0 none */
};

/* The layout of a class: see type_layout(). */
struct laid_out {
	const void *die;
	struct sym_type type;
};

/* A type or variable of a unit by its name. */
struct named {
	uint32_t hash;
	bool is_variable;
	Dwarf_Off die;
};

struct unit {
	Dwarf_Die die;  /* the unit of the line table: in split DWARF the skeleton */
	Dwarf_Die body; /* the unit of functions and variables */
	bool read;      /* pieces and lines have been read */
	struct scope *scopes;
	struct piece *pieces;
	struct container *containers; /* by start */
	size_t nscopes, npieces, ncontainers;
	bool names_read;
	struct {
		struct named *at;
		uint32_t n, cap;
	} names; /* by hash */
};

struct unit_range {
	uint64_t lo, hi; /* [lo, hi) */
	uint32_t unit;
};

/* A scope's name, and where it was inlined. */
struct frame {
	const char *function, *call_file;
	uint32_t call_line, call_column;
};

struct debuginfo {
	uint8_t *bytes; /* memory of elf, if it is not the file's own */
	Elf *elf;
	Dwarf *dw;
	struct unit *units; /* by offset in .debug_info */
	struct unit_range *ranges;
	size_t nunits, nranges;
	struct frame *frames;
	size_t nframes, cap_frames;
	size_t no_body;        /* units whose split DWARF is missing */
	size_t bad_lines;      /* units whose line tables could not be read … */
	int bad_lines_error;   /* … and libdw's error number for the last */
	uint64_t work;         /* entries and ranges read so far */
	struct strings linked; /* mangled names … */
	const char **pretty;   /* … and what they stand for, by id - 1 */
	uint32_t npretty;
	struct {
		struct laid_out *at;
		uint32_t n, cap;
	} layouts;
	struct index layout_index;
	struct strings paths; /* absolute paths of sources */
	struct arena arena;
};

/* Returns p, or ends the process if p is NULL. */
void *unit_must(void *p);

/* The unit whose code covers vaddr, or NULL. */
struct unit *unit_at(struct debuginfo *d, uint64_t vaddr);

/* The unit of an entry; NULL: it is in no unit of code. */
struct unit *unit_of(struct debuginfo *d, Dwarf_Die *die);

/* Sets u->body. False if the unit is not available (a missing file of split DWARF). */
bool unit_body(struct unit *u);

/* The demangled linkage name of a function or variable, else its plain name, else NULL. */
const char *unit_name(struct debuginfo *d, Dwarf_Die *die);

/* As unit_name(), but a plain name gets its enclosing namespaces and classes (those of u that
 * have been read): compilers give no linkage name to templates over local types. */
const char *unit_full_name(struct debuginfo *d, struct unit *u, Dwarf_Die *die);

/* The path of a file number of u, as unit_path() gives it, or NULL. */
const char *unit_file(struct debuginfo *d, struct unit *u, uint64_t file);

/*
 * Makes a path of u's line table absolute: a relative one is relative to the folder of the
 * compilation. Removes "folder/..". If that folder is itself relative (mapped by the compiler), the
 * path is unchanged. NULL for NULL.
 */
const char *unit_path(struct debuginfo *d, struct unit *u, const char *path);

/* Moves die to its next sibling. False at the last one, or if the chain leads backward. */
bool unit_next_sibling(struct debuginfo *d, Dwarf_Die *die);

/* The innermost scope of u at vaddr, index + 1; 0 if there is none. Reads the unit at first use. */
uint32_t unit_scope_at(struct debuginfo *d, struct unit *u, uint64_t vaddr);

/*
 * The name of a variable, with the function around it: "function::variable", as C++ compilers call
 * static variables of functions; of a parallel region the function that it is a part of. Plain for
 * those of gfortran's main program; "block::variable" in a COMMON block. NULL if it has none.
 */
const char *unit_name_in(struct debuginfo *d, Dwarf_Die *die, Dwarf_Die *function);

/* Where the entry is, for sym_type(). */
struct sym_entry unit_entry(const struct debuginfo *d, const struct unit *u, Dwarf_Die *die);

/* The bytes that a variable's type has, 0 if they are not known. */
uint64_t unit_size_of(Dwarf_Die *die);

/* Where a variable is declared, as far as that is known; *file and *line are not changed
 * otherwise. */
void unit_declaration(struct debuginfo *d, struct unit *u, Dwarf_Die *die, const char **file,
		      uint32_t *line);

#endif
