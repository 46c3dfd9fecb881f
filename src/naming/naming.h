/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names the objects of a program as programmers do: by variables, found in source text along the
 * call path of an allocation. Also knows which functions and libraries only serve the program. The
 * text is not parsed as by a compiler. If brackets, names and assignments do not show a variable,
 * the object is named by its code.
 */
#ifndef MEMDB_NAMING_NAMING_H
#define MEMDB_NAMING_NAMING_H

#include "base/arena.h"
#include "model/objects.h"
#include "model/votes.h"
#include "naming/source.h"
#include "symbol/type.h"

/* Does this function only pass an allocation on: the malloc family, operator new, the C++ standard
 * library, xmalloc, g_malloc, PyMem_…, _gfortran_…, Rust's alloc::…? The name may be demangled or
 * plain; false for NULL. */
bool is_allocator_frame(const char *pretty_function);

/* Is it a runtime library (libc, libstdc++, …) or the tracker? */
bool is_runtime(const struct dso *d);

/* Does this library allocate for its own use in this function, whoever calls it? True in an OpenMP
 * runtime, whose teams and barriers belong to no variable; false in functions by which the program
 * allocates. */
bool keeps_own_blocks(const struct dso *d, const char *function);

/* The sources of names. All are borrowed. */
struct naming {
	struct code *code;
	const struct objects *objects;
	const struct votes *votes;
	struct sources *sources;
	struct arena *arena; /* for the names */
	bool no_lines;
	bool drawn; /* only some of the small blocks were recorded */
};

/* An object's name and its origin. The arena or the symbol files own the strings. */
struct object_origin {
	const char *name;
	uint32_t location;    /* heap, mapping: the code location that allocates the object; 0 means
			       * none */
	struct sym_line line; /* heap, mapping: source of that location; static: source of the
			       * declaration */
	const struct sym_type *type; /* type of the elements; NULL means unknown, or the object has
				      * no sample or fault */
	const char *type_source;     /* as objects.type_source */
	uint64_t type_start;         /* offset of the first element, bytes */
	bool type_repeats;           /* elements follow one another to the end; else there is one
				      * element */
};

/* Finds the name and origin of an object. Returns false when out of memory. */
bool object_origin(const struct naming *n, uint32_t object, struct object_origin *out);

#endif
