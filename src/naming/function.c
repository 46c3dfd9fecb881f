/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/function.h"

#include <string.h>

#include "base/count.h"
#include "naming/moved_on.h"

/* Limits on the number of tokens that are examined, so that one large function or statement does
 * not take long. MAX_BODY counts from the start of a search, MAX_BACK backwards from a name. */
enum { MAX_BODY = 20000, MAX_BACK = 1000 };

int64_t search_end(const struct function *f, int64_t from)
{
	return f->close - from > MAX_BODY ? from + MAX_BODY : f->close;
}

bool view_is_word(const struct view *v, int64_t i, struct word w)
{
	const struct token *t;

	if (view_kind(v, i) != TOK_NAME)
		return false;
	t = &v->tokens.at[i].t;
	return t->len == w.len && memcmp(t->s, w.s, w.len) == 0;
}

static int64_t skip_group(const struct view *v, int64_t i)
{
	int kind = view_kind(v, i);

	if ((kind == '(' || kind == '[' || kind == '{') && v->tokens.at[i].partner > i)
		return v->tokens.at[i].partner;
	return i;
}

/* Returns the position of the parameter's name in the tokens [from, to) of one parameter; -1 if it
 * has none. */
static int64_t parameter_name(const struct view *v, int64_t from, int64_t to)
{
	int64_t name = -1;

	for (int64_t i = from; i < to && view_kind(v, i) != TOK_ASSIGN; i++) {
		if (view_kind(v, i) == TOK_NAME)
			name = i;
		i = skip_group(v, i);
	}
	return name;
}

/* The tokens [from, to) declare one parameter. Is it the one with this name? */
static bool declares_parameter(const struct view *v, int64_t from, int64_t to, struct word name,
			       bool *is_reference)
{
	int64_t at;

	if (v->is_rust) {
		at = from + view_is(v, from, "mut");
		*is_reference = view_kind(v, at + 2) == '&';
		return view_kind(v, at + 1) == ':' && view_is_word(v, at, name);
	}
	at = parameter_name(v, from, to);
	*is_reference = view_kind(v, at - 1) == '&';
	return at > from && view_is_word(v, at, name);
}

/* Is the parameter at token i "self", "&self" or "&mut self" of Rust? Calls put it before the
 * method's name. */
static bool is_self(const struct view *v, int64_t i)
{
	i += view_kind(v, i) == '&';
	return v->is_rust && view_is(v, i + view_is(v, i, "mut"), "self");
}

int function_parameter(const struct view *v, const struct function *f, struct word name,
		       bool *is_reference)
{
	int64_t from = f->parameters + 1;
	int number = 0, angles = 0;

	for (int64_t i = from; i <= f->end; i++) {
		int kind = view_kind(v, i);

		angles += (kind == '<') - (kind == '>' && angles);
		if (i < f->end && (kind != ',' || angles)) {
			i = skip_group(v, i);
			continue;
		}
		if (declares_parameter(v, from, i, name, is_reference))
			return number;
		number += !is_self(v, from);
		from = i + 1;
	}
	return -1;
}

static bool ends_type(const struct view *v, int64_t i)
{
	static const char *const others[] = { "return", "else",  "goto",   "case",    "delete",
					      "new",    "throw", "sizeof", "typename" };

	if (view_kind(v, i) == '>')
		return true;
	if (view_kind(v, i) != TOK_NAME)
		return false;
	for (size_t w = 0; w < COUNT_OF(others); w++)
		if (view_is(v, i, others[w]))
			return false;
	return true;
}

static int64_t before_stars(const struct view *v, int64_t i)
{
	while (view_kind(v, i) == '*' || view_kind(v, i) == '&' || view_is(v, i, "const") ||
	       view_is(v, i, "restrict") || view_is(v, i, "__restrict") ||
	       view_is(v, i, "volatile"))
		i--;
	return i;
}

/* Returns the first token of the type whose last token is i. Qualifiers, scopes and template
 * arguments belong to the type. */
static int64_t type_start(const struct view *v, int64_t i)
{
	int angles = 0;

	for (int64_t end = i > MAX_BACK ? i - MAX_BACK : 0; i > end; i--) {
		int before = view_kind(v, i - 1);

		angles += (view_kind(v, i) == '>') - (view_kind(v, i) == '<');
		if (angles > 0 && before != TOK_END)
			continue;
		if (before != TOK_SCOPE && view_kind(v, i) != TOK_SCOPE &&
		    !(before == TOK_NAME && ends_type(v, i - 1)) &&
		    !(view_kind(v, i) == '<' && before == TOK_NAME))
			break;
	}
	return i;
}

/* Can token i be the first one of a statement, or the first one inside the brackets of a "for"? */
static bool begins_statement(const struct view *v, int64_t i)
{
	int before = view_kind(v, i - 1);

	return before == ';' || before == '{' || before == '}' || before == '(' || before == ')' ||
	       before == ':';
}

/* Is the comma at token i between two variables of a declaration such as "T *a = x, *b;"? */
static bool is_declarator_comma(const struct view *v, int64_t i)
{
	for (int64_t end = i > MAX_BACK ? i - MAX_BACK : 0; --i >= end;) {
		int kind = view_kind(v, i);
		int64_t type;

		if (kind == ')' || kind == ']' || kind == '}') {
			if (v->tokens.at[i].partner < 0)
				return false;
			i = v->tokens.at[i].partner;
		} else if (kind == ';' || kind == '{' || kind == '(') {
			return false;
		} else if (kind == TOK_NAME) {
			type = before_stars(v, i - 1);
			if (view_kind(v, type) == ',')
				i = type;
			else if (ends_type(v, type) && begins_statement(v, type_start(v, type)))
				return true;
		}
	}
	return false;
}

static bool is_declared_at(const struct view *v, int64_t i)
{
	int next = view_kind(v, i + 1);
	int64_t type = before_stars(v, i - 1);

	if (next != TOK_ASSIGN && next != ';' && next != ',' && next != '(' && next != '{' &&
	    next != '[' && next != ':')
		return false;
	if (view_kind(v, type) == ',')
		return is_declarator_comma(v, type);
	return ends_type(v, type) && begins_statement(v, type_start(v, type));
}

bool function_declares(const struct view *v, const struct function *f, struct word name)
{
	for (int64_t i = f->body + 1, end = search_end(f, i); i < end; i++)
		if (view_is_word(v, i, name) && is_declared_at(v, i))
			return true;
	return false;
}

struct word function_parameter_name(const struct view *v, const struct function *f, int number)
{
	bool is_reference;

	for (int64_t i = f->parameters + 1; i < f->end; i++) {
		const struct token *t = &v->tokens.at[i].t;
		const struct word name = { t->s, t->len };

		if (t->kind == TOK_NAME && function_parameter(v, f, name, &is_reference) == number)
			return name;
	}
	return (struct word){ "", 0 };
}

/* Returns the last word of the type in the declaration of a pointer whose name is token i: "B" for
 * "struct B *a, *b". An empty word means that token i does not declare a pointer. */
static struct word pointed_type(const struct view *v, int64_t i)
{
	const int64_t end = i > MAX_BACK ? i - MAX_BACK : 0;

	if (view_kind(v, i - 1) != '*')
		return (struct word){ "", 0 };
	while (--i >= end && !view_is(v, i, "auto")) {
		const int kind = view_kind(v, i);

		if (kind == TOK_NAME && view_kind(v, i + 1) == '*')
			return (struct word){ v->tokens.at[i].t.s, v->tokens.at[i].t.len };
		if ((kind == ')' || kind == ']') && v->tokens.at[i].partner >= end)
			i = v->tokens.at[i].partner; /* in the value of another variable */
		else if (begins_statement(v, i + 1))
			break;
	}
	return (struct word){ "", 0 };
}

static struct word type_of(const struct view *v, const struct function *f, struct word name)
{
	struct word type;

	for (int64_t i = f->parameters + 1, end = search_end(f, i); i < end; i++) {
		if (!view_is_word(v, i, name) || (i > f->body && !is_declared_at(v, i)))
			continue;
		type = pointed_type(v, i);
		if (type.len)
			return type;
	}
	return (struct word){ "", 0 };
}

bool is_same_word(struct word a, struct word b)
{
	return a.len == b.len && !memcmp(a.s, b.s, a.len);
}

bool function_types_differ(const struct view *v, const struct function *f, struct word a,
			   struct word b)
{
	const struct word x = type_of(v, f, a), y = type_of(v, f, b);

	return x.len && y.len && !is_same_word(x, y);
}

int64_t after_casts(const struct view *v, int64_t i)
{
	for (;;) {
		int64_t end = view_kind(v, i) == '(' ? v->tokens.at[i].partner : -1;

		if (end > 0 && view_kind(v, end + 1) != ';' && view_kind(v, end + 1) != ')' &&
		    view_kind(v, end + 1) != '+')
			i = end + 1;
		else if (end > 0)
			i++;
		else if (view_is(v, i, "std") && view_is(v, i + 2, "move"))
			i += 3;
		else if (view_kind(v, i) == TOK_NAME && view_kind(v, i + 1) == '<')
			while (view_kind(v, i) != '(' && view_kind(v, i) != ';' &&
			       view_kind(v, i) != TOK_END)
				i++;
		else
			return i;
	}
}

/* The tokens [from, end) of an expression. */
struct value_range {
	int64_t from, end;
};

/* Returns the value that begins at token i and ends before the ";" of its statement. */
static struct value_range value_until_semicolon(const struct view *v, int64_t i)
{
	struct value_range r = { i, i };

	while (view_kind(v, r.end) != ';' && view_kind(v, r.end) != TOK_END)
		r.end = skip_group(v, r.end) + 1;
	return r;
}

/* Is the value this variable, or an address computed from it, as in "p" or "(T *)(p + 1)"? */
static bool is_place_in(const struct view *v, struct value_range r, struct word name)
{
	const int64_t value = after_casts(v, r.from);
	const int behind = view_kind(v, value + 1);

	return view_is_word(v, value, name) &&
	       (value + 1 == r.end || behind == ';' || behind == ')' || behind == '+');
}

/* Returns the last word of the type of the pointer that the function returns; an empty word if it
 * returns something else. */
static struct word returned_type(const struct view *v, const struct function *f)
{
	return pointed_type(v, (int64_t)f->parameters - 1);
}

/* Is token i a variable that is an argument of its own? */
static bool is_argument(const struct view *v, int64_t i)
{
	const int before = view_kind(v, i - 1), behind = view_kind(v, i + 1);

	return view_kind(v, i) == TOK_NAME && (before == '(' || before == ',') &&
	       (behind == ')' || behind == ',');
}

/* Is the value a call with the variable `name` as an argument, as in "set(n, 0, p)"? Such a
 * function returns the pointer that it gets, if the types are the same. If other arguments have
 * this type, too, it is unknown which one the function returns. */
static bool is_passed_through(const struct view *v, const struct function *f, struct value_range r,
			      struct word name)
{
	const int64_t end = view_kind(v, r.from + 1) == '(' ? v->tokens.at[r.from + 1].partner : -1;
	const struct word type = returned_type(v, f);
	bool found = false;

	if (view_kind(v, r.from) != TOK_NAME || end < 0 || end + 1 != r.end || !type.len)
		return false;
	for (int64_t at = r.from + 2; at < end; at = skip_group(v, at) + 1) {
		const struct word argument = { v->tokens.at[at].t.s, v->tokens.at[at].t.len };

		if (!is_argument(v, at) || !is_same_word(type_of(v, f, argument), type))
			continue;
		if (!is_same_word(argument, name))
			return false;
		found = true;
	}
	return found;
}

/* Splits the conditional expression "c ? a : b" into its two results, of which b may be another
 * conditional expression. Returns false if the value is something else. */
static bool split_conditional(const struct view *v, struct value_range r, struct value_range *a,
			      struct value_range *b)
{
	int depth = 0;

	a->from = -1;
	for (int64_t i = r.from; i < r.end; i = skip_group(v, i) + 1) {
		const int kind = view_kind(v, i);

		if (kind == '?' && depth++ == 0)
			a->from = i + 1;
		if (kind != ':' || a->from < 0 || --depth > 0)
			continue;
		a->end = i;
		*b = (struct value_range){ i + 1, r.end };
		return true;
	}
	return false;
}

static struct value_range without_brackets(const struct view *v, struct value_range r)
{
	while (view_kind(v, r.from) == '(' && v->tokens.at[r.from].partner == r.end - 1) {
		r.from++;
		r.end--;
	}
	return r;
}

/* Is this value of the function, on one of its conditions, a place in the block? */
static bool may_be_place_in(const struct view *v, const struct function *f, struct value_range r,
			    struct word name)
{
	struct value_range a;
	bool is_conditional;

	do {
		r = without_brackets(v, r);
		is_conditional = split_conditional(v, r, &a, &r);
		a = is_conditional ? without_brackets(v, a) : r;
		if (is_place_in(v, a, name) || is_passed_through(v, f, a, name))
			return true;
	} while (is_conditional);
	return false;
}

static bool returns_place_in(const struct view *v, const struct function *f, struct word name)
{
	for (int64_t i = f->body + 1, end = search_end(f, i); i < end; i++)
		if (view_is(v, i, "return") &&
		    may_be_place_in(v, f, value_until_semicolon(v, i + 1), name))
			return true;
	return false;
}

/* Also returns true if the function returns another variable that is computed from this one.
 * Allocators that put a header before each block do this: "s = (char *)h + sizeof(*h); return
 * s;". An element of a block that the function carves is not the block. */
bool function_returns(const struct view *v, const struct function *f, struct word name)
{
	if (returns_place_in(v, f, name))
		return true;
	for (int64_t i = f->body + 2, end = search_end(f, i); i < end; i++) {
		const struct token *t = &v->tokens.at[i - 1].t;

		if (view_kind(v, i) == TOK_ASSIGN && t->kind == TOK_NAME &&
		    is_place_in(v, value_until_semicolon(v, i + 1), name) &&
		    !is_carved_at(v, f, name, i) &&
		    returns_place_in(v, f, (struct word){ t->s, t->len }))
			return true;
	}
	return false;
}
