/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programmers call the objects of a program: names of variables from source text, along the
 * call path of an allocation; and which functions and libraries only work for the program.
 *
 * Text is not parsed as a compiler does: what brackets, names and assignments do not show has no
 * answer here, and code names the object.
 */
#ifndef MEMDB_NAMING_NAMING_H
#define MEMDB_NAMING_NAMING_H

#include "base/arena.h"
#include "model/objects.h"
#include "naming/source.h"

/*
 * True for functions that only pass an allocation on: malloc and its kin, operator new, the
 * standard library of C++, xmalloc, g_malloc, PyMem_…, _gfortran_…, alloc::… of Rust. Takes the
 * name demangled or plain; NULL is none.
 */
bool is_allocator_frame(const char *pretty_function);

/* Is it one of the libraries that every program has below it (libc, libstdc++, …), or the tracker?
 */
bool is_runtime(const struct dso *d);

/* What names are made of. All is borrowed. */
struct naming {
	struct code *code;
	const struct objects *objects;
	struct sources *sources;
	struct arena *arena; /* for the names */
	bool no_lines;
	bool drawn; /* only some of the small blocks were recorded */
};

/* What an object is called and why. Strings are owned by the arena or the files of symbols. */
struct object_origin {
	const char *name;
	uint32_t location;    /* heap, mapping: the code that shows where it comes from; 0 none */
	struct sym_line line; /* of it; static: of its declaration */
};

/* False when out of memory. */
bool object_origin(const struct naming *n, uint32_t object, struct object_origin *out);

#endif
