/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types in DWARF, for the files that answer sym_type(). Only the child process uses them. */
#ifndef MEMDB_SYMBOL_DWARF_TYPE_H
#define MEMDB_SYMBOL_DWARF_TYPE_H

#include "symbol/type.h"
#include "symbol/unit.h"

enum {
	TYPE_MAX_PEELED = 32, /* maximum number of typedefs and qualifiers in a row */
	/* maximum nesting depth of base classes and anonymous structs, and of pointers */
	TYPE_MAX_NESTED = 16,
};

/* A pointer of `stars` levels to a base type; with 0 stars, the base type itself. `die` describes
 * the base type, or `scalar` names it. */
struct type {
	Dwarf_Die die;      /* die.addr NULL means that the type is a scalar */
	const char *scalar; /* name of the scalar; NULL if die is set */
	uint64_t scalar_size;
	unsigned stars;
};

/* The scope in which names are looked up: a function, perhaps an inlined one, and its unit. */
struct type_scope {
	struct debuginfo *d;
	struct unit *u;
	uint64_t vaddr;     /* address in the function */
	Dwarf_Die function; /* addr NULL means unknown: then only the names of the unit are known */
};

/* Gets the scope at vaddr. `inlined` selects the frame: 0 is the innermost inlined function, 1
 * its caller, and so on. Returns false if no unit covers vaddr, or if the unit's split DWARF is
 * missing. */
bool type_scope_at(struct debuginfo *d, uint64_t vaddr, uint32_t inlined, struct type_scope *out);

/* Does an entry with this tag define a class, a struct or a union; is it a pointer or a reference;
 * does it give another type a name or a qualifier? */
bool type_tag_is_class(int tag);
bool type_tag_is_pointer(int tag);
bool type_tag_is_alias(int tag);

/* Gets the type to which DW_AT_type of an entry refers: the type of a variable or member, or the
 * target of a pointer type. Returns false if there is none, which means void. */
bool type_of(Dwarf_Die *entry, struct type *out);

/* Removes typedefs and qualifiers, and replaces a declaration with the definition in any unit.
 * Returns false if nothing is left (void, or a class that no unit defines). */
bool type_peel(struct debuginfo *d, struct type *t);

/* Is it a pointer or a reference? */
bool type_is_pointer(struct debuginfo *d, const struct type *t);

/* Is it an array, of any length? */
bool type_is_array(struct debuginfo *d, const struct type *t);

/* Replaces a pointer, smart pointer or reference with the type of its target, and an array or
 * container with the type of its elements. Returns false for other types. */
bool type_target(struct debuginfo *d, struct type *t);

/* Replaces an array, of any number of dimensions, with its element. Leaves other types unchanged.
 * Returns false if the element is unknown. */
bool type_element(struct debuginfo *d, struct type *t);

/* Gets the n-th type, counted from 0, among the arguments of a template instance. Returns false if
 * there is no such argument. */
bool type_argument(struct debuginfo *d, const struct type *t, unsigned n, struct type *out);

/* Gets the type of a member, which may be a member of a base class or of an anonymous struct.
 * Returns false if there is no such member. */
bool type_member(struct debuginfo *d, const struct type *t, const char *name, size_t len,
		 struct type *out);

/* Gets a type that a class defines: a nested type, or the argument for the template parameter of
 * this name. Returns false if there is no such type. */
bool type_inner(struct debuginfo *d, const struct type *t, const char *name, size_t len,
		Dwarf_Die *out);

/* Returns how many bytes a value of the type has; 0 means unknown. */
uint64_t type_size(const struct type *t);

/* Returns the type's name as a programmer writes it. The name lives as long as d. NULL means out of
 * memory. */
const char *type_name(struct debuginfo *d, const struct type *t);

/*
 * Is it a class whose name starts with `head`, such as "vector<"? Its namespace is not checked.
 */
bool type_is_instance(const struct type *t, const char *head);

/* Gets the type of the variable that has this name in the scope. Looks in the function first, then
 * among the members of its class, then in its unit, then in all other units. Returns false if there
 * is no such variable. */
bool type_of_variable(const struct type_scope *s, const char *name, size_t len, struct type *out);

/* Gets the type that has this name in the scope: "struct node", "Order *", "unsigned long". Returns
 * false if there is no such type, or if the name is ambiguous. */
bool type_by_name(const struct type_scope *s, const char *text, size_t len, struct type *out);

/* Gets the type of an expression: "p->rows", "(*out)[i]", "grid.cells", "a%b". Returns false if the
 * type is unknown. */
bool type_of_expression(const struct type_scope *s, const char *text, struct type *out);

/* Gets the type to which the pointer in a register points. Returns false if no variable is known
 * to be in the register, or if several point to types of different sizes. */
bool type_of_register(const struct type_scope *s, uint8_t reg, struct type *out);

/* A name to be found in a unit. */
struct sought_name {
	const char *s;
	size_t len;
	bool is_variable; /* otherwise it is a type */
	/* the function that uses the name; NULL or addr NULL means unknown */
	const Dwarf_Die *function;
	/* what the source writes before "::" and the name: a namespace or class; NULL means nothing
	 */
	const char *scope;
	size_t scope_len;
};

enum unit_found { UNIT_NONE, UNIT_FOUND, UNIT_AMBIGUOUS };

/* Finds an entry of a unit by its name: a type that is defined there, or a variable. Of several,
 * the one in the named scope counts or, if no scope is named, the one in the innermost namespace or
 * class around the function, as in C++. Types that differ in size are ambiguous if that does not
 * decide. */
enum unit_found unit_find_named(struct debuginfo *d, struct unit *u, const struct sought_name *name,
				Dwarf_Die *out);

/* Gets all members of a type. Before that, an array must be replaced with its element
 * (type_element()). The members live as long as d. Returns false if the size or the name is
 * unknown. */
bool type_layout(struct debuginfo *d, const struct type *t, struct sym_type *out);

#endif
