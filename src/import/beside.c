/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/beside.h"

#include <string.h>

#include "symbol/type.h"

enum { LARGEST_NUMBER = 16 };

/* Does the variable begin with an array, as far as known? A member that is an array has a type such
 * as "long[]", and an element of an array of structs has a name such as "at[0].x". */
static bool begins_with_array(const struct sym_type *type)
{
	const struct sym_member *first = &type->members[0];

	return !first->name || strchr(first->name, '[') ||
	       (first->type && strchr(first->type, '['));
}

/* The address is `before` bytes before the variable. May it be meant as the variable's element
 * -1? */
static bool is_element_before(const struct sym_type *type, uint64_t before)
{
	if (type && before == type->size)
		return true;
	return before <= LARGEST_NUMBER &&
	       (!type || (type->kind != SYM_SCALAR && begins_with_array(type)));
}

/* Like is_element_before(), but needs no type, so that few variables need a query for theirs. */
static bool may_be_element(const struct sym_local *v, uint64_t before)
{
	return before <= LARGEST_NUMBER || v->size % before == 0;
}

static bool is_number(const struct sym_type *type, const struct sym_local *v)
{
	return type && type->kind == SYM_SCALAR && type->size == v->size;
}

bool before_array(struct sym_file *file, const struct sym_local *v, uint64_t before)
{
	return before < v->size &&
	       !is_number(sym_type(file, &(struct sym_type_query){ .by = SYM_BY_ENTRY,
								   .entry = v->entry }),
			  v);
}

bool beside_array(struct sym_file *file, const struct sym_local *v, int64_t distance)
{
	const struct sym_type *type;

	if (distance >= 0 ? (uint64_t)distance != v->size : !may_be_element(v, -(uint64_t)distance))
		return false;
	type = sym_type(file, &(struct sym_type_query){ .by = SYM_BY_ENTRY, .entry = v->entry });
	if (is_number(type, v))
		return false;
	return distance >= 0 || is_element_before(type, -(uint64_t)distance);
}
