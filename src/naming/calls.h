/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognises the calls in a statement of C, C++ or Rust that allocate memory, by the names of their
 * functions. */
#ifndef MEMDB_NAMING_CALLS_H
#define MEMDB_NAMING_CALLS_H

#include "naming/token.h"

/* Is token i a method that makes a container grow, such as resize() in "v.resize(n)"? */
bool is_growing_method(const struct tokens *ts, int i);

/* Is token i a method that makes a container grow and stores its arguments in elements, such as
 * push_back()? */
bool is_storing_method(const struct tokens *ts, int i);

/* Is token i a function that returns the block through an argument, such as posix_memalign()? */
bool is_out_function(const struct tokens *ts, int i);

/* Does token i begin an expression whose value is a new block: new T, malloc(…), make_unique<T>(…)?
 */
bool is_allocating_call(const struct tokens *ts, int i);

/* Does the statement contain an expression or a call that allocates (is_allocating_call(),
 * is_out_function())? */
bool allocates_in(const struct tokens *ts);

#endif
