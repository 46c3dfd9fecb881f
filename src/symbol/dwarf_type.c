/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the types to which a type refers: targets of pointers, elements, members, template
 * arguments.
 */
#include "symbol/dwarf_type.h"

#include <dwarf.h>
#include <string.h>

#include "base/count.h"

bool type_tag_is_class(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool type_tag_is_pointer(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

bool type_tag_is_alias(int tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type ||
	       tag == DW_TAG_template_type_parameter;
}

bool type_of(Dwarf_Die *entry, struct type *out)
{
	Dwarf_Attribute attr;

	*out = (struct type){ 0 };
	if (!dwarf_attr_integrate(entry, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &out->die))
		return false;
	unit_follow_signature(&out->die);
	return true;
}

/* Finds the definition of a class that a unit only declares. Returns false if no unit defines
 * it. */
static bool find_definition(struct debuginfo *d, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	struct sought_name sought = { .s = name };
	Dwarf_Die found;

	if (!name)
		return false;
	sought.len = strlen(name);
	for (size_t i = 0; i < d->nunits && d->work < UNIT_MAX_WORK; i++)
		if (unit_find_named(d, &d->units[i], &sought, &found) == UNIT_FOUND &&
		    type_tag_is_class(dwarf_tag(&found))) {
			*die = found;
			return true;
		}
	return false;
}

bool type_peel(struct debuginfo *d, struct type *t)
{
	Dwarf_Attribute attr;

	if (t->stars || t->scalar)
		return true;
	for (int i = 0; i < TYPE_MAX_PEELED; i++) {
		struct type next;

		unit_follow_signature(&t->die);
		if (!type_tag_is_alias(dwarf_tag(&t->die)))
			return !type_tag_is_class(dwarf_tag(&t->die)) ||
			       !dwarf_attr(&t->die, DW_AT_declaration, &attr) ||
			       find_definition(d, &t->die);
		if (!type_of(&t->die, &next))
			return false;
		t->die = next.die;
	}
	return false;
}

bool type_is_instance(const struct type *t, const char *head)
{
	Dwarf_Die die = t->die;
	const char *name;

	if (t->stars || t->scalar || !type_tag_is_class(dwarf_tag(&die)))
		return false;
	name = dwarf_diename(&die);
	return name && strncmp(name, head, strlen(head)) == 0;
}

/*
 * Is it a class of the C++ library that works like a pointer to its first template argument, or
 * like an array of it?
 */
static bool is_pointer_like(const struct type *t)
{
	static const char *const heads[] = { "unique_ptr<", "shared_ptr<", "__shared_ptr<",
					     "vector<",     "array<",      "deque<",
					     "valarray<",   "span<",       "atomic<" };

	for (size_t i = 0; i < COUNT_OF(heads); i++)
		if (type_is_instance(t, heads[i]))
			return true;
	return false;
}

bool type_is_pointer(struct debuginfo *d, const struct type *t)
{
	struct type peeled = *t;

	return t->stars ||
	       (!t->scalar && type_peel(d, &peeled) && type_tag_is_pointer(dwarf_tag(&peeled.die)));
}

bool type_is_array(struct debuginfo *d, const struct type *t)
{
	struct type peeled = *t;

	return !t->stars && !t->scalar && type_peel(d, &peeled) &&
	       dwarf_tag(&peeled.die) == DW_TAG_array_type;
}

bool type_target(struct debuginfo *d, struct type *t)
{
	struct type next;
	int tag;

	if (t->stars) {
		t->stars--;
		return true;
	}
	if (t->scalar || !type_peel(d, t))
		return false;
	tag = dwarf_tag(&t->die);
	if (is_pointer_like(t)) {
		if (!type_argument(d, t, 0, &next))
			return false;
	} else if (type_tag_is_pointer(tag) || tag == DW_TAG_array_type) {
		if (!type_of(&t->die, &next))
			return false;
	} else {
		return false;
	}
	*t = next;
	return true;
}

bool type_element(struct debuginfo *d, struct type *t)
{
	for (int i = 0; i < TYPE_MAX_PEELED; i++) {
		struct type peeled = *t;

		if (!type_peel(d, &peeled))
			return false;
		if (peeled.scalar || peeled.stars || dwarf_tag(&peeled.die) != DW_TAG_array_type)
			return true;
		if (!type_of(&peeled.die, t))
			return false;
	}
	return false;
}

bool type_argument(struct debuginfo *d, const struct type *t, unsigned n, struct type *out)
{
	Dwarf_Die parent = t->die, die;

	if (t->stars || t->scalar || dwarf_child(&parent, &die) != 0)
		return false;
	do {
		if (dwarf_tag(&die) == DW_TAG_template_type_parameter && !n--)
			return type_of(&die, out);
	} while (unit_next_sibling(d, &die));
	return false;
}

/* Can the members of the member `name`, whose type is *inner, be accessed as if they were members
 * of the struct *t that contains it? Its type may be replaced by the type that has them. True for
 * base classes and anonymous structs, which have no name. In Fortran, also true for the parent of
 * an extended type, which has the name of its own type, and for the object to which a variable of
 * CLASS points. */
static bool is_transparent(struct debuginfo *d, struct type *t, const char *name,
			   struct type *inner)
{
	static const char class[] = "__class_";
	const char *outer;

	if (!name)
		return true;
	if (unit_language(&t->die) != LANGUAGE_FORTRAN)
		return false;
	outer = dwarf_diename(&t->die);
	if (outer && !strncmp(outer, class, sizeof(class) - 1) && !strcmp(name, "_data"))
		return type_target(d, inner);
	return !inner->stars && !inner->scalar && type_tag_is_class(dwarf_tag(&inner->die)) &&
	       dwarf_diename(&inner->die) && !strcmp(dwarf_diename(&inner->die), name);
}

static const char *member_name(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_inheritance ? NULL : dwarf_diename(die);
}

static bool is_part(int tag)
{
	return tag == DW_TAG_member || tag == DW_TAG_inheritance || tag == DW_TAG_variable;
}

/* A struct's own members are searched before those of its base classes, because they hide them. */
static bool find_member(struct debuginfo *d, struct type t, const char *name, size_t len, int depth,
			struct type *out)
{
	Dwarf_Die first, die;
	struct type inner;

	if (depth == TYPE_MAX_NESTED || !type_peel(d, &t) || t.stars || t.scalar ||
	    !type_tag_is_class(dwarf_tag(&t.die)) || dwarf_child(&t.die, &first) != 0)
		return false;
	die = first;
	do {
		const char *have = is_part(dwarf_tag(&die)) ? member_name(&die) : NULL;

		if (have && strlen(have) == len && !memcmp(have, name, len))
			return type_of(&die, out);
	} while (unit_next_sibling(d, &die));
	die = first;
	do {
		if (is_part(dwarf_tag(&die)) && type_of(&die, &inner) &&
		    is_transparent(d, &t, member_name(&die), &inner) &&
		    find_member(d, inner, name, len, depth + 1, out))
			return true;
	} while (unit_next_sibling(d, &die));
	return false;
}

bool type_member(struct debuginfo *d, const struct type *t, const char *name, size_t len,
		 struct type *out)
{
	return find_member(d, *t, name, len, 0, out);
}

bool type_inner(struct debuginfo *d, const struct type *t, const char *name, size_t len,
		Dwarf_Die *out)
{
	Dwarf_Die parent = t->die;

	if (t->stars || t->scalar || dwarf_child(&parent, out) != 0)
		return false;
	do {
		const int tag = dwarf_tag(out);
		const char *have = dwarf_diename(out);

		if (have && strlen(have) == len && !memcmp(have, name, len) &&
		    (type_tag_is_class(tag) || tag == DW_TAG_typedef ||
		     tag == DW_TAG_enumeration_type || tag == DW_TAG_template_type_parameter))
			return true;
	} while (unit_next_sibling(d, out));
	return false;
}

/* Returns how many elements an array of constant length has; 0 means unknown. */
static uint64_t array_length(Dwarf_Die *array)
{
	uint64_t n = 1;
	Dwarf_Off here;
	Dwarf_Die die;

	if (dwarf_child(array, &die) != 0)
		return 0;
	do {
		const bool counted = dwarf_hasattr(&die, DW_AT_count);
		Dwarf_Attribute attr;
		Dwarf_Word bound;

		here = dwarf_dieoffset(&die);
		if (dwarf_tag(&die) != DW_TAG_subrange_type)
			continue;
		if (!dwarf_attr(&die, counted ? DW_AT_count : DW_AT_upper_bound, &attr) ||
		    dwarf_formudata(&attr, &bound) != 0 ||
		    __builtin_mul_overflow(n, counted ? bound : bound + 1, &n))
			return 0;
	} while (dwarf_siblingof(&die, &die) == 0 && dwarf_dieoffset(&die) > here);
	return n;
}

uint64_t type_size(const struct type *t)
{
	struct type at = *t, next;
	uint64_t n = 1;
	Dwarf_Word size;

	if (t->stars)
		return sizeof(void *);
	if (t->scalar)
		return t->scalar_size;
	/* dwarf_aggregate_size() fails for an array of classes that are in type units */
	for (int i = 0; i < TYPE_MAX_PEELED && n; i++) {
		const int tag = dwarf_tag(&at.die);

		if (dwarf_aggregate_size(&at.die, &size) == 0)
			return __builtin_mul_overflow(n, size, &n) ? 0 : n;
		if (tag == DW_TAG_array_type &&
		    __builtin_mul_overflow(n, array_length(&at.die), &n))
			return 0;
		if ((tag != DW_TAG_array_type && !type_tag_is_alias(tag)) ||
		    !type_of(&at.die, &next))
			return 0;
		at = next;
	}
	return 0;
}

bool debuginfo_type(struct debuginfo *d, const struct sym_type_query *q, struct sym_type *out)
{
	struct type_scope scope = { 0 };
	struct type t = { 0 };
	Dwarf_Die die;
	bool known = false;

	if (q->by == SYM_BY_ENTRY || q->by == SYM_BY_TARGET) {
		struct unit *u = q->entry.unit && q->entry.unit <= d->nunits
					 ? &d->units[q->entry.unit - 1]
					 : NULL;

		known = u && unit_body(u) && unit_die(u, q->entry.offset, &die) &&
			type_of(&die, &t) &&
			(q->by == SYM_BY_ENTRY ||
			 ((type_is_pointer(d, &t) || type_is_array(d, &t)) && type_target(d, &t)));
	} else if (type_scope_at(d, q->vaddr, q->inlined, &scope)) {
		switch (q->by) {
		case SYM_BY_TYPE:
			known = type_by_name(&scope, q->text, strlen(q->text), &t);
			break;
		case SYM_BY_NAME:
			known = type_by_name(&scope, q->text, strlen(q->text), &t) ||
				type_of_expression(&scope, q->text, &t);
			break;
		case SYM_BY_POINTER:
			known = type_of_expression(&scope, q->text, &t) && type_target(d, &t);
			break;
		case SYM_BY_ALLOCATOR:
			known = type_of_variable(&scope, "this", 4, &t) && type_target(d, &t) &&
				type_peel(d, &t) && type_argument(d, &t, 0, &t);
			break;
		case SYM_BY_REGISTER:
			known = type_of_register(&scope, q->reg, &t);
			break;
		default:
			break;
		}
	}
	return known && type_element(d, &t) && type_layout(d, &t, out);
}
