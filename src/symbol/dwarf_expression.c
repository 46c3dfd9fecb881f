/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the type of an expression of C, C++ or Fortran that consists of variables, members,
 * subscripts, dereferences and casts. It does not handle other expressions (calls, arithmetic),
 * except data() and get() of C++ containers and pointers.
 */
#include <ctype.h>
#include <dwarf.h>
#include <string.h>
#include <strings.h>

#include "symbol/dwarf_type.h"

enum { MAX_NESTED = 32, MAX_WORD = 128 };

struct reader {
	const struct type_scope *s;
	const char *p;
	int depth;
	/* the language is Fortran. It ignores the case of names, so they are converted to lower
	 * case */
	bool lower;
};

static bool read_unary(struct reader *r, struct type *out);

static void skip_blanks(struct reader *r)
{
	while (*r->p == ' ')
		r->p++;
}

static bool take_sign(struct reader *r, const char *sign)
{
	size_t n = strlen(sign);

	skip_blanks(r);
	if (strncmp(r->p, sign, n) != 0)
		return false;
	r->p += n;
	return true;
}

/* The text before p ends with an opening bracket. Returns the bracket that closes it, or NULL. */
static const char *closing_bracket(const char *p, char open, char close)
{
	int depth = 1;

	for (; *p; p++) {
		depth += *p == open ? 1 : *p == close ? -1 : 0;
		if (!depth)
			return p;
	}
	return NULL;
}

/* Reads a name, and skips the classes and namespaces before it. Returns the length; 0 if there
 * is no name. */
static size_t read_name(struct reader *r, char *out)
{
	size_t n;

	do {
		skip_blanks(r);
		n = 0;
		if (!isalpha((unsigned char)*r->p) && *r->p != '_')
			return 0;
		while (isalnum((unsigned char)*r->p) || *r->p == '_') {
			if (n == MAX_WORD - 1)
				return 0;
			out[n++] = r->lower ? (char)tolower((unsigned char)*r->p) : *r->p;
			r->p++;
		}
	} while (take_sign(r, "::"));
	out[n] = '\0';
	return n;
}

/* Reads a cast "(T *) x" after its opening bracket, and sets *out to the type T *. Returns false if
 * the text in brackets is not a pointer type. */
static bool read_cast(struct reader *r, struct type *out)
{
	const char *start = r->p, *end = closing_bracket(r->p, '(', ')');
	struct type ignored;

	if (!end || end == start || !memchr(start, '*', (size_t)(end - start)) ||
	    !type_by_name(r->s, start, (size_t)(end - start), out) || !out->stars)
		return false;
	r->p = end + 1;
	read_unary(r, &ignored);
	return true;
}

static bool read_primary(struct reader *r, struct type *out)
{
	char name[MAX_WORD];
	size_t n;

	if (take_sign(r, "("))
		return read_cast(r, out) || (read_unary(r, out) && take_sign(r, ")"));
	n = read_name(r, name);
	return n && type_of_variable(r->s, name, n, out);
}

/* Reads a subscript, "[…]" or Fortran's "(…)", and replaces *t with the type of the element. */
static bool read_subscript(struct reader *r, struct type *t, char open, char close)
{
	const char *end = closing_bracket(r->p, open, close);

	if (!end)
		return false;
	r->p = end + 1;
	if (type_peel(r->s->d, t) &&
	    (type_is_instance(t, "map<") || type_is_instance(t, "unordered_map<")))
		return type_argument(r->s->d, t, 1, t);
	return type_target(r->s->d, t);
}

static bool read_member(struct reader *r, struct type *t)
{
	struct type from = *t;
	char name[MAX_WORD];
	size_t n = read_name(r, name);

	if (!n)
		return false;
	skip_blanks(r);
	if (*r->p != '(' || r->lower)
		return type_member(r->s->d, &from, name, n, t);
	if (strcmp(name, "data") && strcmp(name, "get"))
		return false;
	r->p++;
	return take_sign(r, ")") && type_peel(r->s->d, t) && type_target(r->s->d, t) && ++t->stars;
}

static bool read_postfix(struct reader *r, struct type *out)
{
	if (!read_primary(r, out))
		return false;
	for (;;) {
		if (take_sign(r, "[")) {
			if (!read_subscript(r, out, '[', ']'))
				return false;
		} else if (r->lower && take_sign(r, "(")) {
			if (!read_subscript(r, out, '(', ')'))
				return false;
		} else if (take_sign(r, "->")) {
			if (!type_target(r->s->d, out) || !read_member(r, out))
				return false;
		} else if (take_sign(r, ".") || (r->lower && take_sign(r, "%"))) {
			struct type target = *out;

			if (type_peel(r->s->d, &target) && !target.stars && !target.scalar &&
			    (dwarf_tag(&target.die) == DW_TAG_reference_type ||
			     (r->lower && dwarf_tag(&target.die) == DW_TAG_pointer_type)))
				type_target(r->s->d, out);
			if (!read_member(r, out))
				return false;
		} else {
			return true;
		}
	}
}

static bool read_unary(struct reader *r, struct type *out)
{
	bool known;

	if (++r->depth == MAX_NESTED)
		return false;
	if (take_sign(r, "*"))
		known = read_unary(r, out) && type_target(r->s->d, out);
	else if (take_sign(r, "&"))
		known = read_unary(r, out) && ++out->stars;
	else
		known = read_postfix(r, out);
	r->depth--;
	return known;
}

/* Replaces a reference type with the type to which it refers. */
static void without_reference(struct debuginfo *d, struct type *t)
{
	struct type peeled = *t;

	if (type_peel(d, &peeled) && !peeled.stars && !peeled.scalar &&
	    dwarf_tag(&peeled.die) == DW_TAG_reference_type)
		type_target(d, t);
}

bool type_of_expression(const struct type_scope *s, const char *text, struct type *out)
{
	struct reader r = { .s = s, .p = text };

	r.lower = unit_language(&s->u->body) == LANGUAGE_FORTRAN;
	if (!read_unary(&r, out))
		return false;
	skip_blanks(&r);
	without_reference(s->d, out);
	return !*r.p;
}
