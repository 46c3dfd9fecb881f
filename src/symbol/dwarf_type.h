/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types in DWARF, as the sources that answer sym_type() share them. Only for the child. */
#ifndef MEMDB_SYMBOL_DWARF_TYPE_H
#define MEMDB_SYMBOL_DWARF_TYPE_H

#include "symbol/type.h"
#include "symbol/unit.h"

/* A type: `stars` pointers to what an entry describes, or to a scalar that only source text names.
 */
struct type {
	Dwarf_Die die;      /* die.addr NULL: a scalar */
	const char *scalar; /* NULL where die is set */
	uint64_t scalar_size;
	unsigned stars;
};

/* The function, inlined or not, whose variables and types a text can name. */
struct type_scope {
	struct debuginfo *d;
	struct unit *u;
	uint64_t vaddr;
	Dwarf_Die function; /* addr NULL: none is known, only those of the unit count */
};

/* False where no unit is known there. */
bool type_scope_at(struct debuginfo *d, uint64_t vaddr, uint32_t inlined, struct type_scope *out);

/* The type of a variable or member. False: none, which is void too. */
bool type_of(Dwarf_Die *entry, struct type *out);

/* Replaces type names and qualifiers by what they stand for, and a declaration by the definition
 * where some unit has one. False for what has no type. */
bool type_peel(struct debuginfo *d, struct type *t);

/* What a pointer or reference points at, or an array has elements of. */
bool type_target(struct debuginfo *d, struct type *t);

/* The innermost elements of an array of any dimensions; other types are unchanged. */
bool type_element(struct debuginfo *d, struct type *t);

/* Argument n of a template's instance, counted among those that are types. */
bool type_argument(struct debuginfo *d, const struct type *t, unsigned n, struct type *out);

/* The type of a member, of base classes' and anonymous structs' too. */
bool type_member(struct debuginfo *d, const struct type *t, const char *name, size_t len,
		 struct type *out);

/* A type that a class defines: an entry inside of it, or an argument of its template by the name of
 * the parameter. */
bool type_inner(struct debuginfo *d, const struct type *t, const char *name, size_t len,
		Dwarf_Die *out);

/* Bytes of a value of the type, 0 unknown. */
uint64_t type_size(const struct type *t);

/* As a programmer writes it; lives as long as d. NULL unknown. */
const char *type_name(struct debuginfo *d, const struct type *t);

/* Is it an instance of the C++ library's template, as "vector<"? */
bool type_is_instance(const struct type *t, const char *head);

/* A variable that the code of the scope can name, by its own name. */
bool type_of_variable(const struct type_scope *s, const char *name, size_t len, struct type *out);

/* A type that the code of the scope can name: "struct node", "Order *", "unsigned long". False
 * where several differ. */
bool type_by_name(const struct type_scope *s, const char *text, size_t len, struct type *out);

/* The type of an expression: "p->rows", "(*out)[i]", "grid.cells", "a%b". */
bool type_of_expression(const struct type_scope *s, const char *text, struct type *out);

/* What the pointer in a register points at, as far as one variable alone says so. */
bool type_of_register(const struct type_scope *s, uint8_t reg, struct type *out);

/* Finds entries of units by their names: types that are defined (variables false), or variables.
 * False where there is none, or where several differ in size. */
bool unit_find_named(struct debuginfo *d, struct unit *u, const char *name, size_t len,
		     bool variables, Dwarf_Die *out);

/* Gets all members of a type whose elements are arrays no more. The members live as long as d. */
bool type_layout(struct debuginfo *d, const struct type *t, struct sym_type *out);

#endif
