/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles syntax that Rust has and C++ does not have: braces of a new struct ("Book { orders,
 * index: map }"), a function that returns its last expression, and members that always begin with
 * "self.".
 */
#ifndef MEMDB_NAMING_RUST_H
#define MEMDB_NAMING_RUST_H

#include "naming/holder.h"

bool is_rust(const char *path);

/* Is it a method of Rust's hash table that allocates the table, and runs no code of its keys and
 * values that may allocate, as clone() does? */
bool rust_makes_table(const char *function);

/* Does the brace at token i open the values of a new struct, and not a block of statements? */
bool rust_is_literal(const struct view *v, int64_t i);

/* Is the statement the last expression of its function, which is what the function returns? */
bool rust_returns(const struct statement *st);

/* If the call at token `at` of the statement is for a member of a new struct, sets *h to
 * "x.member", where x is the variable that gets the struct or, if there is none, the name of the
 * struct. Otherwise returns false. */
bool rust_member(struct holder *h, const struct statement *st, int at);

/* If the statement is "write!(text, …)" or "writeln!(text, …)", returns `text`, without "&mut": the
 * block belongs to it. `callee` is the function that the statement calls (NULL: unknown). If it
 * does not write, the block may belong to another argument. Returns no_name then, or if there is no
 * such macro. */
struct name rust_written(const struct tokens *ts, const char *callee);

/* Removes from *h the calls that only access what is inside a variable: "table" for
 * "table.lock().unwrap()". */
void rust_bare(struct holder *h);

/* The function of the statement assigns a block to *h. Sets way->path and returns true if rules of
 * Rust show how the caller gets the block: the function returns the variable, or it is a member of
 * self, or the function returns a new struct to which the variable is moved. In the last two cases,
 * *h becomes the member. */
bool rust_way(struct holder *h, const struct statement *st, struct holder_way *way);

#endif
