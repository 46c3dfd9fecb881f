/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads static variables from DWARF. These are the variables whose location is an address, and
 * those of COMMON blocks whose address the symbol table shows. */
#include <dwarf.h>
#include <string.h>

#include "base/omp_region.h"
#include "symbol/demangle.h"
#include "symbol/dwarf_type.h"

struct walk {
	struct debuginfo *d;
	struct unit *u;
	int (*fn)(const struct sym_variable *v, void *arg);
	void *arg;
	uint64_t budget;
	/* address of the next variable of a COMMON block whose variables have no location; 0 means
	 * that variables have locations */
	uint64_t next;
};

/* Gets the address from a location expression: DW_OP_addr, or an offset in the TLS block. A
 * constant may be added to the address, for a member of a Fortran COMMON block. Returns false
 * for other expressions. */
static bool read_location(Dwarf_Die *die, struct sym_variable *v)
{
	Dwarf_Attribute attr, value;
	Dwarf_Op *op;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &op, &n) != 0 || !n)
		return false;
	switch (op[0].atom) {
	case DW_OP_addr:
	case DW_OP_const4u:
	case DW_OP_const8u:
		v->vaddr = op[0].number;
		break;
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		if (dwarf_getlocation_attr(&attr, &op[0], &value) != 0 ||
		    dwarf_formaddr(&value, &v->vaddr) != 0)
			return false;
		break;
	default:
		return false;
	}
	v->is_tls = n > 1 && (op[1].atom == DW_OP_form_tls_address ||
			      op[1].atom == DW_OP_GNU_push_tls_address);
	if (v->is_tls && n == 3 && op[2].atom == DW_OP_plus_uconst)
		v->vaddr += op[2].number;
	if (v->is_tls)
		return n == 2 || (n == 3 && op[2].atom == DW_OP_plus_uconst);
	if (op[0].atom != DW_OP_addr && op[0].atom != DW_OP_addrx &&
	    op[0].atom != DW_OP_GNU_addr_index)
		return false;
	if (n == 2 && op[1].atom == DW_OP_plus_uconst)
		v->vaddr += op[1].number;
	else if (n != 1)
		return false;
	return v->vaddr != 0; /* a variable at address 0 was discarded by the linker */
}

struct sym_entry unit_entry(const struct debuginfo *d, const struct unit *u, Dwarf_Die *die)
{
	return (struct sym_entry){ (uint32_t)(u - d->units) + 1, dwarf_dieoffset(die) };
}

uint64_t unit_size_of(Dwarf_Die *die)
{
	struct type t;

	return type_of(die, &t) ? type_size(&t) : 0;
}

/* Returns the last component of a demangled function name, without scope, template arguments and
 * parameters: "f" in "a::b<c::d>::f<e>(g)". *len is its length. */
static const char *own_part(const char *s, size_t *len)
{
	const char *from = s, *end = NULL, *p;
	int depth = 0;

	for (p = s; *p && (depth || *p != '('); p++) {
		if (*p == '<' && !depth++)
			end = p;
		depth -= *p == '>' && depth;
		if (!depth && p[0] == ':' && p[1] == ':') {
			from = p + 2;
			end = NULL;
		}
	}
	*len = (size_t)((end ? end : p) - from);
	return from;
}

/* If the name belongs to a parallel region, returns the name of the function that contains the
 * region; otherwise returns the name itself. *len is its length. */
static const char *source_function(struct debuginfo *d, const char *name, size_t *len)
{
	const size_t owner = region_owner_length(name);
	char *mangled;

	*len = owner ? owner : strlen(name);
	mangled = owner && !strncmp(name, "_Z", 2) ? arena_alloc(&d->arena, *len + 1) : NULL;
	if (!mangled)
		return name;
	memcpy(mangled, name, *len);
	mangled[*len] = '\0';
	name = demangle_name(&d->arena, mangled);
	return name == mangled ? name : own_part(name, len);
}

const char *unit_name_in(struct debuginfo *d, Dwarf_Die *die, Dwarf_Die *function)
{
	const char *name = unit_name(d, die);
	const char *outer = function ? dwarf_diename(function) : NULL;
	size_t head, tail;
	char *both;

	if (!name || !outer || name != dwarf_diename(die) || strcmp(outer, "MAIN__") == 0)
		return name;
	outer = source_function(d, outer, &head);
	tail = strlen(name);
	both = arena_alloc(&d->arena, head + 2 + tail + 1);
	if (!both)
		return name;
	memcpy(both, outer, head);
	memcpy(both + head, "::", 2);
	memcpy(both + head + 2, name, tail);
	return both;
}

void unit_declaration(struct debuginfo *d, struct unit *u, Dwarf_Die *die, const char **file,
		      uint32_t *line)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	if (dwarf_attr_integrate(die, DW_AT_decl_file, &attr) &&
	    dwarf_formudata(&attr, &number) == 0)
		*file = unit_file(d, u, number);
	if (dwarf_attr_integrate(die, DW_AT_decl_line, &attr) &&
	    dwarf_formudata(&attr, &number) == 0 && number <= INT32_MAX)
		*line = (uint32_t)number;
}

static int report_variable(struct walk *w, Dwarf_Die *die, Dwarf_Die *function)
{
	struct sym_variable v = { 0 };

	v.size = unit_size_of(die);
	if (w->next) {
		v.vaddr = w->next;
		w->next += v.size;
	} else if (!read_location(die, &v)) {
		return 0;
	}
	v.name = unit_name_in(w->d, die, function);
	if (!v.name)
		return 0;
	v.entry = unit_entry(w->d, w->u, die);
	unit_declaration(w->d, w->u, die, &v.file, &v.line);
	return w->fn(&v, w->arg);
}

static int walk_children(struct walk *w, Dwarf_Die *parent, Dwarf_Die *function, int depth)
{
	Dwarf_Die die;
	int ret = 0;

	if (depth == UNIT_MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return 0;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
		case DW_TAG_member:
			ret = report_variable(w, &die, function);
			break;
		case DW_TAG_common_block:
			if (!unit_common_block(w->d, &die, &w->next))
				w->next = 0;
			ret = walk_children(w, &die, &die, depth + 1);
			w->next = 0;
			break;
		case DW_TAG_subprogram:
			ret = walk_children(w, &die, &die, depth + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_lexical_block:
			ret = walk_children(w, &die, function, depth + 1);
			break;
		}
	} while (!ret && w->budget && w->budget-- && unit_next_sibling(w->d, &die));
	return ret;
}

int debuginfo_variables(struct debuginfo *d, int (*fn)(const struct sym_variable *v, void *arg),
			void *arg)
{
	struct walk w = { .d = d, .fn = fn, .arg = arg, .budget = UNIT_MAX_VARIABLE_WORK };
	int ret = 0;

	for (size_t i = 0; !ret && i < d->nunits; i++) {
		w.u = &d->units[i];
		if (!unit_is_type(w.u) && unit_body(w.u))
			ret = walk_children(&w, &w.u->body, NULL, 0);
	}
	return ret;
}
