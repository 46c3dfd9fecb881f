/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what a name means in the source of a function: a variable or type of the function, of its
 * class, or of a unit. Also finds the type to which the pointer in a register points.
 */
#include <ctype.h>
#include <dwarf.h>
#include <string.h>

#include "base/count.h"
#include "symbol/dwarf_type.h"

enum { MAX_BLOCKS = 64, MAX_ORIGINS = 4 };

bool type_scope_at(struct debuginfo *d, uint64_t vaddr, uint32_t inlined, struct type_scope *out)
{
	struct unit *u = unit_at(d, vaddr);
	uint32_t scope = u ? unit_scope_at(d, u, vaddr) : 0;

	*out = (struct type_scope){ .d = d, .u = u, .vaddr = vaddr };
	if (!u || !unit_body(u))
		return false;
	while (scope && inlined--)
		scope = unit_scope(u, scope)->parent;
	if (scope && !unit_die(u, unit_scope(u, scope)->die, &out->function))
		out->function.addr = NULL;
	return true;
}

/* A search for the variable or type `name` in a function and its blocks. */
struct search {
	const struct type_scope *s;
	const char *name;
	size_t len;
	bool types;      /* search for types; otherwise for variables */
	Dwarf_Die found; /* the entry that was found; addr NULL means none so far */
	bool covers;     /* the block that contains `found` also contains the code address */
};

static bool is_block(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

static bool is_sought(const struct search *x, Dwarf_Die *die)
{
	const char *name;

	switch (dwarf_tag(die)) {
	case DW_TAG_variable:
	case DW_TAG_formal_parameter:
		if (x->types)
			return false;
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_typedef:
	case DW_TAG_enumeration_type:
	case DW_TAG_template_type_parameter:
		if (!x->types)
			return false;
		break;
	default:
		return false;
	}
	name = dwarf_diename(die);
	return name && strlen(name) == x->len && !memcmp(name, x->name, x->len);
}

/* Searches the children of `parent` and the blocks below it. If blocks that contain the code
 * address have matches, the last of these counts, which is usually in the innermost block.
 * Otherwise the first match counts. */
static void search_block(struct search *x, Dwarf_Die *parent, bool covers, int depth)
{
	Dwarf_Die die;

	if (depth == MAX_BLOCKS || dwarf_child(parent, &die) != 0)
		return;
	do {
		if (is_sought(x, &die) && (!x->found.addr || (covers && depth))) {
			x->found = die;
			x->covers = covers;
		} else if (is_block(dwarf_tag(&die))) {
			search_block(x, &die, covers && dwarf_haspc(&die, x->s->vaddr) == 1,
				     depth + 1);
		}
	} while (unit_next_sibling(x->s->d, &die));
}

static bool abstract_origin(Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Attribute attr;

	return (dwarf_attr(die, DW_AT_abstract_origin, &attr) ||
		dwarf_attr(die, DW_AT_specification, &attr)) &&
	       dwarf_formref_die(&attr, out);
}

/* Searches the function, then its abstract function, which alone lists the variables that are
 * neither in memory nor in a register. */
static bool search_function(struct search *x)
{
	Dwarf_Die at = x->s->function, next;

	for (int i = 0; at.addr && i < MAX_ORIGINS; i++) {
		search_block(x, &at, true, 0);
		if (x->found.addr)
			return true;
		if (!abstract_origin(&at, &next))
			break;
		at = next;
	}
	return false;
}

static bool find_in_function(const struct type_scope *s, const char *name, size_t len, bool types,
			     Dwarf_Die *out)
{
	struct search x = { .s = s, .name = name, .len = len, .types = types };

	if (!search_function(&x))
		return false;
	*out = x.found;
	return true;
}

/* If the function is a method, gets its class from the type of `this`. Returns false if the
 * function is not a method. */
static bool class_of(const struct type_scope *s, struct type *out)
{
	Dwarf_Die self;

	return find_in_function(s, "this", 4, false, &self) && type_of(&self, out) &&
	       type_target(s->d, out) && type_peel(s->d, out);
}

/* Searches the unit of s first, then all other units. Returns false if no unit has the name, or if
 * it names types of different sizes. Of several variables in other units, the last one counts. */
static bool find_named(const struct type_scope *s, const struct sought_name *name, Dwarf_Die *out)
{
	struct type t = { 0 }, other = { 0 };
	enum unit_found result = unit_find_named(s->d, s->u, name, out);
	bool found = false;

	if (result != UNIT_NONE)
		return result == UNIT_FOUND;
	for (size_t i = 0; i < s->d->nunits && s->d->work < UNIT_MAX_WORK; i++) {
		result = unit_find_named(s->d, &s->d->units[i], name, &other.die);
		if (result == UNIT_NONE)
			continue;
		if (result == UNIT_AMBIGUOUS || (found && type_size(&t) != type_size(&other)))
			return false;
		t = other;
		found = true;
	}
	*out = t.die;
	return found;
}

bool type_of_variable(const struct type_scope *s, const char *name, size_t len, struct type *out)
{
	const struct sought_name sought = { name, len, true, &s->function, NULL, 0 };
	struct type class;
	Dwarf_Die die;

	if (find_in_function(s, name, len, false, &die))
		return type_of(&die, out);
	if (class_of(s, &class) && type_member(s->d, &class, name, len, out))
		return true;
	return find_named(s, &sought, &die) && type_of(&die, out);
}

static bool is_word(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(s, word, len);
}

/* Finds scalar types by name, because a unit need not describe types that it does not use. Returns
 * false if the name is unknown. */
static bool scalar_by_name(const char *s, size_t len, struct type *out)
{
	static const struct {
		const char *name;
		uint8_t size;
	} scalars[] = {
		{ "char", 1 },
		{ "signed char", 1 },
		{ "unsigned char", 1 },
		{ "bool", 1 },
		{ "_Bool", 1 },
		{ "short", 2 },
		{ "unsigned short", 2 },
		{ "int", 4 },
		{ "unsigned", 4 },
		{ "unsigned int", 4 },
		{ "long", 8 },
		{ "unsigned long", 8 },
		{ "long long", 8 },
		{ "unsigned long long", 8 },
		{ "float", 4 },
		{ "double", 8 },
		{ "long double", 16 },
		{ "int8_t", 1 },
		{ "uint8_t", 1 },
		{ "int16_t", 2 },
		{ "uint16_t", 2 },
		{ "int32_t", 4 },
		{ "uint32_t", 4 },
		{ "int64_t", 8 },
		{ "uint64_t", 8 },
		{ "size_t", 8 },
		{ "ssize_t", 8 },
		{ "ptrdiff_t", 8 },
		{ "intptr_t", 8 },
		{ "uintptr_t", 8 },
		{ "void", 0 },
		{ "long int", 8 },
		{ "unsigned long int", 8 },
		{ "short int", 2 },
	};

	for (size_t i = 0; i < COUNT_OF(scalars); i++)
		if (is_word(s, len, scalars[i].name)) {
			*out = (struct type){ .scalar = scalars[i].name,
					      .scalar_size = scalars[i].size };
			return true;
		}
	return false;
}

/* Skips words such as "struct " and "const " at the start. */
static const char *skip_words(const char *s, const char *end)
{
	static const char *const words[] = { "struct", "class", "union",    "enum",
					     "const",  "std",   "typename", "volatile" };
	bool again = true;

	while (again) {
		again = false;
		while (s < end && (*s == ' ' || *s == ':'))
			s++;
		for (size_t i = 0; i < COUNT_OF(words); i++) {
			size_t n = strlen(words[i]);

			if ((size_t)(end - s) > n && !memcmp(s, words[i], n) &&
			    (s[n] == ' ' || (s[n] == ':' && !strcmp(words[i], "std")))) {
				s += n;
				again = true;
				break;
			}
		}
	}
	return s;
}

/* Returns the last component of a name such as "a::b<c::d>::e". */
static const char *last_part(const char *s, const char *end)
{
	const char *from = s;
	int depth = 0;

	for (const char *p = s; p < end; p++) {
		depth += *p == '<' ? 1 : *p == '>' ? -1 : 0;
		if (!depth && p + 2 < end && p[0] == ':' && p[1] == ':')
			from = p + 2;
	}
	return from;
}

static bool is_type_text(const char *s, const char *end)
{
	if (s == end || (!isalpha((unsigned char)*s) && *s != '_'))
		return false;
	for (; s < end; s++)
		if (!isalnum((unsigned char)*s) && !strchr("_ <>,:*", *s))
			return false;
	return true;
}

bool type_by_name(const struct type_scope *s, const char *text, size_t len, struct type *out)
{
	const char *end = text + len, *from = skip_words(text, end), *last;
	struct sought_name sought;
	struct type class;
	unsigned stars = 0;

	while (end > from && (end[-1] == '*' || end[-1] == ' '))
		stars += *--end == '*';
	if (!is_type_text(from, end))
		return false;
	*out = (struct type){ 0 };
	last = last_part(from, end);
	sought = (struct sought_name){ last, (size_t)(end - last), false, &s->function, NULL, 0 };
	if (last > from) {
		sought.scope = last_part(from, last - 2);
		sought.scope_len = (size_t)(last - 2 - sought.scope);
	}
	if (!scalar_by_name(from, (size_t)(end - from), out) &&
	    (sought.scope || !find_in_function(s, last, sought.len, true, &out->die))) {
		Dwarf_Die die;

		if (!(class_of(s, &class) && type_inner(s->d, &class, last, sought.len, &die)) &&
		    !find_named(s, &sought, &die))
			return false;
		out->die = die;
	}
	if (!out->scalar)
		unit_follow_signature(&out->die);
	out->stars = stars;
	return true;
}

/* A search for the variables whose value is in register `reg` at the code address of the scope. */
struct register_search {
	const struct type_scope *s;
	uint8_t reg;
	struct type found;
	bool any, several;
};

static bool lies_in(const struct register_search *x, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t n;

	return dwarf_attr(die, DW_AT_location, &attr) &&
	       dwarf_getlocation_addr(&attr, x->s->vaddr, &op, &n, 1) == 1 && n == 1 &&
	       ((op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31 &&
		 op->atom - DW_OP_reg0 == x->reg) ||
		(op->atom == DW_OP_regx && op->number == x->reg));
}

static void search_register(struct register_search *x, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth == MAX_BLOCKS || dwarf_child(parent, &die) != 0)
		return;
	do {
		const int tag = dwarf_tag(&die);
		struct type t;

		if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
		    lies_in(x, &die) && type_of(&die, &t) && type_target(x->s->d, &t)) {
			x->several |= x->any && type_size(&t) != type_size(&x->found);
			x->found = t;
			x->any = true;
		} else if ((is_block(tag) || tag == DW_TAG_inlined_subroutine) &&
			   dwarf_haspc(&die, x->s->vaddr) == 1) {
			search_register(x, &die, depth + 1);
		}
	} while (unit_next_sibling(x->s->d, &die));
}

bool type_of_register(const struct type_scope *s, uint8_t reg, struct type *out)
{
	struct register_search x = { .s = s, .reg = reg };
	struct type_scope outer = *s;
	uint32_t scope = unit_scope_at(s->d, s->u, s->vaddr);

	while (scope && unit_scope(s->u, scope)->parent)
		scope = unit_scope(s->u, scope)->parent;
	if (!scope || !unit_die(s->u, unit_scope(s->u, scope)->die, &outer.function))
		return false;
	search_register(&x, &outer.function, 0);
	*out = x.found;
	return x.any && !x.several;
}
