/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the names of types as programmers write them. */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "symbol/dwarf_type.h"

enum { MAX_NAMED = 2048 }; /* maximum length of a type's name */

static const char *intern_name(struct debuginfo *d, const char *s)
{
	return strings_text(&d->linked, strings_id(&d->linked, s));
}

/* Returns the name of a base type as C programmers write it; gcc writes "long unsigned int". */
static const char *as_written(const char *name)
{
	static const char *const names[][2] = {
		{ "long unsigned int", "unsigned long" },
		{ "long int", "long" },
		{ "short unsigned int", "unsigned short" },
		{ "short int", "short" },
		{ "long long unsigned int", "unsigned long long" },
		{ "long long int", "long long" },
	};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strcmp(name, names[i][0]))
			return names[i][1];
	return name;
}

static const char *class_head(Dwarf_Die *die)
{
	if (unit_language(die) != LANGUAGE_C)
		return "";
	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type:
		return "struct ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	}
	return "";
}

/* Appends s to out[0..n), up to MAX_NAMED bytes. Returns the new length. */
static size_t append_text(char *out, size_t n, const char *s)
{
	size_t len = strlen(s);

	if (len > MAX_NAMED - 1 - n)
		len = MAX_NAMED - 1 - n;
	memcpy(out + n, s, len);
	out[n + len] = '\0';
	return n + len;
}

/* Returns the unit to which an entry belongs, and makes sure that the unit's namespaces and classes
 * have been read. Returns NULL for C, which has no namespaces, or if the unit is unknown. */
static struct unit *named_in(struct debuginfo *d, Dwarf_Die *die)
{
	struct unit *u = unit_language(die) == LANGUAGE_C ? NULL : unit_of(d, die);

	if (u)
		unit_scope_at(d, u, 0);
	return u;
}

/* Appends the namespaces and classes around an entry to out[0..n), each with "::", and returns the
 * new length. For entries whose unit is unknown: a type unit of split DWARF. */
static size_t append_scopes(Dwarf_Die *die, char *out, size_t n)
{
	Dwarf_Die *scopes = NULL;
	const int count = dwarf_getscopes_die(die, &scopes);

	/* the first scope is the entry itself, the last one the unit */
	for (int i = count - 2; i > 0; i--) {
		const bool is_namespace = dwarf_tag(&scopes[i]) == DW_TAG_namespace;
		const char *name;

		unit_follow_signature(&scopes[i]);
		name = dwarf_diename(&scopes[i]);
		n = append_text(out, n,
				name           ? name
				: is_namespace ? "(anonymous namespace)"
					       : "(anonymous)");
		n = append_text(out, n, "::");
	}
	free(scopes);
	return n;
}

/* Returns a name for a type of Fortran strings. Such a type has no name in the debug
 * information. */
static const char *fortran_string(struct debuginfo *d, Dwarf_Die *die)
{
	char name[40];

	if (!dwarf_hasattr(die, DW_AT_byte_size))
		return "character";
	snprintf(name, sizeof(name), "character(len=%d)", dwarf_bytesize(die));
	return intern_name(d, name);
}

/* Follows typedefs and the like from *t to the type that they mean. Sets *alias to the name of the
 * first typedef; NULL if there is none. Returns false if they lead to no type, as "typedef void T;"
 * does. */
static bool peel_aliases(struct type *t, const char **alias)
{
	*alias = NULL;
	for (int i = 0; i < TYPE_MAX_PEELED; i++) {
		struct type next;
		const int tag = dwarf_tag(&t->die);

		if (tag == DW_TAG_typedef && !*alias)
			*alias = dwarf_diename(&t->die);
		if (!type_tag_is_alias(tag))
			break;
		if (!type_of(&t->die, &next))
			return false;
		*t = next;
	}
	return true;
}

/* Appends the name of a class or enumeration, with the namespaces and classes around it. */
static size_t write_class(struct debuginfo *d, Dwarf_Die *die, char *out, size_t n)
{
	struct unit *u = named_in(d, die);

	n = append_text(out, n, class_head(die));
	if (!u && unit_language(die) != LANGUAGE_C)
		n = append_scopes(die, out, n);
	return append_text(out, n, u ? unit_full_name(d, u, die) : dwarf_diename(die));
}

/* Appends the name of the type t, without t.stars, to out[0..n), and returns the new length. A
 * class or enumeration has its own name; if it has none, the name of the first typedef that leads
 * to it. Any other type is called after the first typedef that leads to it; if there is none, it
 * has its own name. */
static size_t write_base(struct debuginfo *d, struct type t, char *out, size_t n, int depth)
{
	const char *alias, *name;
	struct type next;
	int tag;

	if (!peel_aliases(&t, &alias))
		return append_text(out, n, alias ? alias : "void");
	tag = dwarf_tag(&t.die);
	name = dwarf_diename(&t.die);
	if (name && (type_tag_is_class(tag) || tag == DW_TAG_enumeration_type))
		return write_class(d, &t.die, out, n);
	if (alias)
		return append_text(out, n, alias);
	if (name)
		return append_text(out, n, as_written(name));
	if ((type_tag_is_pointer(tag) || tag == DW_TAG_array_type) && depth < TYPE_MAX_NESTED) {
		const bool is_array = tag == DW_TAG_array_type;

		if (!type_of(&t.die, &next))
			return append_text(out, n, is_array ? "[]" : "void *");
		if (dwarf_tag(&next.die) == DW_TAG_subroutine_type)
			return append_text(out, n, "function *");
		n = write_base(d, next, out, n, depth + 1);
		if (is_array)
			return append_text(out, n, "[]");
		return append_text(out, n, n && out[n - 1] == '*' ? "*" : " *");
	}
	return append_text(out, n,
			   tag == DW_TAG_string_type ? fortran_string(d, &t.die) : "(unnamed)");
}

const char *type_name(struct debuginfo *d, const struct type *t)
{
	char out[MAX_NAMED] = "";
	size_t n;

	n = t->scalar ? append_text(out, 0, t->scalar) : write_base(d, *t, out, 0, 0);
	for (unsigned i = 0; i < t->stars && i < TYPE_MAX_NESTED; i++)
		n = append_text(out, n, n && out[n - 1] == '*' ? "*" : " *");
	return intern_name(d, out);
}
