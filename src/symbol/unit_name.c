/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the names of functions and variables in DWARF. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/demangle.h"
#include "symbol/unit.h"

enum { MAX_NAME = 64 << 10, MAX_REFERENCES = 8 };

static const char *pretty_name(struct debuginfo *d, const char *linkage)
{
	uint32_t id = strings_id(&d->linked, linkage);

	if (!id)
		return linkage;
	if (!VEC_REACH(&d->pretty, id))
		return linkage;
	if (!AT_ID(d->pretty, id))
		AT_ID(d->pretty, id) = demangle_name(&d->arena, strings_text(&d->linked, id));
	return AT_ID(d->pretty, id);
}

/* Demangles a DW_AT_name. It should not be mangled, but gcc writes mangled names for outlined
 * parallel loops (._omp_fn.0). If the name is not mangled, returns the same pointer into the file,
 * so that callers see this. */
static const char *plain_name(struct debuginfo *d, const char *name)
{
	const char *pretty = name ? pretty_name(d, name) : NULL;

	return pretty && strcmp(pretty, name) ? pretty : name;
}

const char *unit_name(struct debuginfo *d, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *linkage = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		linkage = dwarf_formstring(&attr);
	return linkage ? pretty_name(d, linkage) : plain_name(d, dwarf_diename(die));
}

static Dwarf_Off container_end(const struct unit *u, uint32_t at)
{
	while (at && !unit_container(u, at)->end)
		at = unit_container(u, at)->outer;
	return at ? unit_container(u, at)->end : UINT64_MAX;
}

/* Returns the id of the innermost container (class or namespace) of u that encloses the entry at
 * `offset`; 0 means none. Only containers that have been read are known. */
static uint32_t container_around(const struct unit *u, Dwarf_Off offset)
{
	size_t lo = 0, hi = u->ncontainers;
	uint32_t at;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (u->containers[mid].start < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (at = (uint32_t)lo; at; at = unit_container(u, at)->outer)
		if (container_end(u, at) > offset)
			return at;
	return 0;
}

/* If die refers to a declaration, as the definition of a class member does, returns the
 * declaration; otherwise die itself. The parents of the declaration are its class and
 * namespaces. */
static Dwarf_Die declaration_of(const Dwarf_Die *die)
{
	Dwarf_Die at = *die, next;
	Dwarf_Attribute attr;

	for (int i = 0; i < MAX_REFERENCES; i++) {
		if (!dwarf_attr(&at, DW_AT_abstract_origin, &attr) &&
		    !dwarf_attr(&at, DW_AT_specification, &attr))
			break;
		if (!dwarf_formref_die(&attr, &next))
			break;
		at = next;
	}
	return at;
}

uint32_t unit_container_of(const struct unit *u, const Dwarf_Die *die)
{
	Dwarf_Die declared = declaration_of(die);

	return declared.cu == u->body.cu ? container_around(u, dwarf_dieoffset(&declared)) : 0;
}

/* Writes "outer::…::name" backwards from the end of buf, where the container with the id `at` is
 * the innermost one around the name. Returns the start of the text; NULL if it does not fit. */
static const char *qualify_name(const struct unit *u, uint32_t at, const char *name, char *buf)
{
	char *p = buf + MAX_NAME - 1;
	size_t n = strlen(name);

	if (n > (size_t)(p - buf))
		return NULL;
	*p = '\0';
	p -= n;
	memcpy(p, name, n);
	for (; at; at = unit_container(u, at)->outer) {
		const char *outer;
		Dwarf_Die die;

		if (!unit_die(u, unit_container(u, at)->start, &die))
			return NULL;
		unit_follow_signature(&die);
		outer = dwarf_diename(&die);
		if (!outer)
			outer = dwarf_tag(&die) == DW_TAG_namespace ? "(anonymous namespace)"
								    : "(anonymous)";
		n = strlen(outer);
		if (n + 2 > (size_t)(p - buf))
			return NULL;
		p -= 2;
		memcpy(p, "::", 2);
		p -= n;
		memcpy(p, outer, n);
	}
	return p;
}

const char *unit_full_name(struct debuginfo *d, struct unit *u, Dwarf_Die *die)
{
	const char *name = unit_name(d, die), *full;
	uint32_t around;
	char *buf;

	if (!name || name != dwarf_diename(die) || !u->ncontainers)
		return name;
	around = unit_container_of(u, die);
	buf = around ? malloc(MAX_NAME) : NULL;
	if (!buf)
		return name;
	full = qualify_name(u, around, name, buf);
	full = full ? strings_text(&d->linked, strings_id(&d->linked, full)) : NULL;
	free(buf);
	return full ? full : name;
}
