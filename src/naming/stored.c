/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/stored.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "naming/argument.h"
#include "naming/calls.h"
#include "naming/moved_on.h"

/* MAX_COPIES: maximum number of local variables, one assigned to the next, that are followed.
 * MAX_CALLS: likewise for calls that pass the variable on. */
enum { MAX_COPIES = 3, MAX_CALLS = 2 };

/* Does an expression end before token i? */
static bool is_end(const struct view *v, int64_t i)
{
	const int kind = view_kind(v, i);

	return kind == ';' || kind == ',' || kind == ')';
}

/* A value in a function: the tokens from `from` to `end` - 1. */
struct value {
	int64_t from, end;
	bool is_moved;  /* whether std::move() is a part of it */
	bool is_inside; /* whether an offset is added to the variable */
};

/* If the value is the second argument of a macro that casts, as in cast(T *, value), extends it to
 * the macro call. */
static bool extend_to_macro(const struct view *v, struct value *x)
{
	int64_t open = x->from - 2;

	if (view_kind(v, x->from - 1) != ',' || view_kind(v, open) != '*')
		return false;
	while (view_kind(v, open) == '*' || view_kind(v, open) == TOK_NAME ||
	       view_kind(v, open) == TOK_SCOPE)
		open--;
	if (view_kind(v, open) != '(' || view_kind(v, open - 1) != TOK_NAME ||
	    v->tokens.at[open].partner != x->end)
		return false;
	x->from = open - 1;
	x->end++;
	return true;
}

/* If the value is in brackets after a cast, as in (T *)(value), extends it to the cast. */
static bool extend_to_brackets(const struct view *v, struct value *x)
{
	const int64_t open = x->from - 1;

	if (view_kind(v, open) != '(' || view_kind(v, open - 1) != ')' ||
	    v->tokens.at[open].partner != x->end)
		return false;
	x->from = open;
	x->end++;
	return true;
}

/* If the value is the first argument of a new smart pointer, as in std::unique_ptr<T>(value,
 * deleter), extends it to the smart pointer. */
static bool extend_to_owner(const struct view *v, struct value *x)
{
	const int64_t open = x->from - 1, close = view_partner(v, open);
	int64_t name = view_before_template(v, open - 1);

	if ((view_kind(v, open) != '(' && view_kind(v, open) != '{') || name == open - 1 ||
	    (x->end != close && view_kind(v, x->end) != ',') ||
	    (!view_is(v, name, "unique_ptr") && !view_is(v, name, "shared_ptr")))
		return false;
	while (view_kind(v, name - 1) == TOK_SCOPE)
		name -= 2;
	x->from = name;
	x->end = close + 1;
	return true;
}

/* Returns the first token of the casts before token i; i if there are none. */
static int64_t before_casts(const struct view *v, int64_t i)
{
	while (view_kind(v, i - 1) == ')' && v->tokens.at[i - 1].partner >= 0)
		i = v->tokens.at[i - 1].partner;
	return i;
}

/* Token i is a variable. Returns the value that consists of only this variable and, perhaps, of
 * casts and a std::move( ) around it. An offset may be added to the variable inside a cast, as in
 * (T *)(p + sizeof(struct head)) or (T *)((int *)p + 2): then the block begins with a head. Without
 * a cast around it, the sum is more likely the end of the block. */
static struct value value_of(const struct view *v, int64_t i)
{
	struct value x = { .from = i, .end = i + 1 };
	bool is_sum = view_kind(v, i + 1) == '+';

	x.is_moved = view_kind(v, i - 1) == '(' && view_is(v, i - 2, "move") &&
		     view_kind(v, i - 3) == TOK_SCOPE;
	if (x.is_moved)
		x = (struct value){ i - 4, i + 2, true, false };
	if (is_sum)
		x.from = before_casts(v, i);
	while (is_sum && x.end < v->tokens.n && !is_end(v, x.end))
		x.end = view_kind(v, x.end) == '(' && v->tokens.at[x.end].partner > x.end
				? v->tokens.at[x.end].partner + 1
				: x.end + 1;
	for (;;) {
		const int64_t cast = before_casts(v, x.from);

		if (extend_to_macro(v, &x) || extend_to_brackets(v, &x) || extend_to_owner(v, &x))
			is_sum = false;
		else if (!is_sum && cast < x.from)
			x.from = cast;
		else
			break;
	}
	x.is_inside = !is_sum && view_kind(v, i + 1) == '+';
	if (is_sum)
		x.end = i + 1;
	return x;
}

/* Sets *to to the place where a statement stores the variable at token i: the left side of an
 * assignment, or the container of a push_back(), for which it sets way->is_element. If an offset is
 * added to the variable, sets way->is_inside. Returns false if the statement does not store it. */
static bool place_of(const struct view *v, int64_t i, bool is_copied, struct holder *to,
		     struct holder_way *way)
{
	struct tokens ts;
	const struct value x = value_of(v, i);
	const int64_t before = x.from - 1;
	const int kind = view_kind(v, before);
	int at;

	way->is_element = false;
	if ((is_copied && !x.is_moved && !v->is_rust) || !is_end(v, x.end) ||
	    (kind != TOK_ASSIGN && kind != '(') || !view_statement(v, i, &ts, &at))
		return false;
	if (kind == TOK_ASSIGN ? v->tokens.at[before].t.len != 1
			       : !is_growing_method(&ts, at - (int)(i - before) - 1))
		return false;
	way->is_inside |= x.is_inside;
	way->is_element =
		kind == '(' && !v->is_rust && is_storing_method(&ts, at - (int)(i - before) - 1);
	return holder_from(to, &ts, assigned_to_call(&ts, at - (int)(i - x.from)));
}

static bool stored_from(struct holder *h, const struct statement *st, const char *function,
			bool is_copied, int depth, struct holder_way *way);

/* Does the function return exactly the expression of the holder, as in "return a.start;"? */
static bool returns_text(const struct statement *st, const struct holder *h)
{
	const struct view *v = st->view;
	char text[HOLDER_MAX];
	struct tokens ts;
	int at;

	for (int64_t i = st->place, end = search_end(st->function, i); i < end; i++)
		if (view_is(v, i, "return") && view_kind(v, i + 1) == TOK_NAME &&
		    view_statement(v, i, &ts, &at) &&
		    write_name(&ts, argument_from(&ts, at + 1), text, sizeof(text)) &&
		    !strcmp(text, h->text))
			return true;
	return false;
}

static bool stored_by(const struct view *v, int64_t call, int number, int depth, struct holder *to)
{
	struct statement st = { .view = v, .function = function_named(v, call) };
	struct holder_way way;
	char name[128];
	struct word parameter;

	if (!st.function || v->tokens.at[call].t.len >= sizeof(name))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)v->tokens.at[call].t.len, v->tokens.at[call].t.s);
	parameter = function_parameter_name(v, st.function, number);
	if (!parameter.len || parameter.len >= sizeof(to->text))
		return false;
	*to = (struct holder){ .base_len = parameter.len };
	memcpy(to->text, parameter.s, parameter.len);
	st.place = st.function->body;
	return stored_from(to, &st, name, false, depth, &way) && way.path == HOLDER_PARAMETER &&
	       view_statement(v, call, &st.tokens, &st.at) && holder_in_caller(to, &way, &st);
}

bool stored_by_call(const struct view *v, int64_t call, int number, struct holder *to)
{
	return stored_by(v, call, number, 1, to);
}

/* If the variable at token i is an argument of a function of the same file, such as p in
 * "pool_init(&c->pool, p, n)", sets *to to the place where that function stores it
 * (stored_by_call()): "c->pool.start". A function that frees a block may store it in a list. So the
 * name of the function must contain "init", or the caller must return the place. */
static bool handed_to(const struct statement *caller, int64_t i, int depth, struct holder *to)
{
	const struct view *v = caller->view;
	const struct value x = value_of(v, i);
	const struct token *name;
	int number;
	int64_t call = depth < MAX_CALLS ? call_with_argument(v, x.from, x.end, &number) : -1;

	if (call < 0 || !stored_by(v, call, number, depth + 1, to))
		return false;
	name = &v->tokens.at[call].t;
	for (size_t k = 0; k + 4 <= name->len; k++)
		if (!strncasecmp(name->s + k, "init", 4))
			return true;
	return returns_text(caller, to);
}

/* Is the variable at token i assigned to, or does its declaration give it a value? */
static bool is_set(const struct view *v, int64_t i)
{
	const int before = view_kind(v, i - 1);

	return view_kind(v, i + 1) == TOK_ASSIGN && before != '.' && before != TOK_ARROW;
}

/* Does the function compute the variable `base` from the variable in *from? */
static bool is_computed(const struct word base, const struct holder *from,
			const struct statement *st)
{
	const struct view *v = st->view;
	struct holder name = { .base_len = base.len };

	memcpy(name.text, base.s, base.len);
	for (int64_t i = st->function->body, end = search_end(st->function, i); i < end; i++) {
		if (!holder_begins_at(v, i, &name) || !is_set(v, i))
			continue;
		for (; i < st->function->close && view_kind(v, i) != ';'; i++)
			if (holder_begins_at(v, i, from))
				return true;
	}
	return false;
}

/* Is *to a member of the target of a local pointer (p->x)? The target outlives the function, unless
 * it is a local variable, too. Returns false if the pointer has the same type as *from: then *to is
 * a link between blocks, as in "last->next = p", and *from is the better name. Also returns false
 * if the pointer is computed from *from. */
static bool is_in_target(const struct holder *to, const struct holder *from,
			 const struct statement *st)
{
	const struct word base = { to->text + to->base, to->base_len };
	const struct word variable = { from->text, from->base_len };

	return !to->base && !strncmp(to->text + to->base_len, "->", 2) &&
	       function_types_differ(st->view, st->function, base, variable) &&
	       !is_computed(base, from, st);
}

static bool same_base(const struct holder *a, const struct holder *b)
{
	return a->base_len == b->base_len &&
	       !memcmp(a->text + a->base, b->text + b->base, a->base_len);
}

/* Can the place *to, which is an expression in the function, be accessed after the function has
 * returned? Sets *way to how the function's caller can access it. */
static bool outlives_call(const struct holder *to, const struct statement *st, const char *function,
			  struct holder_way *way)
{
	const struct word base = { to->text + to->base, to->base_len };
	bool is_reference;

	*way = holder_way(to, st, function);
	return way->path != HOLDER_ENDS ||
	       (function_parameter(st->view, st->function, base, &is_reference) < 0 &&
		!function_declares(st->view, st->function, base));
}

/* Returns the last token of the variable with members and subscripts that begins at token i; -1 if
 * something else follows it in the statement. Unlike name_is_path(), allows no call: two calls may
 * return two places, so the variable that stores the result is not just another name for it. */
static int64_t path_end(const struct view *v, int64_t i)
{
	if (view_kind(v, i) != TOK_NAME)
		return -1;
	for (;; i++) {
		const int next = view_kind(v, i + 1);

		if (next == ';' || next == ',')
			return i;
		if (next == '[' && v->tokens.at[i + 1].partner > i)
			i = v->tokens.at[i + 1].partner - 1;
		else if (next != '.' && next != TOK_ARROW &&
			 (next != TOK_NAME || view_kind(v, i) == TOK_NAME))
			return -1;
	}
}

/* Returns the only token of the function at which the variable in *h is set; -1 if there is no such
 * token, if there are several, or if it comes after token `place`. */
static int64_t only_set(const struct holder *h, const struct statement *st, int64_t place)
{
	struct holder name = { .base_len = h->base_len };
	int64_t found = -1;

	memcpy(name.text, h->text + h->base, h->base_len);
	for (int64_t i = st->function->body, end = search_end(st->function, i); i < end; i++) {
		if (!holder_begins_at(st->view, i, &name) || !is_set(st->view, i))
			continue;
		if (found >= 0 || i > place)
			return -1;
		found = i;
	}
	return found;
}

bool resolve_alias(struct holder *h, const struct statement *st, int64_t place)
{
	const struct view *v = st->view;
	const char *behind = h->text + h->base + h->base_len;
	struct tokens ts = { .n = 0 };
	struct holder to;
	int64_t i, end;
	bool is_pointer;
	size_t len;

	if (!st->function || h->base || v->is_rust)
		return false;
	i = only_set(h, st, place);
	is_pointer = i >= 0 && view_kind(v, i + 2) == '&';
	if (i < 0 || (is_pointer ? strncmp(behind, "->", 2) != 0 : view_kind(v, i - 1) != '&'))
		return false;
	end = path_end(v, i + 2 + is_pointer);
	for (int64_t j = i + 2 + is_pointer; j <= end && ts.n < TOK_MAX; j++)
		ts.t[ts.n++] = v->tokens.at[j].t;
	if (end < 0 || !holder_from(&to, &ts, (struct name){ 0, ts.n - 1, false }))
		return false;
	len = strlen(to.text);
	behind += is_pointer;
	if (len + strlen(behind) >= sizeof(to.text))
		return false;
	strcpy(to.text + len, behind);
	if (is_pointer)
		to.text[len] = '.'; /* replaces the second character of "->" */
	*h = to;
	return true;
}

/* Is every value that the function returns from the variable a sum with a member of the struct
 * `base`, as in "return variable + base->member"? *place, where the function stores the variable,
 * is a member of the same struct, such as "base->other". False if the function does not return the
 * variable. */
static bool returns_position(const struct holder *variable, const struct holder *place,
			     const struct statement *st)
{
	const struct view *v = st->view;
	struct holder base = { .base_len = place->base_len };
	bool found = false;

	if (place->base || holder_is_variable(place))
		return false;
	memcpy(base.text, place->text, place->base_len);
	for (int64_t i = st->place, end = search_end(st->function, i); i < end; i++) {
		const int access = view_kind(v, i + 4);

		if (!view_is(v, i, "return") || !holder_begins_at(v, i + 1, variable))
			continue;
		if (view_kind(v, i + 2) != '+' || !holder_begins_at(v, i + 3, &base) ||
		    (access != TOK_ARROW && access != '.'))
			return false;
		found = true;
	}
	return found;
}

/* The variable of the holder `from` is assigned to the place *to at token i. Can *to be accessed
 * after the function has returned? Then sets *way to how the caller can access it. If the block is
 * carved into elements, a caller that gets one of them in a variable does not have the block. */
static bool is_kept(const struct statement *st, const struct holder *from, int64_t i,
		    const char *function, bool is_carved, struct holder *to, struct holder_way *way)
{
	if (is_carved && holder_is_variable(to) &&
	    (returns_text(st, to) || holder_way(to, st, function).path == HOLDER_RETURNED))
		return false;
	/* the target of a local pointer outlives the function, too */
	if (outlives_call(to, st, function, way) || resolve_alias(to, st, i) ||
	    is_in_target(to, from, st)) {
		outlives_call(to, st, function, way);
		return true;
	}
	if (!returns_text(st, to))
		return false;
	/* the caller knows the place as the result of the call, so the entire expression is
	 * replaced there */
	to->base = 0;
	to->base_len = strlen(to->text);
	way->path = HOLDER_RETURNED;
	return true;
}

/* Does the place *to have the name of the variable in *from, perhaps as a part of it: "s->keys" for
 * "new_keys"? Of several places, this is the one for which the block was allocated. */
static bool is_namesake(const struct holder *to, const struct holder *from)
{
	size_t len = strlen(to->text), n = 0;

	while (n < len &&
	       (isalnum((unsigned char)to->text[len - n - 1]) || to->text[len - n - 1] == '_'))
		n++;
	return n > 1 && memmem(from->text, from->base_len, to->text + len - n, n) != NULL;
}

/* The variable *to gets a position inside the block in *from. Does other data begin there, because
 * the variables point to different types? */
static bool begins_part(const struct holder *to, const struct holder *from,
			const struct statement *st)
{
	const struct word part = { to->text, to->base_len }, whole = { from->text, from->base_len };

	return holder_is_variable(to) && function_types_differ(st->view, st->function, part, whole);
}

/* Like stored_from(). With `inside`, also considers places that get a position after the begin of
 * the block. */
static bool stored_in(struct holder *h, const struct statement *st, const char *function,
		      bool is_copied, int depth, bool inside, struct holder_way *way)
{
	const struct view *v = st->view;
	struct holder from = *h, to;
	struct holder_way found, place = { .path = HOLDER_ENDS };
	bool any = false, is_carved = false, is_parted = false;
	int copies = 0;

	for (int64_t i = st->place, end = search_end(st->function, i); i < end; i++) {
		const struct word base = { from.text, from.base_len };

		if (!holder_begins_at(v, i, &from))
			continue;
		place.is_inside &= inside;
		if ((!place_of(v, i, is_copied, &to, &place) && !handed_to(st, i, depth, &to)) ||
		    same_base(&to, &from))
			continue;
		if (place.is_inside && !inside) {
			is_parted |= begins_part(&to, &from, st);
			continue;
		}
		is_carved |= is_carved_at(v, st->function, base, i);
		if (is_kept(st, &from, i, function, is_carved, &to, &found)) {
			if (any && !is_namesake(&to, &from))
				continue;
			any = true;
			found.is_inside = place.is_inside;
			found.is_element = place.is_element;
			found.is_buffer = returns_position(&from, &to, st);
			*h = to;
			*way = found;
			if (is_namesake(&to, &from))
				break;
		} else if (!any && holder_is_variable(&to) && copies++ < MAX_COPIES) {
			from = to;
		}
	}
	if (any)
		way->is_parted = is_parted;
	return any;
}

/* The place that gets the begin of the block is better than one that gets another position: of
 * several arrays in one block, the first one is there. */
static bool stored_from(struct holder *h, const struct statement *st, const char *function,
			bool is_copied, int depth, struct holder_way *way)
{
	return stored_in(h, st, function, is_copied, depth, false, way) ||
	       stored_in(h, st, function, is_copied, depth, true, way);
}

bool stored_at(struct holder *h, const struct statement *st, const char *function, bool is_copied,
	       struct holder_way *way)
{
	return st->function && holder_is_variable(h) &&
	       stored_from(h, st, function, is_copied, 0, way);
}

bool stored_in_chain(struct holder *h, const struct statement *st, const char *function,
		     struct holder_way *way)
{
	struct holder to;

	if (!st->function || !holder_from(&to, &st->tokens, nearest_in_chain(st)) ||
	    !is_kept(st, h, st->place, function, false, &to, way))
		return false;
	*h = to;
	return true;
}
