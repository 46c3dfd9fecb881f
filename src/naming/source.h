/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads source files and keeps their lines in memory. A file is read when a line of it is first
 * needed. */
#ifndef MEMDB_NAMING_SOURCE_H
#define MEMDB_NAMING_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "naming/assign.h"
#include "naming/scope.h"

struct sources;
struct sources *sources_new(void); /* NULL when out of memory */
void sources_free(struct sources *s);

/* Returns how many source files are not used, because they are newer than the program. Sets *first
 * to the path of the first such file, or to NULL. */
uint32_t sources_newer(const struct sources *s, const char **first);

/* Returns a line of the source file at `path`, without its newline. Lines count from 1. *s owns the
 * text. Returns NULL if the file has no such line, is not available, is larger than 16 MiB (all
 * files together: 256 MiB), or is newer than `not_after`. `not_after` is the time of the compiled
 * program in seconds since the epoch (sym_file_mtime()); 0 accepts a file of any time. */
const char *source_line(struct sources *s, const char *path, uint32_t line, int64_t not_after);

/* Returns the view (scope.h) of a C, C++ or Rust file from one of its lines; NULL if the file is
 * not available, or when out of memory. The view belongs to *s and is valid until the next call. */
const struct view *source_view(struct sources *s, const char *path, uint32_t line,
			       int64_t not_after);

/* Returns the scan of a C, C++ or Rust file; NULL if the file is not available. *s owns it. */
const struct scan *source_scan(struct sources *s, const char *path, int64_t not_after);

/* Adds a text that is in no file as the source file `path`; takes ownership of the text. Returns
 * false if there is such a file already, or when out of memory. */
bool source_add(struct sources *s, const char *path, char *text);

/* Returns the texts of two tokens, one after the other. *s owns the result. NULL means out of
 * memory. */
const char *source_join(struct sources *s, const struct token *a, const struct token *b);

/* The C, C++ or Rust statement at the line and column that debug information reports for code. */
struct statement {
	struct tokens tokens;
	/* index in `tokens` of the token at that line and column */
	int at;
	const struct view *view; /* what source_view() returned */
	int64_t place;           /* index in `view` of the same token */
	/* the function that contains the statement; NULL outside all functions */
	const struct function *function;
	/* the arguments of statement_at(), borrowed */
	struct sources *sources;
	const char *path;
	int64_t not_after;
};

/* Gets the statement at a line and column; with column 0 (unknown), the first statement of the
 * line. Returns false if there is none. */
bool statement_at(struct sources *s, const char *path, uint32_t line, uint32_t column,
		  int64_t not_after, struct statement *out);

/* If the statement is in a constructor's list, returns the member that it initializes: data_ in
 * "data_(n)". Otherwise returns no_name. */
struct name listed_member(const struct statement *st);

/* Returns the container whose operator[] allocated the block: "cells" if the statement has
 * "cells[key]". */
struct name subscripted_in(const struct statement *st);

/* Returns b in "a = b = call( … )", where debug information reports the call: the name nearest to
 * it; no_name if the value is assigned to only one name. */
struct name nearest_in_chain(const struct statement *st);

/* Is the call that the debug information reports inside the square brackets of the name? Then the
 * call allocates for the subscript: operator+ in "names[key + suffix] = 1". */
bool is_for_subscript(const struct statement *st, struct name n);

/* Is the call that the debug information reports an argument of a container's method, as in
 * "shapes.push_back(new Square)"? Then it does not allocate the container's elements. */
bool is_method_argument(const struct statement *st);

/* If the call that the debug information reports is an argument of a C++ container's method that
 * stores it in elements, returns the container: "shapes" in "shapes.push_back(new Square)".
 * Otherwise returns no_name. */
struct name element_container(const struct statement *st);

/* Is the result of the statement's call a part of what the function returns? The word "return" may
 * follow an if or else. */
bool statement_returns(const struct statement *st);

bool is_fortran(const char *path);

/* assigned_at() and fortran_assigned_at() write to `out` the variable to which the statement at a
 * line and column assigns an allocation, like assigned_name(). The second function is for Fortran,
 * where a statement may have up to 40 lines before and after the line. If the statement allocates
 * several objects, they are one name, "u|v". Both return false if there is no such variable, and
 * then set *how to FORTRAN_NOTHING. */
enum fortran_how {
	FORTRAN_NOTHING,
	FORTRAN_ALLOCATES, /* an ALLOCATE: the name lists the objects in the order of allocation */
	/* a declaration of automatic arrays, which gfortran allocates in another order */
	FORTRAN_DECLARES,
	/* an assignment, which allocates the variable if it has not the right size, and before that
	 * temporary arrays if its value needs them */
	FORTRAN_ASSIGNS,
	/* the same, and the value contains the variable's name: "v = v(order)" may need a temporary
	 * array even if the variable has the right size and gets no block */
	FORTRAN_REARRANGES,
	FORTRAN_CONSTRUCTS, /* the same, and the value certainly needs a temporary array */
};
bool assigned_at(struct sources *s, const char *path, uint32_t line, uint32_t column,
		 int64_t not_after, char *out, size_t size);
bool fortran_assigned_at(struct sources *s, const char *path, uint32_t line, int64_t not_after,
			 char *out, size_t size, enum fortran_how *how);

#endif
