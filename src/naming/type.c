/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/type.h"

#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "naming/function.h"
#include "naming/rust.h"
#include "naming/stated.h"

/* Number of bytes that "new T[n]" may put before the elements, to store their number. */
enum { NEW_COUNT = 8 };

/* The smallest size of a page, bytes: mappings are multiples of it. */
enum { PAGE = 4096 };

/* Can each block of object x consist of `before` bytes and then only elements of type t? The total
 * size of the blocks decides. */
static bool fills_blocks(const struct object *x, const struct sym_type *t, uint64_t before)
{
	return x->total_bytes > x->blocks * before &&
	       (x->total_bytes - x->blocks * before) % t->size == 0;
}

/* Is object x a mapping that may consist of elements of type t, up to the end of a page? */
static bool fills_pages(const struct object *x, const struct sym_type *t)
{
	return x->kind == OBJECT_MAPPING && x->total_bytes / x->blocks % t->size < PAGE;
}

bool type_set(const struct object *x, const struct sym_type *t, const char *source,
	      struct object_origin *o)
{
	if (!t || !x->blocks || x->total_bytes / x->blocks < t->size)
		return false;
	o->type = t;
	o->type_source = source;
	o->type_start = 0;
	o->type_repeats = !sym_is_flexible(t) &&
			  (t->kind == SYM_SCALAR || fills_blocks(x, t, 0) || fills_pages(x, t));
	return true;
}

bool type_is_byte(const struct sym_type *t)
{
	return t && t->kind == SYM_SCALAR && t->size == 1;
}

static const struct sym_type *type_of_frame(const struct naming *n, const struct frame *f,
					    enum sym_type_by by, const char *text)
{
	struct sym_type_query q = { .by = by, .inlined = f->inlined, .text = text };
	struct sym_file *file = code_file(n->code, AT_ID(n->code->locations, f->location).dso);

	return !n->no_lines && sym_vaddr_at(file, f->offset, &q.vaddr) ? sym_type(file, &q) : NULL;
}

const struct sym_type *type_named(const struct naming *n, const struct frame *f,
				  const char *expression)
{
	return type_of_frame(n, f, SYM_BY_NAME, expression);
}

const struct sym_type *type_pointed(const struct naming *n, const struct frame *f,
				    const char *expression)
{
	return type_of_frame(n, f, SYM_BY_POINTER, expression);
}

/* The largest class that a container allocates only for its alignment. */
enum { LARGEST_UNIT = 64 };

/* Is it a class without data? Containers allocate such classes only for their alignment, as
 * "struct alignas(8) M {};". They are described as one member without a name. */
static bool is_unit(const struct sym_type *t)
{
	return t->kind == SYM_STRUCT && t->size <= LARGEST_UNIT &&
	       (!t->nmembers ||
		(t->nmembers == 1 && (!t->members[0].name || !*t->members[0].name)));
}

/* Did a sample or a page fault hit the object? */
static bool is_used(const struct object *x)
{
	return x->first_sample || x->first_fault;
}

static bool is_type_wanted(const struct object *x, const struct object_origin *o)
{
	return is_used(x) && !o->has_head && !o->merged && !o->mixed &&
	       (!o->type || type_is_byte(o->type));
}

/* Is it a function of Rust's library that allocates elements of its type parameter T? */
static bool holds_parameter(const char *function)
{
	static const char *const modules[] = { "vec::",   "raw_vec::", "boxed::",
					       "slice::", "string::",  "collections::vec_deque::" };
	const char *s = function + (*function == '<');

	if (strncmp(s, "alloc::", 7) != 0)
		return false;
	for (size_t i = 0; i < COUNT_OF(modules); i++)
		if (!strncmp(s + 7, modules[i], strlen(modules[i])))
			return true;
	return false;
}

/* The method's type parameter T is a pair of a key and a value. The elements of Rust's hash table
 * have a byte each after the last one. Where this part begins depends on the size of the block, so
 * only the first element is certain. */
static void type_by_rust_table(const struct naming *n, const struct object *x,
			       const struct frame *f, struct object_origin *o)
{
	if (type_set(x, type_of_frame(n, f, SYM_BY_TYPE, "T"), "container", o))
		o->type_repeats = false;
}

void type_by_allocator(const struct naming *n, const struct object *x, const struct frame *f,
		       struct object_origin *o)
{
	const char *s = strstr(f->line.function, "new_allocator<");
	const struct sym_type *t;

	if (!is_type_wanted(x, o))
		return;
	if (!o->type && holds_parameter(f->line.function))
		type_set(x, type_of_frame(n, f, SYM_BY_TYPE, "T"), "container", o);
	if (!o->type && rust_makes_table(f->line.function))
		type_by_rust_table(n, x, f, o);
	if (strstr(f->line.function, "std::make_unique<"))
		type_set(x, type_of_frame(n, f, SYM_BY_TYPE, "_Tp"), "new", o);
	if (!s || !strstr(s, "::allocate("))
		return;
	t = type_of_frame(n, f, SYM_BY_ALLOCATOR, NULL);
	o->mixed = t && is_unit(t);
	if (!o->mixed)
		type_set(x, t, "container", o);
}

enum family { FAMILY_VECTOR, FAMILY_ALLOCATOR, FAMILY_OTHER };

/* Returns the template arguments of the container or allocator of the C++ library whose method the
 * function is: "<int, std::allocator<int> >" for std::vector<int>::resize(); an empty word for
 * other functions. Sets *family to a number that a class shares with those classes that must have
 * the same arguments. */
static struct word container_arguments(const char *function, size_t *family)
{
	static const struct {
		const char *name;
		size_t family;
	} classes[] = {
		{ "std::vector<", FAMILY_VECTOR },
		{ "std::_Vector_base<", FAMILY_VECTOR },
		{ "std::allocator_traits<std::allocator<", FAMILY_ALLOCATOR },
		{ "std::__new_allocator<", FAMILY_ALLOCATOR },
		{ "__gnu_cxx::new_allocator<", FAMILY_ALLOCATOR },
		{ "std::deque<", FAMILY_OTHER },
		{ "std::_Deque_base<", FAMILY_OTHER },
		{ "std::_Hashtable<", FAMILY_OTHER + 1 },
		{ "std::_Rb_tree<", FAMILY_OTHER + 2 },
	};
	const char *s = skip_return_type(function), *end;
	int depth = 0;

	for (size_t i = 0; i < COUNT_OF(classes); i++) {
		const size_t len = strlen(classes[i].name);

		if (strncmp(s, classes[i].name, len) != 0)
			continue;
		*family = classes[i].family;
		s += len - 1;
		for (end = s; *end && (depth += (*end == '<') - (*end == '>')); end++)
			;
		return (struct word){ s, (size_t)(end - s) };
	}
	return (struct word){ s, 0 };
}

void type_by_caller(const struct naming *n, const struct object *x, const struct frame *f,
		    const char *callee, struct object_origin *o)
{
	size_t family, inner_family;
	struct word outer, inner;
	const struct sym_type *t;

	if (!o->type || !callee || strcmp(o->type_source, "container") != 0)
		return;
	outer = container_arguments(f->line.function, &family);
	inner = container_arguments(callee, &inner_family);
	if (!outer.len || !inner.len || family != inner_family ||
	    (outer.len == inner.len && !memcmp(outer.s, inner.s, outer.len)))
		return;
	t = o->type;
	o->type = NULL;
	/* the statements in callers name the container, not what it allocates */
	o->merged = family == FAMILY_ALLOCATOR;
	if (family == FAMILY_VECTOR) /* a vector's allocator has the type of its elements */
		type_set(x, type_of_frame(n, f, SYM_BY_TYPE, "_Tp"), "container", o);
	if (o->type && o->type->size != t->size)
		o->type = NULL;
}

/* If a function's name starts with "std::basic_string<", returns what follows; otherwise NULL. */
static const char *after_string_class(const char *function)
{
	static const char *const classes[] = { "std::__cxx11::basic_string<",
					       "std::basic_string<" };

	for (size_t i = 0; i < COUNT_OF(classes); i++)
		if (!strncmp(function, classes[i], strlen(classes[i])))
			return function + strlen(classes[i]);
	return NULL;
}

bool is_rust_string(const char *function)
{
	return !strncmp(function + (*function == '<'), "alloc::string::String", 21);
}

void type_by_string(const struct naming *n, const struct object *x, const struct frame *f,
		    const char *method, struct object_origin *o)
{
	char text[SYM_MAX_TYPE_TEXT];
	const char *s;
	size_t len;

	if (!is_type_wanted(x, o) || !method)
		return;
	if (is_rust_string(method)) {
		type_set(x, type_of_frame(n, f, SYM_BY_TYPE, "u8"), "container", o);
		return;
	}
	s = after_string_class(skip_return_type(method));
	len = s ? strcspn(s, "<,>") : 0;
	if (!len || len >= sizeof(text))
		return;
	memcpy(text, s, len);
	text[len] = '\0';
	type_set(x, type_of_frame(n, f, SYM_BY_TYPE, text), "container", o);
}

static bool by_new(const struct naming *n, const struct object *x, const struct frame *f,
		   const struct statement *st, struct object_origin *o)
{
	const struct sym_type *t;
	char text[SYM_MAX_TYPE_TEXT];
	bool is_array;

	if (!stated_by_new(&st->tokens, st->at, text, sizeof(text), &is_array))
		return false;
	t = type_of_frame(n, f, SYM_BY_TYPE, text);
	if (!type_set(x, t, "new", o))
		return false;
	if (is_array && !o->type_repeats && fills_blocks(x, t, NEW_COUNT)) {
		o->type_start = NEW_COUNT;
		o->type_repeats = true;
	}
	return true;
}

/* Statement *st shows the type o->type: does it also show that only the first element has it? If a
 * sum has a multiple of another sizeof, these elements follow, unless they are the last member. */
static void mark_rest(const struct statement *st, struct object_origin *o)
{
	const bool has_multiple = stated_with_slack(&st->tokens);

	o->has_rest = o->type->kind != SYM_SCALAR && stated_with_rest(&st->tokens);
	o->type_repeats &= !o->has_rest;
	o->has_slack = o->type->kind == SYM_STRUCT && has_multiple && !o->has_rest;
	o->has_head |= o->has_rest && has_multiple && !sym_is_flexible(o->type);
}

/* Is the one element of type *t, which may be NULL, only room before or behind other elements, as
 * in "malloc(n * sizeof(int) + sizeof(long))"? A struct is a head. */
static bool is_room(const struct tokens *ts, const struct sym_type *t)
{
	return t && t->kind == SYM_SCALAR && stated_with_rest(ts) && stated_with_slack(ts);
}

void type_by_statement(const struct naming *n, const struct object *x, const struct frame *f,
		       const struct statement *st, struct object_origin *o)
{
	char text[SYM_MAX_TYPE_TEXT];
	const struct sym_type *before = o->type, *t;

	if (!is_type_wanted(x, o) || by_new(n, x, f, st, o))
		return;
	if (stated_by_sizeof(&st->tokens, text, sizeof(text))) {
		t = type_of_frame(n, f, SYM_BY_NAME, text);
		if (!is_room(&st->tokens, t))
			type_set(x, t, "sizeof", o);
	}
	if (is_type_wanted(x, o) && stated_by_argument(&st->tokens, text, sizeof(text)))
		type_set(x, type_of_frame(n, f, SYM_BY_TYPE, text), "sizeof", o);
	if (is_type_wanted(x, o) && stated_by_cast(&st->tokens, text, sizeof(text)))
		type_set(x, type_of_frame(n, f, SYM_BY_TYPE, text), "cast", o);
	if (o->type != before)
		mark_rest(st, o);
}

/* Returns the type to which all of the pointers "u|v|w" point; NULL if their types differ. */
static const struct sym_type *type_of_all(const struct naming *n, const struct frame *f,
					  const char *names)
{
	const struct sym_type *t = NULL, *each;
	char text[SYM_MAX_TYPE_TEXT];
	size_t len;

	for (const char *s = names; *s; s += len, s += *s == '|') {
		len = strcspn(s, "|");
		if (len >= sizeof(text))
			return NULL;
		memcpy(text, s, len);
		text[len] = '\0';
		each = type_of_frame(n, f, SYM_BY_POINTER, text);
		if (!each || (t && each != t))
			return NULL;
		t = each;
	}
	return t;
}

void type_by_holder(const struct naming *n, const struct object *x, const struct frame *f,
		    const struct statement *st, const char *expression, struct object_origin *o)
{
	if (is_type_wanted(x, o) && type_set(x, type_of_all(n, f, expression), "assigned", o) && st)
		mark_rest(st, o);
}

bool type_fits(const struct naming *n, const struct object *x, const struct frame *f,
	       const char *expression)
{
	const struct sym_type *t = type_pointed(n, f, expression);

	return t && t->kind == SYM_STRUCT && x->total_bytes == x->blocks * t->size;
}

bool type_may_hold(const struct naming *n, const struct frame *f, const char *expression)
{
	const struct sym_type *t = type_named(n, f, expression);

	return !t || t->kind != SYM_SCALAR || type_pointed(n, f, expression);
}

bool type_has_member(const struct naming *n, const struct frame *f, const char *name, size_t len)
{
	char text[SYM_MAX_TYPE_TEXT];

	return (size_t)snprintf(text, sizeof(text), "this->%.*s", (int)len, name) < sizeof(text) &&
	       type_of_frame(n, f, SYM_BY_NAME, text);
}

enum type_size type_size_at(const struct naming *n, const struct object *x, const struct frame *f,
			    const struct statement *st)
{
	char text[SYM_MAX_TYPE_TEXT];
	const struct sym_type *t = NULL;

	if (stated_by_sizeof(&st->tokens, text, sizeof(text)) && !stated_with_rest(&st->tokens))
		t = type_of_frame(n, f, SYM_BY_NAME, text);
	if (!t || !t->size)
		return SIZE_POSSIBLE;
	if (stated_as_one(&st->tokens, st->at))
		return x->total_bytes == x->blocks * t->size ? SIZE_EQUAL : SIZE_DIFFERS;
	return x->total_bytes % t->size ? SIZE_DIFFERS : SIZE_POSSIBLE;
}

void type_by_declaration(const struct naming *n, const struct object *x, struct object_origin *o)
{
	const struct sym_entry *e = x->variable ? &x->variable->entry : &x->local->entry;
	const bool points = x->target;
	const struct sym_type *t;

	if (!is_used(x) || !e->unit || !x->dso || n->no_lines)
		return;
	t = sym_type(code_file(n->code, x->dso),
		     &(struct sym_type_query){ .by = points ? SYM_BY_TARGET : SYM_BY_ENTRY,
					       .entry = *e });
	if (!t || (!points && t->size > x->extent))
		return;
	/* a pointer to bytes may point to an object of another type */
	if (points && !x->local->array && type_is_byte(t))
		return;
	o->type = t;
	o->type_source = points && !x->local->array ? "accessed" : "declared";
	o->type_start = 0;
	o->type_repeats = !points && x->extent % t->size == 0 && !sym_is_flexible(t);
}
