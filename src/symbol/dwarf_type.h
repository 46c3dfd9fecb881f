/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types in DWARF, for the files that answer sym_type(). Only the child uses them. */
#ifndef MEMDB_SYMBOL_DWARF_TYPE_H
#define MEMDB_SYMBOL_DWARF_TYPE_H

#include "symbol/type.h"
#include "symbol/unit.h"

/* A type: `stars` levels of pointers to the type that die describes, or to a scalar that is known
 * only by name. */
struct type {
	Dwarf_Die die;      /* die.addr NULL means a scalar */
	const char *scalar; /* NULL if die is set */
	uint64_t scalar_size;
	unsigned stars;
};

/* A function (perhaps inlined) as a scope of names in source text. */
struct type_scope {
	struct debuginfo *d;
	struct unit *u;
	uint64_t vaddr;
	Dwarf_Die function; /* addr NULL means unknown, only names of the unit are visible */
};

/* Gets the scope at vaddr, `inlined` callers above the innermost inlined function. Returns false if
 * no unit covers vaddr. */
bool type_scope_at(struct debuginfo *d, uint64_t vaddr, uint32_t inlined, struct type_scope *out);

/* Gets the type of a variable or member. Returns false if there is none, which includes void. */
bool type_of(Dwarf_Die *entry, struct type *out);

/* Removes typedefs and qualifiers, and replaces a declaration by its definition in any unit.
 * Returns false if there is no such type (void, or a class that no unit defines). */
bool type_peel(struct debuginfo *d, struct type *t);

/* Replaces a pointer, reference, array or container by the type of its target or elements. Returns
 * false for other types. */
bool type_target(struct debuginfo *d, struct type *t);

/* Replaces an array of any dimensions by its innermost element. Other types do not change. Returns
 * false if the element is unknown. */
bool type_element(struct debuginfo *d, struct type *t);

/* Gets the n-th argument of a template instance, counting only arguments that are types. Returns
 * false if there is none. */
bool type_argument(struct debuginfo *d, const struct type *t, unsigned n, struct type *out);

/* Gets the type of a member, including those of base classes and anonymous structs. Returns false
 * if there is none. */
bool type_member(struct debuginfo *d, const struct type *t, const char *name, size_t len,
		 struct type *out);

/* Gets a type that a class defines: a nested type, or the template argument for the parameter of
 * this name. Returns false if there is none. */
bool type_inner(struct debuginfo *d, const struct type *t, const char *name, size_t len,
		Dwarf_Die *out);

/* Returns the bytes of a value of the type; 0 means unknown. */
uint64_t type_size(const struct type *t);

/*
 * Returns the name as a programmer writes it. The name lives as long as d. NULL if memory runs out.
 */
const char *type_name(struct debuginfo *d, const struct type *t);

/*
 * Is this an instance of the C++ library's template whose name starts with head, such as "vector<"?
 */
bool type_is_instance(const struct type *t, const char *head);

/* Gets the type of the variable that the code of the scope knows by this name. Returns false if
 * there is none, or several differ in size. */
bool type_of_variable(const struct type_scope *s, const char *name, size_t len, struct type *out);

/* Gets the type that the code of the scope knows by this name: "struct node", "Order *", "unsigned
 * long". Returns false if there is none, or several differ in size. */
bool type_by_name(const struct type_scope *s, const char *text, size_t len, struct type *out);

/* Gets the type of an expression: "p->rows", "(*out)[i]", "grid.cells", "a%b". Returns false if it
 * is unknown. */
bool type_of_expression(const struct type_scope *s, const char *text, struct type *out);

/* Gets the type that the pointer in a register points at. Returns false if no variable is known to
 * be in the register, or several have targets of different sizes. */
bool type_of_register(const struct type_scope *s, uint8_t reg, struct type *out);

/* Finds an entry of a unit by name: a defined type (variables false) or a variable. Returns false
 * if there is none, or several types differ in size. */
bool unit_find_named(struct debuginfo *d, struct unit *u, const char *name, size_t len,
		     bool variables, Dwarf_Die *out);

/* Gets all members of a type that is not an array of known elements (see type_element()). The
 * members live as long as d. Returns false if the size or the name is unknown. */
bool type_layout(struct debuginfo *d, const struct type *t, struct sym_type *out);

#endif
