/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the names of objects. A heap block is named after the variable to which the program assigns
 * it. The variable is searched in the source text along the call path of the allocation. Also finds
 * out which functions belong to allocators and runtime libraries and not to the program.
 *
 * The source text is not parsed. Its brackets, names and assignments must show the variable. If
 * they do not, the object is named after the function and line that allocate it. */
#ifndef MEMDB_NAMING_NAMING_H
#define MEMDB_NAMING_NAMING_H

#include "base/arena.h"
#include "model/objects.h"
#include "model/votes.h"
#include "naming/source.h"
#include "symbol/type.h"

/* Does this function only pass an allocation on: the malloc family, operator new, the C++ standard
 * library, xmalloc, g_malloc, PyMem_…, _gfortran_…, Rust's alloc::…? The name may be demangled or
 * plain; NULL yields false. `file` is the function's source file, which distinguishes Rust's core::
 * from a C++ namespace of this name; NULL means unknown. */
bool is_allocator_frame(const char *pretty_function, const char *file);

/* Is the file a runtime library (libc, libstdc++, …), the vDSO or the tracker? */
bool is_runtime(const struct dso *d);

/* Does this function of the file d not belong to the program itself, so that it shows nothing about
 * the purpose of a block? True for runtime libraries, for allocators, and for functions of libc
 * that are linked into the program. `function` and its source file `file` are NULL if they are
 * unknown. */
bool is_service_frame(const struct dso *d, const char *function, const char *file);

/* Does a function of this library allocate for the library's own use, whoever calls it? True for an
 * OpenMP runtime: its teams and barriers belong to no variable of the program. False for those of
 * its functions with which the program allocates, such as omp_alloc(). */
bool keeps_own_blocks(const struct dso *d, const char *function);

/* If the function is one of the C or C++ library that allocates only for its own work, as qsort(),
 * parallel algorithms and std::stable_sort do, returns the purpose of its blocks. Otherwise returns
 * NULL. */
const char *scratch_of(const char *function);

/* Returns which part of a standard container this function allocates, such as " (nodes)"; "" for
 * other functions. */
const char *container_part(const char *function);

/* To be called for the functions of a call path one after the other, from the allocation outwards.
 * Returns true for a method of a container of the C++ library that constructs one of its elements,
 * if the functions inside allocate for this element, as for the rows of a
 * std::vector<std::vector<T>>. *constructs, which must be false at first, keeps what the functions
 * inside show. */
bool constructs_element(bool *constructs, const char *function);

/* Are the mappings of object x, made by code of file d, arenas of Python's allocator? An arena
 * contains objects of all kinds. The code that happened to need a new arena shows nothing about
 * these objects. */
bool is_python_arenas(const struct dso *d, const struct object *x);

/* The source frames that were found along earlier paths, and the short names of functions. The
 * paths of a program's objects have most steps in common, and finding the frames of one means to
 * read debug information and to decode code. Grows with the number of different steps.
 * known_frames_new() returns NULL when out of memory; known_frames_free() accepts NULL. */
struct known_frames;
struct known_frames *known_frames_new(void);
void known_frames_free(struct known_frames *k);

/* The input of naming. The struct owns nothing. */
struct naming {
	struct code *code;
	const struct objects *objects;
	const struct votes *votes;
	struct sources *sources;
	struct known_frames *known_frames;
	struct arena *arena; /* owns the strings of the names that are found */
	/* names of the functions that the user declared as wrappers of an allocator; a NULL element
	 * ends the list. NULL means that there are none */
	char *const *wrappers;
	/* for each element of wrappers: set to true when a function with this name allocates. NULL
	 * means that this is not recorded */
	bool *wrappers_met;
	bool no_lines;
	/* the tracker recorded only some of the small blocks, so it is not certain which object was
	 * allocated first */
	bool drawn;
};

/* An object's name and origin. Its strings belong to the arena or to the symbol files. */
struct object_origin {
	const char *name;
	/* the name is that of the code that allocates the object, because no variable was found */
	bool is_code;
	/* for heap blocks and mappings: location of the code that allocates the object; 0 means
	 * none */
	uint32_t location;
	/* for heap blocks and mappings: source line of that location; for static and local
	 * variables: line of the declaration */
	struct sym_line line;
	/* for heap blocks and mappings: the function that the code at `line` called to get the
	 * block, without template arguments and parameters; NULL means the allocator itself, or
	 * unknown */
	const char *wrapper;
	/* type of the elements; NULL means unknown. An object with neither samples nor page faults
	 * gets no type */
	const struct sym_type *type;
	const char *type_source; /* how the type was found; text for objects.type_source */
	uint64_t type_start;     /* offset of the first element, bytes */
	/* the object is an array of such elements up to its end; if false, it has one element */
	bool type_repeats;
	/* the source shows that other data follow the first element (stated_with_rest()) */
	bool has_rest;
	/* the source shows that the block is larger than its elements (stated_with_slack()), so
	 * that the first one may begin after the block's begin */
	bool has_slack;
	/* the variable does not point to the start of a block: other data come first. So the
	 * variable's type is not the type of the elements */
	bool has_head;
	/* an allocator of the C++ library allocated it, and the debug information describes that
	 * of another type instead (type_by_caller()) */
	bool merged;
	/* a container puts data of several types into the block, such as the keys and the marks of
	 * a hash table. So accesses do not show the type of all of it */
	bool mixed;
};

/* Finds the name, the origin and the type of an object. Returns false when out of memory. */
bool object_origin(const struct naming *n, uint32_t object, struct object_origin *out);

#endif
