/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes types as layouts of memory: to which member each byte belongs. The process that reads
 * DWARF finds them.
 */
#ifndef MEMDB_SYMBOL_TYPE_H
#define MEMDB_SYMBOL_TYPE_H

#include "symbol/symbol.h"

enum sym_type_kind { SYM_STRUCT, SYM_UNION, SYM_SCALAR, SYM_TYPE_KINDS };

/* A range of a type's bytes: a member, a member of a nested struct, members that overlap, the value
 * of a scalar, or a gap. */
struct sym_member {
	/* "next", "position.x"; "a|b" for members that overlap; "" for the value of a scalar;
	 * NULL for a gap */
	const char *name;
	const char *type; /* name of its type; NULL means unknown */
	uint64_t offset;
	uint64_t size; /* 0 means a flexible array, which is always the last member */
};

struct sym_type {
	const char *name;
	enum sym_type_kind kind;
	uint64_t size; /* bytes, never 0 */
	/* sorted by offset; each byte of the type is in exactly one member. A nested struct is
	 * replaced by its members */
	const struct sym_member *members;
	uint32_t nmembers; /* from 1 to SYM_MAX_MEMBERS */
};

enum { SYM_MAX_MEMBERS = 4096 };

/* Does the type end with a flexible array? */
static inline bool sym_is_flexible(const struct sym_type *t)
{
	return !t->members[t->nmembers - 1].size;
}

/* How a query (struct sym_type_query) specifies the type that it is about. */
enum sym_type_by {
	/* the type of the variable `entry`; if it is an array, the type of its elements */
	SYM_BY_ENTRY,
	/* the type to which the pointer variable `entry` points; if `entry` is an array, the type
	 * of its elements */
	SYM_BY_TARGET,
	SYM_BY_TYPE, /* `text` is the name of a type */
	SYM_BY_NAME, /* `text` is a type, or an expression whose type is wanted */
	/* `text` is an expression: the wanted type is the one to which its value points or, for an
	 * array, the type of its elements */
	SYM_BY_POINTER,
	SYM_BY_ALLOCATOR, /* the function is a method of std::allocator<T>: the type is T */
	/* the register `reg` contains the value of a pointer variable: the wanted type is the one
	 * to which it points */
	SYM_BY_REGISTER,
};

struct sym_type_query {
	enum sym_type_by by;
	struct sym_entry entry;
	/* address of the code: names are looked up in its scope, and `reg` has its value there. Not
	 * used by SYM_BY_ENTRY and SYM_BY_TARGET */
	uint64_t vaddr;
	/* index of the frame in the result of sym_lines_at() for vaddr; 0 is the innermost */
	uint32_t inlined;
	uint8_t reg;      /* DWARF's number of the register */
	const char *text; /* at most SYM_MAX_TYPE_TEXT bytes */
};

enum { SYM_MAX_TYPE_TEXT = 200 };

/*
 * Returns the type that a query is about; NULL if it is unknown or ambiguous. For an array returns
 * the type of its elements. Equal types of a file have the same pointer, and the file owns them.
 * Each call queries the process that reads debug information, which takes 10 µs plus the time of
 * the search there.
 */
const struct sym_type *sym_type(struct sym_file *f, const struct sym_type_query *q);

#endif
