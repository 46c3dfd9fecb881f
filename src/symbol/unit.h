/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compilation units and their addresses. Private to the files that call libdw. */
#ifndef MEMDB_SYMBOL_UNIT_H
#define MEMDB_SYMBOL_UNIT_H

#include <elfutils/libdw.h>

#include "base/arena.h"
#include "symbol/debuginfo.h"

enum {
	UNIT_MAX_DEPTH = 200,             /* maximum nesting of entries */
	UNIT_MAX_SPANS = 1 << 22,         /* address ranges of functions per unit */
	UNIT_MAX_VARIABLE_WORK = 1 << 25, /* entries read for variables: takes a few seconds */
	UNIT_MAX_WORK = 1 << 27,          /* entries and ranges read per file, in total */
};

/* A function of a unit, or a function inlined into another. */
struct scope {
	Dwarf_Off die;
	uint32_t parent; /* enclosing function, index + 1; 0 means none */
	uint32_t frame;  /* index + 1 in struct debuginfo's frames; 0 means not read yet */
};

/* The code from start to the next piece. scope is index + 1; 0 means none. */
struct piece {
	uint64_t start;
	uint32_t scope;
};

/* A namespace or class. It contains the entries at [start, end) of .debug_info. */
struct container {
	Dwarf_Off start, end; /* end 0 means that of the enclosing container */
	uint32_t outer;       /* index + 1; 0 means none */
};

/* The layout of a class: see type_layout(). */
struct laid_out {
	const void *die;
	struct sym_type type;
};

/* A type or variable of a unit, to be found by name. */
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

/* The name of a scope, and the place where it was inlined. */
struct frame {
	const char *function, *call_file;
	uint32_t call_line, call_column;
};

struct debuginfo {
	uint8_t *bytes; /* memory of elf, if it is not the file's own mapping */
	Elf *elf;
	Dwarf *dw;
	struct unit *units; /* by offset in .debug_info */
	struct unit_range *ranges;
	size_t nunits, nranges;
	struct frame *frames;
	size_t nframes, cap_frames;
	size_t no_body;        /* units whose split DWARF is missing */
	size_t bad_lines;      /* units whose line tables could not be read */
	int bad_lines_error;   /* libdw's error number for the last of bad_lines */
	uint64_t work;         /* entries and ranges read so far */
	struct strings linked; /* mangled names and other names */
	const char **pretty;   /* demangled names, by the id in linked - 1 */
	uint32_t npretty;
	struct {
		struct laid_out *at;
		uint32_t n, cap;
	} layouts;
	struct index layout_index;
	struct strings paths; /* absolute paths of sources */
	struct arena arena;
};

/* Returns p. If p is NULL (out of memory), ends the process with CHILD_NO_MEMORY. */
void *unit_must(void *p);

/* Returns the unit whose code covers vaddr, or NULL. */
struct unit *unit_at(struct debuginfo *d, uint64_t vaddr);

/* Returns the unit that contains an entry, or NULL if the unit is not known. */
struct unit *unit_of(struct debuginfo *d, Dwarf_Die *die);

/* Sets u->body. Returns false if the unit is not available (a missing file of split DWARF). */
bool unit_body(struct unit *u);

/* Returns the demangled linkage name of a function or variable, else its plain name, else NULL. */
const char *unit_name(struct debuginfo *d, Dwarf_Die *die);

/* Does what unit_name() does, but adds namespaces and classes (those of u that have been read) to a
 * plain name, because compilers give no linkage name to templates over local types. */
const char *unit_full_name(struct debuginfo *d, struct unit *u, Dwarf_Die *die);

/* Returns the path of file number `file` of u, as unit_path() does, or NULL. */
const char *unit_file(struct debuginfo *d, struct unit *u, uint64_t file);

/* Makes a path of u's line table absolute, starting from the folder of the compilation, and removes
 * "folder/..". If that folder is itself relative (mapped by the compiler), returns the path
 * unchanged. NULL for NULL. */
const char *unit_path(struct debuginfo *d, struct unit *u, const char *path);

/* Moves die to its next sibling. Returns false at the last one, if the chain leads backward, or if
 * the work limit is reached. */
bool unit_next_sibling(struct debuginfo *d, Dwarf_Die *die);

/* Returns the innermost scope of u at vaddr, index + 1; 0 if there is none. The first call reads
 * the unit. */
uint32_t unit_scope_at(struct debuginfo *d, struct unit *u, uint64_t vaddr);

/*
 * Returns the name of a variable as "function::variable". For a parallel region, the function is
 * the one that contains the region. In a COMMON block it is "block::variable". In gfortran's main
 * program, and for a variable with a linkage name, it is only the variable's name. NULL if there is
 * no name.
 */
const char *unit_name_in(struct debuginfo *d, Dwarf_Die *die, Dwarf_Die *function);

/* Returns the position of the entry, for sym_type(). */
struct sym_entry unit_entry(const struct debuginfo *d, const struct unit *u, Dwarf_Die *die);

/* Returns the size of a variable's type in bytes; 0 means unknown. */
uint64_t unit_size_of(Dwarf_Die *die);

/*
 * Gets the file and line of a variable's declaration. Leaves *file or *line unchanged if unknown.
 */
void unit_declaration(struct debuginfo *d, struct unit *u, Dwarf_Die *die, const char **file,
		      uint32_t *line);

#endif
