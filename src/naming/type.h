/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_TYPE_H
#define MEMDB_NAMING_TYPE_H

#include "naming/source_frames.h"
#include "naming/source.h"

/*
 * Finds the type of the elements of a heap object from signs in the source along its call path. The
 * first sign whose type fits counts. At one frame, the signs are, the strongest first: the type of
 * a container's allocator, "new T", sizeof, a type as the first argument of an allocating macro, a
 * cast, the type of the pointer to which the block is assigned. A type of one byte, such as char,
 * does not count if a later sign shows another type. A type fits if an average block has room for
 * one element. An object with neither samples nor page faults gets no type.
 */

/* Sets the type if the frame's function is an allocator of the C++ library, such as
 * std::allocator<T>, or std::make_unique<T>, or a function of Rust's library that allocates
 * elements of its type parameter T. */
void type_by_allocator(const struct naming *n, const struct object *x, const struct frame *f,
		       struct object_origin *o);

/* Compilers may merge functions with equal code, such as methods of std::vector<A *> and
 * std::vector<long>, and debug information describes only one of them. Then the allocator of the
 * merged function has the wrong type. With -flto, gcc does this to inlined functions, too. Frame f
 * called the function `callee`. If both are methods of the same container or allocator of the C++
 * library, but with different types of elements, sets the type to that of f's class, or to none if
 * that is unknown. */
void type_by_caller(const struct naming *n, const struct object *x, const struct frame *f,
		    const char *callee, struct object_origin *o);

/* Is the function a method of Rust's String, such as <alloc::string::String as
 * core::clone::Clone>::clone? */
bool is_rust_string(const char *function);

/* Sets the type if `method` is a method of std::basic_string<T>, which allocates elements of type
 * T, or of Rust's String, which allocates bytes. The method may be in the library, which has no
 * debug information; f is a frame of its caller.
 */
void type_by_string(const struct naming *n, const struct object *x, const struct frame *f,
		    const char *method, struct object_origin *o);

/* Sets the type that statement *st, the statement of frame *f, shows by "new T", by sizeof, by an
 * argument of an allocating macro or by a cast. */
void type_by_statement(const struct naming *n, const struct object *x, const struct frame *f,
		       const struct statement *st, struct object_origin *o);

/* Sets the type from `expression`, a pointer to which the function of frame *f assigns the block.
 * The elements have the type to which it points. Of "u|v", of which one gets the block, all must
 * point to the same type. `st` is the statement, or NULL. */
void type_by_holder(const struct naming *n, const struct object *x, const struct frame *f,
		    const struct statement *st, const char *expression, struct object_origin *o);

/* Returns the type of the expression in the function of frame f, or of its elements if it is an
 * array; type_pointed() that to which it points. NULL means unknown. */
const struct sym_type *type_named(const struct naming *n, const struct frame *f,
				  const char *expression);
const struct sym_type *type_pointed(const struct naming *n, const struct frame *f,
				    const char *expression);

/* Sets in *o the type t, and `source` as the way in which it was found, if an average block of x
 * has room for one element. Otherwise returns false. */
bool type_set(const struct object *x, const struct sym_type *t, const char *source,
	      struct object_origin *o);

/* Is t a number of one byte, such as char? A pointer to bytes may point to any kind of memory, so
 * any other type that is found replaces this one. NULL yields false. */
bool type_is_byte(const struct sym_type *t);

/* Can the statement, which allocates at st->at, have allocated the blocks of object x? SIZE_DIFFERS
 * if their sizes refute it: sizeof(T) in the statement is larger, or they are no multiples of it.
 * SIZE_EQUAL if the statement allocates one T, and the blocks have the size of one. SIZE_POSSIBLE
 * otherwise, as with an unknown T. */
enum type_size { SIZE_DIFFERS, SIZE_POSSIBLE, SIZE_EQUAL };
enum type_size type_size_at(const struct naming *n, const struct object *x, const struct frame *f,
			    const struct statement *st);

/* Sets the type of a static or local variable, or of a pointer's target, from the declaration. */
void type_by_declaration(const struct naming *n, const struct object *x, struct object_origin *o);

/* Is the expression a pointer to a struct whose size is exactly the average size of a block of
 * object x? */
bool type_fits(const struct naming *n, const struct object *x, const struct frame *f,
	       const char *expression);

/* Can the variable or expression hold an allocated block? False if debug information says that it
 * is a number. */
bool type_may_hold(const struct naming *n, const struct frame *f, const char *expression);

/* Is name[0..len) a member of the object whose method the frame's function is? */
bool type_has_member(const struct naming *n, const struct frame *f, const char *name, size_t len);

#endif
