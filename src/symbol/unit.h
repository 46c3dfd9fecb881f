/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compilation units and their addresses. Only for the sources that use libdw. */
#ifndef MEMDB_SYMBOL_UNIT_H
#define MEMDB_SYMBOL_UNIT_H

#include <elfutils/libdw.h>

#include "base/arena.h"
#include "symbol/debuginfo.h"

enum {
	UNIT_MAX_DEPTH = 200,             /* nesting of entries that is followed */
	UNIT_MAX_SPANS = 1 << 22,         /* address ranges of functions kept for one unit */
	UNIT_MAX_VARIABLE_WORK = 1 << 25, /* entries read for variables: some seconds */
	UNIT_MAX_WORK = 1 << 27,          /* entries and ranges read of one file, all told */
};

/* A function, or a function inlined into another, of a unit. */
struct scope {
	Dwarf_Off die;
	uint32_t parent; /* the function around it, index + 1; 0 none */
	uint32_t frame;  /* in struct debuginfo's frames, index + 1; 0 not read yet */
};

/* What lies from start up to the next piece; scope is index + 1, 0 none. */
struct piece {
	uint64_t start;
	uint32_t scope;
};

/* A namespace or class: entries in [start, end) of .debug_info lie in it. */
struct container {
	Dwarf_Off start, end; /* end 0: that of the one around it */
	uint32_t outer;       /* index + 1; 0 none */
};

struct unit {
	Dwarf_Die die;  /* of the line table: in split DWARF the skeleton */
	Dwarf_Die body; /* of functions and variables */
	bool read;      /* pieces and lines are */
	struct scope *scopes;
	struct piece *pieces;
	struct container *containers; /* by start */
	size_t nscopes, npieces, ncontainers;
};

struct unit_range {
	uint64_t lo, hi; /* [lo, hi) */
	uint32_t unit;
};

/* What a scope says when asked: its name, and where it was inlined. */
struct frame {
	const char *function, *call_file;
	uint32_t call_line, call_column;
};

struct debuginfo {
	uint8_t *bytes; /* of elf where they are not the file's */
	Elf *elf;
	Dwarf *dw;
	struct unit *units; /* by offset in .debug_info */
	struct unit_range *ranges;
	size_t nunits, nranges;
	struct frame *frames;
	size_t nframes, cap_frames;
	size_t no_body;        /* units whose split DWARF is not to be had */
	size_t bad_lines;      /* units whose line tables could not be read … */
	int bad_lines_error;   /* … and libdw's error number for the last */
	uint64_t work;         /* entries and ranges read so far */
	struct strings linked; /* mangled names … */
	const char **pretty;   /* … and what they stand for, by id - 1 */
	uint32_t npretty;
	struct strings paths; /* of sources, whole */
	struct arena arena;
};

/* p, or the end of the process. */
void *unit_must(void *p);

/* The unit whose code covers vaddr, or NULL. */
struct unit *unit_at(struct debuginfo *d, uint64_t vaddr);

/* Sets u->body. False where the unit (a split one's file) is not to be had. */
bool unit_body(struct unit *u);

/* The linkage name of a function or variable demangled, or its plain name, or NULL. */
const char *unit_name(struct debuginfo *d, Dwarf_Die *die);

/* unit_name(), and where that is a plain name, with the namespaces and classes around the
 * declaration (those of u that have been read): compilers give no linkage name to templates over
 * local types. */
const char *unit_full_name(struct debuginfo *d, struct unit *u, Dwarf_Die *die);

/* The path of a file number of u, as unit_path() gives it, or NULL. */
const char *unit_file(struct debuginfo *d, struct unit *u, uint64_t file);

/*
 * A path of u's line table made whole: one that is relative is so to the folder of the compilation,
 * and "folder/.." is left out. Where that folder is relative too (mapped by the compiler) the path
 * stays as it is. NULL for NULL.
 */
const char *unit_path(struct debuginfo *d, struct unit *u, const char *path);

/* Steps die to its next sibling: false at the last, and on a chain that does not lead forward. */
bool unit_next_sibling(struct debuginfo *d, Dwarf_Die *die);

#endif
