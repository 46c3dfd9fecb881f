/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source files, each read once, at the first request for a line. */
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

/* The number of files skipped because they are newer than the program; *first is one of them, or
 * NULL. */
uint32_t sources_newer(const struct sources *s, const char **first);

/*
 * Line `line` (from 1) of the file at path, without its newline. NULL if the file lacks that line,
 * is not available, is larger than 16 MiB (all files together: 256 MiB), or is newer than the
 * binary's own time `not_after` (seconds since the epoch, sym_file_mtime(); 0 = do not check).
 * Owned by the cache.
 */
const char *source_line(struct sources *s, const char *path, uint32_t line, int64_t not_after);

/* The view of a C or C++ file from one of its lines; NULL if source_line() is NULL. Owned by the
 * cache: valid until the next call. */
const struct view *source_view(struct sources *s, const char *path, uint32_t line,
			       int64_t not_after);

/* The C or C++ statement at a place that debug information names. */
struct statement {
	struct tokens tokens;
	int at;                          /* the place, in tokens */
	const struct view *view;         /* as source_view() */
	int64_t place;                   /* likewise, in view */
	const struct function *function; /* in view; NULL outside all functions */
};

/* Gets the statement at a line and column (0: unknown; then the first of the line). */
bool statement_at(struct sources *s, const char *path, uint32_t line, uint32_t column,
		  int64_t not_after, struct statement *out);

/* Gets the member that a constructor's list initialises there: "data_(n)". None elsewhere. */
struct name listed_member(const struct statement *st);

bool is_fortran(const char *path);

/* Gets the variable to which the statement at a line and column assigns an allocation, as
 * assigned_name(). A Fortran statement may extend up to 40 lines in both directions. */
bool assigned_at(struct sources *s, const char *path, uint32_t line, uint32_t column,
		 int64_t not_after, char *out, size_t size);
bool fortran_assigned_at(struct sources *s, const char *path, uint32_t line, int64_t not_after,
			 char *out, size_t size);

#endif
