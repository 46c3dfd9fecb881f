/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types, as far as the memory of objects is concerned: which member has which bytes. Read from
 * DWARF by the process that reads all of it.
 */
#ifndef MEMDB_SYMBOL_TYPE_H
#define MEMDB_SYMBOL_TYPE_H

#include "symbol/symbol.h"

enum sym_type_kind { SYM_STRUCT, SYM_UNION, SYM_SCALAR, SYM_TYPE_KINDS };

/* Bytes of a type. */
struct sym_member {
	const char *name; /* "next", "position.x"; "a|b": alternatives; "" of a scalar; NULL: a
			   * hole */
	const char *type; /* its type's name; NULL unknown */
	uint64_t offset;
	uint64_t size; /* 0: a flexible array, which only the last member can be */
};

struct sym_type {
	const char *name;
	enum sym_type_kind kind;
	uint64_t size; /* bytes, never 0 */
	/* Of the innermost structs. In order of offset, all bytes of the type, none twice. */
	const struct sym_member *members;
	uint32_t nmembers; /* 1 to SYM_MAX_MEMBERS */
};

enum { SYM_MAX_MEMBERS = 4096 };

/* What to tell the type by. */
enum sym_type_by {
	SYM_BY_ENTRY,     /* the variable of a sym_entry: the type of its elements */
	SYM_BY_TYPE,      /* `text` is a type */
	SYM_BY_NAME,      /* `text` is a type, or an expression: the type of its value */
	SYM_BY_POINTER,   /* `text` is an expression: what it points at, or has elements of */
	SYM_BY_ALLOCATOR, /* the function is a method of std::allocator<T>: T */
	SYM_BY_REGISTER,  /* `reg` has the value of a variable that is a pointer: its target */
	SYM_TYPE_BYS
};

struct sym_type_query {
	enum sym_type_by by;
	struct sym_entry entry;
	uint64_t vaddr;   /* all but SYM_BY_ENTRY: the code whose variables and types count, */
	uint32_t inlined; /* in this frame of sym_lines_at(): 0 the innermost */
	uint8_t reg;      /* its DWARF number */
	const char *text; /* at most SYM_MAX_TYPE_TEXT bytes */
};

enum { SYM_MAX_TYPE_TEXT = 200 };

/*
 * The type that a query asks for; NULL: not known, or not one type alone. Arrays are reported by
 * their elements. Equal types of a file have equal pointers; owned by the file. A query is a
 * message to the process that reads debug information, 10 µs, and the work of a search there.
 */
const struct sym_type *sym_type(struct sym_file *f, const struct sym_type_query *q);

#endif
