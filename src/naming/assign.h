/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the name to which a statement assigns a new block, as a range of the statement's tokens.
 * Callers must know that the statement allocates. These rules are tried in this order, the most
 * certain one first: a function that returns the block through a pointer argument; the left side of
 * the assignment (or the declared name, or the container) around a call that allocates; a method
 * that makes a container grow; an entry of a constructor's list; a declaration with a constructor;
 * any assignment.
 */
#ifndef MEMDB_NAMING_ASSIGN_H
#define MEMDB_NAMING_ASSIGN_H

#include "naming/token.h"

/* A name in a statement: the range of its tokens [from, to]. from > to means that there is no
 * name. */
struct name {
	int from, to;
	bool deref; /* the block is stored where the variable points, as in "*out = …" */
};

static const struct name no_name = { 0, -1, false };

static inline bool is_name(struct name n)
{
	return n.from <= n.to;
}

/* Returns the name to which the statement assigns a block, or no_name. */
struct name assigned_in(const struct tokens *ts);

/* Returns the name to which the value of the call, or of "new", at token i is assigned; no_name if
 * there is no such name. */
struct name assigned_to_call(const struct tokens *ts, int i);

/* Does the round bracket at `open` begin the arguments of a plain function? Methods and names with
 * a scope, such as std::move, are not plain. */
bool is_plain_call(const struct tokens *ts, int open);

/* Returns the variable that the statement declares, or no_name. Examples: static
 * std::vector<double> x(n); Matrix m{n, n}; std::map<int, int> m; */
struct name declared_in(const struct tokens *ts);

/* Returns the expression whose last token is `to`: a name with its members, subscripts and calls.
 */
struct name expression_before(const struct tokens *ts, int to);

/* Returns the tokens of a call's argument that begins at token i: up to the comma or bracket that
 * ends it. */
struct name argument_from(const struct tokens *ts, int i);

/* Writes a name to `out`, with spaces only between two words, and without "this->". Returns false
 * if there is no name or if it does not fit. */
bool write_name(const struct tokens *ts, struct name n, char *out, size_t size);

/*
 * Finds the assigned name in one line or statement of C, C++ or Fortran: "double *a = malloc(n);"
 * -> "a", "p->cells[i] = new T[n];" -> "p->cells[i]", "ALLOCATE(u(n,m))" -> "u", "std::vector<int>
 * v(n);" -> "v", "*out = malloc(n);" -> "*out", … If an ALLOCATE has several objects, they are one
 * name, "u|v|w", in the order of their allocation. Writes the name to out and returns true. Returns
 * false if the line does not show a name, with "" in out, or if the name does not fit.
 */
bool assigned_name(const char *line, char *out, size_t size);

/* For a Fortran ALLOCATE, writes the objects in its list to `out`: "u" for "ALLOCATE(u(n, m))",
 * "a(i)%b|c" for "allocate(real(8) :: a(i)%b(n), c(n), stat=ierr)"; "" if there are no objects or
 * they do not fit. Returns whether the statement is an ALLOCATE. */
bool fortran_allocate(const struct tokens *ts, char *out, size_t size);

#endif
