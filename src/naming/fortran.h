/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads statements of Fortran, and follows a variable from a procedure to its caller. */
#ifndef MEMDB_NAMING_FORTRAN_H
#define MEMDB_NAMING_FORTRAN_H

#include "naming/source.h"

enum { FORTRAN_TEXT = 2048 }; /* maximum number of bytes of a statement */

/* A line of a Fortran file. `not_after` is that of source_line(). */
struct fortran_line {
	struct sources *sources;
	const char *path;
	uint32_t line;
	int64_t not_after;
};

/* Reads the entire statement that contains the line into text[FORTRAN_TEXT]. Compilers may report
 * the first line of a statement, its last line, or the line of an object in it. Returns false if
 * the line is not available, or if the statement does not fit. */
bool fortran_statement(const struct fortran_line *l, char *text);

/* Reads the first statement of the procedure that contains the line into text[FORTRAN_TEXT]; "" if
 * none is found. */
void fortran_procedure(const struct fortran_line *l, char *text);

/* Does this line end a procedure? True if the line is not available. */
bool fortran_ends_procedure(const struct fortran_line *l);

/* Does this line begin a procedure or the main program? True if the line is not available. */
bool fortran_begins_procedure(const struct fortran_line *l);

/* Does the value that the statement assigns contain the name of the assigned variable or, for a
 * member, a member of this name? Two pointers may point to the same variable. */
bool fortran_value_has_target(const struct tokens *ts);

/* Returns the index of the procedure's argument that contains the allocated variable `name`, such
 * as "g%u"; -1 if none does. *l is a line in the procedure. */
int fortran_argument(const struct fortran_line *l, const char *name);

/* If the procedure moves the allocated variable name[0..size) to another one by a later "call
 * move_alloc(tmp, list)", replaces the name by that of the other variable. Does nothing for a name
 * with members or subscripts. */
void fortran_moved(const struct fortran_line *l, char *name, size_t size);

/* Translates name[0..size) from a procedure to its caller: for "call init(levels(i)%g)", "g%u"
 * becomes "levels(i)%g%u". The line is that of the call; `argument` is what fortran_argument()
 * returned, `function` the procedure. Returns false, with the name unchanged, if the statement does
 * not show the variable. gfortran may report an earlier line for the first call of a procedure that
 * first deallocates its argument; then the line has no call, and the first call below is used. */
bool fortran_in_caller(const struct fortran_line *l, const char *function, int argument, char *name,
		       size_t size);

#endif
