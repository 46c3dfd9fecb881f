/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds types and variables of units by name. Types and variables inside functions are not
 * included. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/dwarf_type.h"

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

bool unit_find_named(struct debuginfo *d, struct unit *u, const char *name, size_t len,
		     bool variables, Dwarf_Die *out)
{
	const uint32_t hash = hash_of(name, len);
	bool found = false;
	uint64_t size = 0;

	if (!unit_body(u))
		return false;
	if (!u->names_read) {
		u->names_read = true;
		read_names(d, u, &u->body, 0);
		if (u->names.n)
			qsort(u->names.at, u->names.n, sizeof(*u->names.at), by_hash);
	}
	for (uint32_t i = VEC_LOWER_BOUND(&u->names, hash, hash);
	     i < u->names.n && u->names.at[i].hash == hash; i++) {
		struct type t = { 0 };
		const char *have;

		if (u->names.at[i].is_variable != variables ||
		    !dwarf_offdie(dwarf_cu_getdwarf(u->body.cu), u->names.at[i].die, &t.die))
			continue;
		have = dwarf_diename(&t.die);
		if (!have || !same_name(have, name, len))
			continue;
		if (found && !variables && type_size(&t) != size)
			return false;
		if (!found)
			*out = t.die;
		size = type_size(&t);
		found = true;
	}
	return found;
}
