/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds types and variables of units by name. Types and variables inside functions are not
 * included. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/dwarf_type.h"

enum { NOT_AROUND = UINT32_MAX };

/*
 * Hashes a name without its blanks, because compilers differ in where they write blanks in
 * "Grid<int, 3>".
 */
static uint32_t hash_of(const char *s, size_t len)
{
	uint64_t h = 0;

	for (size_t i = 0; i < len; i++)
		if (s[i] != ' ')
			h = index_mix(h + 1, (unsigned char)s[i]);
	return (uint32_t)(h ^ h >> 32);
}

static bool same_name(const char *a, const char *b, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (b[i] == ' ')
			continue;
		while (*a == ' ')
			a++;
		if (*a++ != b[i])
			return false;
	}
	return !*a;
}

static bool is_type(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_typedef || tag == DW_TAG_base_type ||
	       tag == DW_TAG_enumeration_type;
}

static bool has_names(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static void add_named(struct unit *u, Dwarf_Die *die, bool is_variable)
{
	const char *name = dwarf_diename(die);
	Dwarf_Attribute attr;

	if (!name || (!is_variable && dwarf_attr(die, DW_AT_declaration, &attr)))
		return;
	if (!VEC_ROOM(&u->names))
		unit_must(NULL);
	u->names.at[u->names.n++] =
		(struct named){ hash_of(name, strlen(name)), is_variable, dwarf_dieoffset(die) };
}

static void read_names(struct debuginfo *d, struct unit *u, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth == UNIT_MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_variable || is_type(tag))
			add_named(u, &die, tag == DW_TAG_variable);
		if (has_names(tag))
			read_names(d, u, &die, depth + 1);
	} while (unit_next_sibling(d, &die));
}

static int by_hash(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->die < y->die ? -1 : x->die > y->die;
}

static bool is_in_scope(const struct unit *u, uint32_t container, const struct sought_name *name)
{
	Dwarf_Die die;
	const char *have;

	if (!container || !unit_die(u, unit_container(u, container)->start, &die))
		return false;
	unit_follow_signature(&die);
	have = dwarf_diename(&die);
	return have && same_name(have, name->scope, name->scope_len);
}

/* Returns how far the namespace or class of an entry is from the function that uses its name: 0 for
 * the innermost one around the function. NOT_AROUND means that it is not around the function. */
static unsigned distance_of(const struct unit *u, const struct sought_name *name,
			    const Dwarf_Die *die)
{
	const bool known = name->function && name->function->addr && u->ncontainers;
	const uint32_t own = known ? unit_container_of(u, die) : 0;
	uint32_t at = known ? unit_container_of(u, name->function) : 0;
	unsigned n = 0;

	if (!known)
		return NOT_AROUND;
	if (name->scope)
		return is_in_scope(u, own, name) ? 0 : NOT_AROUND;
	for (; at && at != own; at = unit_container(u, at)->outer)
		n++;
	return at == own ? n : NOT_AROUND;
}

/* Reads the names of the unit, if they have not been read. */
static void know_names(struct debuginfo *d, struct unit *u)
{
	if (u->names_read)
		return;
	u->names_read = true;
	read_names(d, u, &u->body, 0);
	if (unit_is_type(u)) /* is_in_scope() needs the namespaces around the type */
		unit_scope_at(d, u, 0);
	if (u->names.n)
		qsort(u->names.at, u->names.n, sizeof(*u->names.at), by_hash);
}

enum unit_found unit_find_named(struct debuginfo *d, struct unit *u, const struct sought_name *name,
				Dwarf_Die *out)
{
	const uint32_t hash = hash_of(name->s, name->len);
	enum unit_found found = UNIT_NONE;
	unsigned best = 0, distance;
	uint64_t size = 0;

	if (!unit_body(u))
		return UNIT_NONE;
	know_names(d, u);
	for (uint32_t i = VEC_LOWER_BOUND(&u->names, hash, hash);
	     i < u->names.n && u->names.at[i].hash == hash; i++) {
		struct type t = { 0 };
		const char *have;

		if (u->names.at[i].is_variable != name->is_variable ||
		    !unit_die(u, u->names.at[i].die, &t.die))
			continue;
		have = dwarf_diename(&t.die);
		if (!have || !same_name(have, name->s, name->len))
			continue;
		distance = distance_of(u, name, &t.die);
		if (found && distance > best)
			continue;
		if (!found || distance < best) {
			*out = t.die;
			found = UNIT_FOUND;
			size = type_size(&t);
			best = distance;
		} else if (!name->is_variable && type_size(&t) != size) {
			found = UNIT_AMBIGUOUS;
		}
	}
	return found;
}
