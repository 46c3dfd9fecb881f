/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the members of a type by the bytes that they occupy. A nested struct is replaced by its
 * members, and so is a short array of structs. Members may overlap: in unions, or as bit fields
 * that share bytes. Then the bytes are split where a member begins or ends, and each piece has the
 * names of all its members.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "symbol/dwarf_type.h"

enum {
	MAX_DEPTH = 12, /* maximum depth of structs inside structs */
	MAX_NAME = 400, /* maximum length of a member's name */
	/* maximum number of elements of an array of structs that is replaced by its elements */
	MAX_OPENED = 64,
	/* maximum number of names of overlapping members that are written out; "…" replaces the
	 * others */
	MAX_TOGETHER = 4,
	/* maximum number of members before they are split. The number of pieces and gaps is at most
	 * twice as large, plus 1 */
	MAX_LEAVES = 2048,
};

struct leaf {
	const char *name, *type;
	/* bytes of the member in the struct; hi is UINT64_MAX for a flexible array */
	uint64_t lo, hi;
	uint32_t number; /* position in the order of declaration */
};

struct layout {
	struct debuginfo *d;
	struct leaf leaves[MAX_LEAVES];
	uint64_t ends[2 * MAX_LEAVES + 2]; /* where leaves begin and end, for cut_into_pieces() */
	uint32_t n;
	uint64_t size;
};

/* The position of walk_type() in nested structs. */
struct spot {
	const char *prefix; /* name of the enclosing member, or "" */
	uint64_t offset;
	int depth;
};

static void walk_type(struct layout *l, const struct type *t, const struct spot *at);

static void add_leaf(struct layout *l, const struct type *t, const struct spot *at, uint64_t size,
		     bool flexible)
{
	if (l->n == MAX_LEAVES || at->offset > l->size || (!size && !flexible))
		return;
	if (!flexible && size > l->size - at->offset)
		return;
	l->leaves[l->n] = (struct leaf){
		.number = l->n,
		.name = strings_text(&l->d->linked, strings_id(&l->d->linked, at->prefix)),
		.type = type_name(l->d, t),
		.lo = at->offset,
		.hi = flexible ? UINT64_MAX : at->offset + size,
	};
	l->n++;
}

static bool is_struct(const struct type *t)
{
	Dwarf_Die die = t->die;
	int tag = t->stars || t->scalar ? DW_TAG_invalid : dwarf_tag(&die);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/*
 * Is it a class of the C++ library whose members are implementation details (std::string,
 * std::vector)? The classes in `open`, and classes inside them, are not: their members contain the
 * user's own objects, or the counters of a shared pointer.
 */
static bool is_closed(struct layout *l, const struct type *t)
{
	static const char *const open[] = { "pair<",    "array<",      "complex<",  "_List_node",
					    "_Rb_tree", "_Hash_node",  "_Fwd_list", "__aligned_",
					    "__detail", "_Sp_counted_" };
	const char *name = type_name(l->d, t);
	size_t scope;

	if (!name || (strncmp(name, "std::", 5) && strncmp(name, "__gnu_cxx::", 11)))
		return false;
	scope = (size_t)(strstr(name, "::") + 2 - name);
	for (size_t i = 0; i < COUNT_OF(open); i++)
		if (type_is_instance(t, open[i]) ||
		    !strncmp(name + scope, open[i], strlen(open[i])))
			return false;
	return true;
}

static bool constant_attribute(Dwarf_Die *die, unsigned name, uint64_t *v)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &word) != 0)
		return false;
	*v = word;
	return true;
}

/*
 * Gets the position of a member in its type: *bit is its first bit; *bits is the size of a bit
 * field, or 0 for any other member. Returns false for a static member, and for a virtual base
 * class, whose position differs between objects.
 */
static bool place_of(Dwarf_Die *die, uint64_t *bit, uint64_t *bits, bool is_union)
{
	uint64_t bytes = 0, from;
	Dwarf_Attribute attr;

	*bits = 0;
	if (dwarf_attr(die, DW_AT_external, &attr))
		return false;
	constant_attribute(die, DW_AT_bit_size, bits);
	if (constant_attribute(die, DW_AT_data_bit_offset, bit))
		return true;
	if (!constant_attribute(die, DW_AT_data_member_location, &bytes) && !is_union &&
	    dwarf_attr(die, DW_AT_data_member_location, &attr))
		return false;
	if (bytes > INT64_MAX / 16)
		return false;
	*bit = 8 * bytes;
	/* before DWARF 4, DW_AT_bit_offset was the distance from the highest bit of the storage
	 * unit to the highest bit of the field; *bit is the offset of the field's lowest bit */
	if (*bits && constant_attribute(die, DW_AT_bit_offset, &from) && from < 64) {
		uint64_t unit = unit_size_of(die) * 8;

		constant_attribute(die, DW_AT_byte_size, &unit);
		if (unit >= from + *bits)
			*bit += unit - from - *bits;
	}
	return true;
}

/* Is this the name of a member in which a C++ container stores the user's value? If so, the value's
 * members are listed without this name. */
static bool is_wrapper(const char *name)
{
	return !strcmp(name, "_M_storage") || !strcmp(name, "_M_impl");
}

/* Is this the type of the member in which a node of a C++ container stores its value as bytes? */
static bool is_buffer(const struct type *t)
{
	return type_is_instance(t, "__aligned_membuf<") || type_is_instance(t, "__aligned_buffer<");
}

/* Adds the members of the value in a wrapper. A value without members that have names, such as a
 * number or a std::string, gets the wrapper's own name, which `named` contains. */
static void walk_wrapped(struct layout *l, const struct type *t, const struct spot *at,
			 const char *named)
{
	const uint32_t before = l->n;
	struct type buffer = *t, held;

	walk_type(l, t, at);
	if (l->n == before && type_peel(l->d, &buffer) && is_buffer(&buffer) &&
	    type_argument(l->d, &buffer, 0, &held))
		add_leaf(l, &held, &(struct spot){ named, at->offset, at->depth }, type_size(&held),
			 false);
}

static void walk_member(struct layout *l, Dwarf_Die *die, const struct spot *at, bool is_union)
{
	const char *name = dwarf_tag(die) == DW_TAG_inheritance ? NULL : dwarf_diename(die);
	char prefix[MAX_NAME];
	struct spot inner = { at->prefix, 0, at->depth + 1 };
	uint64_t bit, bits;
	struct type t;

	if (!type_of(die, &t) || !place_of(die, &bit, &bits, is_union) ||
	    bit / 8 > l->size - at->offset)
		return;
	inner.offset = at->offset + bit / 8;
	if (name) {
		int n = snprintf(prefix, sizeof(prefix), "%s%s%s", at->prefix,
				 *at->prefix ? "." : "", name);

		if (n < 0 || (size_t)n >= sizeof(prefix))
			return;
		if (!is_wrapper(name))
			inner.prefix = prefix;
	}
	if (name && is_wrapper(name))
		walk_wrapped(l, &t, &inner, prefix);
	else if (bits)
		add_leaf(l, &t, &inner, (bit % 8 + bits + 7) / 8, false);
	else
		walk_type(l, &t, &inner);
}

static void walk_struct(struct layout *l, const struct type *t, const struct spot *at)
{
	Dwarf_Die parent = t->die, die;
	const bool is_union = dwarf_tag(&parent) == DW_TAG_union_type;

	if (dwarf_child(&parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
			walk_member(l, &die, at, is_union);
	} while (l->n < MAX_LEAVES && unit_next_sibling(l->d, &die));
}

static void walk_array(struct layout *l, const struct type *t, const struct spot *at)
{
	struct type element = *t, peeled;
	uint64_t bytes = type_size(t), size, n;
	char name[MAX_NAME];

	if (!type_element(l->d, &element))
		return;
	size = type_size(&element);
	n = size && bytes % size == 0 ? bytes / size : 0;
	peeled = element;
	if (!n || n > MAX_OPENED || !type_peel(l->d, &peeled) || !is_struct(&peeled)) {
		add_leaf(l, t, at, bytes, !bytes);
		return;
	}
	for (uint64_t i = 0; i < n && l->n < MAX_LEAVES; i++) {
		struct spot inner = { name, at->offset + i * size, at->depth + 1 };

		if ((size_t)snprintf(name, sizeof(name), "%s[%u]", at->prefix, (unsigned)i) <
		    sizeof(name))
			walk_type(l, &element, &inner);
	}
}

static void walk_type(struct layout *l, const struct type *t, const struct spot *at)
{
	struct type peeled = *t, held;
	Dwarf_Die die;
	uint32_t before = l->n;

	if (!type_peel(l->d, &peeled)) {
		add_leaf(l, t, at, type_size(t), false);
		return;
	}
	die = peeled.die;
	if (is_buffer(&peeled) && type_argument(l->d, &peeled, 0, &held) && at->depth < MAX_DEPTH)
		walk_type(l, &held, &(struct spot){ at->prefix, at->offset, at->depth + 1 });
	else if (!peeled.stars && !peeled.scalar && dwarf_tag(&die) == DW_TAG_array_type &&
		 at->depth < MAX_DEPTH)
		walk_array(l, &peeled, at);
	else if (is_struct(&peeled) && at->depth < MAX_DEPTH &&
		 !(at->depth && is_closed(l, &peeled)))
		walk_struct(l, &peeled, at);
	if (l->n == before && *at->prefix)
		add_leaf(l, t, at, type_size(&peeled), false);
}

static int by_place(const void *a, const void *b)
{
	const struct leaf *x = a, *y = b;

	if (x->lo != y->lo)
		return x->lo < y->lo ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * Returns the names of all leaves (members) that contain the byte at offset lo, as "a|b"; NULL if
 * there is no such leaf. leaves[first] is the first leaf that may contain it. *type is the type of
 * the first leaf that contains it.
 */
static const char *names_in(struct layout *l, uint32_t first, uint64_t lo, const char **type)
{
	char text[MAX_NAME * (MAX_TOGETHER + 1)];
	size_t n = 0;
	int count = 0;

	*type = NULL;
	for (uint32_t i = first; i < l->n && l->leaves[i].lo <= lo; i++) {
		if (l->leaves[i].hi <= lo)
			continue;
		if (!count)
			*type = l->leaves[i].type;
		if (count++ == MAX_TOGETHER) {
			n += (size_t)snprintf(text + n, sizeof(text) - n, "|…");
			break;
		}
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", count > 1 ? "|" : "",
				      l->leaves[i].name);
	}
	return count ? strings_text(&l->d->linked, strings_id(&l->d->linked, text)) : NULL;
}

static void add_piece(struct sym_type *out, struct sym_member *all, const struct sym_member *m)
{
	struct sym_member *last = out->nmembers ? &all[out->nmembers - 1] : NULL;

	/* the previous piece has the same members, so it is extended */
	if (last && last->name == m->name && last->size) {
		last->size = m->size ? last->size + m->size : 0;
		return;
	}
	all[out->nmembers++] = *m;
}

/* Splits the leaves, which may overlap, into disjoint ranges, and writes these to all[]. */
static void cut_into_pieces(struct layout *l, struct sym_type *out, struct sym_member *all)
{
	uint64_t *const ends = l->ends;
	uint32_t n = 0, first = 0;

	qsort(l->leaves, l->n, sizeof(l->leaves[0]), by_place);
	ends[n++] = 0;
	ends[n++] = l->size;
	for (uint32_t i = 0; i < l->n; i++) {
		ends[n++] = l->leaves[i].lo;
		ends[n++] = l->leaves[i].hi;
	}
	qsort(ends, n, sizeof(ends[0]), by_value);
	for (uint32_t i = 0; i + 1 < n; i++) {
		struct sym_member m = { .offset = ends[i], .size = ends[i + 1] - ends[i] };

		if (!m.size || ends[i] == UINT64_MAX)
			continue;
		while (first < l->n && l->leaves[first].hi <= ends[i])
			first++;
		m.name = names_in(l, first, ends[i], &m.type);
		if (ends[i + 1] == UINT64_MAX)
			m.size = 0;
		if (out->nmembers < SYM_MAX_MEMBERS)
			add_piece(out, all, &m);
	}
}

static void read_layout(struct debuginfo *d, const struct type *t, struct sym_type *out)
{
	struct sym_member *all = unit_must(calloc(SYM_MAX_MEMBERS, sizeof(*all)));
	struct layout *l = unit_must(calloc(1, sizeof(*l)));
	struct sym_member *kept;

	l->d = d;
	l->size = out->size;
	walk_type(l, t, &(struct spot){ "", 0, 0 });
	if (l->n)
		cut_into_pieces(l, out, all);
	else
		all[out->nmembers++] = (struct sym_member){ "", out->name, 0, out->size };
	kept = unit_must(arena_alloc(&d->arena, out->nmembers * sizeof(*all)));
	memcpy(kept, all, out->nmembers * sizeof(*all));
	out->members = kept;
	free(all);
	free(l);
}

bool type_layout(struct debuginfo *d, const struct type *t, struct sym_type *out)
{
	struct type peeled = *t;
	uint32_t hash, place, id;
	Dwarf_Die die;

	*out = (struct sym_type){ .kind = SYM_SCALAR, .size = type_size(t) };
	if (!type_peel(d, &peeled))
		return false;
	die = peeled.die;
	if (!out->size)
		/* this unit only declares the type, so the size is that of its definition */
		out->size = type_size(&peeled);
	if (!out->size || out->size > INT64_MAX / 16)
		return false;
	out->name = type_name(d, t);
	if (!is_struct(&peeled)) {
		read_layout(d, &peeled, out);
		return out->name != NULL;
	}
	hash = place = index_hash((uintptr_t)die.addr, 0);
	while ((id = index_next(&d->layout_index, hash, &place)))
		if (AT_ID(d->layouts, id).die == die.addr) {
			*out = AT_ID(d->layouts, id).type;
			return true;
		}
	out->kind = dwarf_tag(&die) == DW_TAG_union_type ? SYM_UNION : SYM_STRUCT;
	read_layout(d, &peeled, out);
	if (!out->name || !VEC_ROOM(&d->layouts) ||
	    !index_add(&d->layout_index, hash, d->layouts.n + 1))
		return false;
	d->layouts.at[d->layouts.n++] = (struct laid_out){ die.addr, *out };
	return true;
}
