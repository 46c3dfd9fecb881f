/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types as layouts of memory: the member that each byte belongs to. The process that reads DWARF
 * finds them.
 */
#ifndef MEMDB_SYMBOL_TYPE_H
#define MEMDB_SYMBOL_TYPE_H

#include "symbol/symbol.h"

enum sym_type_kind { SYM_STRUCT, SYM_UNION, SYM_SCALAR, SYM_TYPE_KINDS };

/* Some bytes of a type. */
struct sym_member {
	const char *name; /* "next", "position.x"; "a|b": overlapping members; "" means a scalar;
			   * NULL means a gap */
	const char *type; /* name of the member's type; NULL means unknown */
	uint64_t offset;
	uint64_t size; /* bytes; 0 means a flexible array, always the last member */
};

struct sym_type {
	const char *name;
	enum sym_type_kind kind;
	uint64_t size; /* bytes, never 0 */
	/* members of nested structs instead of the structs, by offset; each byte of the type is in
	 * exactly one */
	const struct sym_member *members;
	uint32_t nmembers; /* 1 to SYM_MAX_MEMBERS */
};

enum { SYM_MAX_MEMBERS = 4096 };

/* How a query identifies the type. */
enum sym_type_by {
	SYM_BY_ENTRY,     /* the type of the variable `entry`, or of its elements */
	SYM_BY_TYPE,      /* `text` is a type */
	SYM_BY_NAME,      /* `text` is a type, or an expression: the type of its value */
	SYM_BY_POINTER,   /* `text` is an expression: the type that it points at, or has elements
			   * of */
	SYM_BY_ALLOCATOR, /* the function is a method of std::allocator<T>: the type T */
	SYM_BY_REGISTER,  /* `reg` has the value of a variable that is a pointer: the type of its
			   * target */
	SYM_TYPE_BYS
};

struct sym_type_query {
	enum sym_type_by by;
	struct sym_entry entry;
	uint64_t vaddr;   /* except for SYM_BY_ENTRY: the code whose variables and types are
			   * visible */
	uint32_t inlined; /* frame of sym_lines_at() at vaddr; 0 means the innermost */
	uint8_t reg;      /* DWARF number */
	const char *text; /* at most SYM_MAX_TYPE_TEXT bytes */
};

enum { SYM_MAX_TYPE_TEXT = 200 };

/* Returns the type that a query asks for. NULL if it is unknown or ambiguous. For an array, returns
 * the type of its elements. Equal types of a file have equal pointers; the file owns them. A query
 * asks the process that reads debug information, which takes 10 µs plus the search there. */
const struct sym_type *sym_type(struct sym_file *f, const struct sym_type_query *q);

#endif
