/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source files, each read once at its first line. */
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

/* How many files were left out because they are newer than the program; *first is one of them, NULL
 * where there is none. */
uint32_t sources_newer(const struct sources *s, const char **first);

/* Line `line` (from 1) of the file at path, without its newline, or NULL where there is none: the
 * file is not available, is larger than 16 MiB (all files together: 256 MiB), or is newer than the
 * binary's own time `not_after` (seconds since the epoch, sym_file_mtime(); 0 = do not check).
 * Owned by the cache. */
const char *source_line(struct sources *s, const char *path, uint32_t line, int64_t not_after);

/* What a line of a file of C or C++ sees of its file; NULL where source_line() is. Owned by the
 * cache: valid until the next call. */
const struct view *source_view(struct sources *s, const char *path, uint32_t line,
			       int64_t not_after);

/* A statement of C or C++ where a compiler says that code is. */
struct statement {
	struct tokens tokens;
	int at;                          /* the place, in tokens */
	const struct view *view;         /* as source_view() */
	int64_t place;                   /* likewise, in view */
	const struct function *function; /* in view; NULL outside of all */
};

/* The statement at a line and column (0: not known; then the first of the line). */
bool statement_at(struct sources *s, const char *path, uint32_t line, uint32_t column,
		  int64_t not_after, struct statement *out);

/* The member that a constructor's list initialises there: "data_(n)"; none elsewhere. */
struct name listed_member(const struct statement *st);

bool is_fortran(const char *path);

/* The variable to which the statement at a line and column assigns an allocation: as
 * assigned_name(). A statement of Fortran may have up to 40 lines before and behind. */
bool assigned_at(struct sources *s, const char *path, uint32_t line, uint32_t column,
		 int64_t not_after, char *out, size_t size);
bool fortran_assigned_at(struct sources *s, const char *path, uint32_t line, int64_t not_after,
			 char *out, size_t size);

#endif
