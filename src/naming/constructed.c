/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/constructed.h"

#include <stdio.h>
#include <string.h>

#include "naming/member.h"

/* The values that a new object gets: the brackets around them, their number, and which of them is
 * the variable. */
struct values {
	int64_t open;
	int count, number; /* number counts from 0 */
};

static int64_t partner_of(const struct view *v, int64_t i)
{
	return v->tokens.at[i].partner;
}

/* Is token i, perhaps in std::move( ), a value of its own? Then gets its first token and the one
 * after it. */
static bool is_value(const struct view *v, int64_t i, bool must_move, int64_t *from, int64_t *end)
{
	const bool is_moved = view_kind(v, i - 1) == '(' && view_is(v, i - 2, "move") &&
			      view_kind(v, i - 3) == TOK_SCOPE && view_kind(v, i + 1) == ')';
	int before, behind;

	*from = is_moved ? i - 4 : i;
	*end = is_moved ? i + 2 : i + 1;
	before = view_kind(v, *from - 1);
	behind = view_kind(v, *end);
	return (is_moved || !must_move) && (before == '(' || before == '{' || before == ',') &&
	       (behind == ')' || behind == '}' || behind == ',');
}

/* Gets the list of values in which tokens `from` up to `end` are one. */
static bool list_around(const struct view *v, int64_t from, int64_t end, struct values *out)
{
	*out = (struct values){ .open = from - 1 };
	for (; view_kind(v, out->open) != '(' && view_kind(v, out->open) != '{'; out->open--) {
		const int kind = view_kind(v, out->open);

		if (kind == ')' || kind == ']' || kind == '}')
			out->open = partner_of(v, out->open);
		if (out->open < 0 || kind == ';' || kind == TOK_END)
			return false;
		out->number += kind == ',';
	}
	out->count = out->number + 1;
	for (; end < partner_of(v, out->open); end++) {
		const int kind = view_kind(v, end);

		if ((kind == '(' || kind == '[' || kind == '{') && partner_of(v, end) > end)
			end = partner_of(v, end);
		out->count += kind == ',';
	}
	return end == partner_of(v, out->open);
}

static struct word word_at(const struct view *v, int64_t i)
{
	const struct token *t = view_kind(v, i) == TOK_NAME ? &v->tokens.at[i].t : NULL;

	return t ? (struct word){ t->s, t->len } : (struct word){ "", 0 };
}

/* Returns the class of the object that the statement "return Class( … );" or "return { … };" makes,
 * whose bracket is token `open`; an empty word if it is no such statement. */
static struct word returned_class(const struct statement *st, int64_t open)
{
	const struct view *v = st->view;
	const int64_t name = view_before_template(v, open - 1);
	int64_t before = name - 1;

	if (view_kind(v, partner_of(v, open) + 1) != ';')
		return word_at(v, -1);
	if (view_is(v, name, "return"))
		return word_at(v, view_before_template(v, (int64_t)st->function->parameters - 2));
	while (view_kind(v, before) == TOK_SCOPE && view_kind(v, before - 1) == TOK_NAME)
		before -= 2;
	return view_is(v, before, "return") ? word_at(v, name) : word_at(v, -1);
}

static int count_parameters(const struct view *v, const struct function *f)
{
	int n = 0;

	while (function_parameter_name(v, f, n).len)
		n++;
	return n;
}

/* Returns the member that the constructor f sets to its parameter; an empty word if there is none.
 */
static struct word set_by(const struct view *v, const struct function *f, struct word parameter)
{
	int64_t from, end;

	for (int64_t i = f->end + 1; i < search_end(f, f->body); i++) {
		if (!view_is_word(v, i, parameter))
			continue;
		if (i < f->body && is_value(v, i, false, &from, &end) &&
		    partner_of(v, from - 1) == end)
			return word_at(v, from - 2);
		if (i > f->body && view_kind(v, i - 1) == TOK_ASSIGN &&
		    v->tokens.at[i - 1].t.len == 1 && view_kind(v, i + 1) == ';')
			return word_at(v, i - 2);
	}
	return word_at(v, -1);
}

/* Returns the member of a new object of the class that gets the value x->number. If the class has
 * several constructors with so many parameters, they must agree: which of them is called depends on
 * types. */
static struct word member_of(const struct view *v, struct word class, const struct values *x)
{
	struct word member = word_at(v, -1), parameter, set;
	bool any = false, fits = false;

	for (uint32_t k = 0; k < v->functions.n; k++) {
		const struct function *f = &v->functions.at[k];

		if (!view_is_word(v, (int64_t)f->parameters - 1, class))
			continue;
		any = true;
		parameter = function_parameter_name(v, f, x->number);
		if (!parameter.len || count_parameters(v, f) != x->count)
			continue;
		set = set_by(v, f, parameter);
		if (fits && !is_same_word(member, set))
			return word_at(v, -1);
		fits = true;
		member = set;
	}
	if (any || view_kind(v, x->open) != '{')
		return member;
	return member_number(v, class, x->number);
}

bool constructed_at(struct holder *h, const struct statement *st, const char *function,
		    bool is_copied, struct holder_way *way)
{
	const struct view *v = st->view;
	struct word class, member;
	struct values x;
	struct holder to;
	int64_t from, end;

	if (!st->function || v->is_rust || !holder_is_variable(h))
		return false;
	for (int64_t i = st->place, last = search_end(st->function, i); i < last; i++) {
		if (!holder_begins_at(v, i, h) || !is_value(v, i, is_copied, &from, &end) ||
		    !list_around(v, from, end, &x))
			continue;
		class = returned_class(st, x.open);
		member = class.len ? member_of(v, class, &x) : class;
		if (!member.len ||
		    (size_t)snprintf(to.text, sizeof(to.text), "%.*s.%.*s", (int)class.len, class.s,
				     (int)member.len, member.s) >= sizeof(to.text))
			continue;
		to.base = 0;
		to.base_len = class.len;
		*h = to;
		*way = (struct holder_way){ .path = HOLDER_RETURNED,
					    .callee = method_of(function) };
		return true;
	}
	return false;
}

/* Returns the first token of a path such as "shapes::Grid" that ends with token i. */
static int path_begin(const struct tokens *ts, int i)
{
	while (token_kind(ts, i - 1) == TOK_SCOPE && token_kind(ts, i - 2) == TOK_NAME)
		i -= 2;
	return i;
}

/* Is token i the class in an expression that begins with token `from` and makes a new object?
 * Returns the operator by which a member of the result is accessed; NULL if it is not. */
static const char *made_at(const struct tokens *ts, int from, int i)
{
	const bool is_new = token_in(ts, from, " new ");
	const int path = path_begin(ts, i);

	if (path == from + is_new)
		return is_new ? "->" : ".";
	if (token_kind(ts, path - 1) == '<' &&
	    token_in(ts, path - 2, " make_unique make_shared ") && path_begin(ts, path - 2) == from)
		return "->";
	return NULL;
}

/* Do token i and the following ones, after template arguments, contain only the arguments of a
 * constructor, after which the statement ends? */
static bool ends_statement(const struct tokens *ts, int i)
{
	int end;

	while (i < ts->n && token_kind(ts, i) != '(' && token_kind(ts, i) != '{')
		i++;
	end = token_match(ts, i);
	return end > i && (end + 1 >= ts->n || token_kind(ts, end + 1) == ';');
}

bool returned_object(struct holder *h, const struct statement *st, const char *function,
		     struct holder_way *way)
{
	const struct word class = way->callee.name;
	const struct tokens *ts = &st->tokens;
	const char *access = NULL, *member;
	struct holder to = { .base_len = class.len };
	int from = 0;

	if (way->path != HOLDER_MEMBER || !is_constructor(&way->callee) || h->base)
		return false;
	while (from < ts->n && !token_in(ts, from, " return "))
		from++;
	for (int i = from + 1; i < ts->n && !access; i++)
		if (token_is_word(ts, i, class) && ends_statement(ts, i + 1))
			access = made_at(ts, from + 1, i);
	if (!access || (way->forwarded && *access == '.'))
		return false;
	member = h->text + (strncmp(h->text, "this->", 6) == 0 ? 6 : 0);
	if ((size_t)snprintf(to.text, sizeof(to.text), "%.*s%s%s", (int)class.len, class.s, access,
			     member) >= sizeof(to.text))
		return false;
	*h = to;
	*way = (struct holder_way){ .path = HOLDER_RETURNED, .callee = method_of(function) };
	return true;
}

const char *class_member(const struct naming *n, const struct method *method, const char *member)
{
	const size_t len = method->owner.len, rest = strlen(member);
	char *name = arena_alloc(n->arena, len + rest + 2);

	if (name) {
		memcpy(name, method->owner.s, len);
		name[len] = '.';
		memcpy(name + len + 1, member, rest + 1);
	}
	return name;
}
