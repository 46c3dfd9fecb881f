/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/pooled.h"

#include "naming/argument.h"
#include "naming/moved_on.h"
#include "naming/stored.h"

/* Does token i begin a loop "for (k = 1; …)", which leaves out the first element? */
static bool leaves_out_first(const struct view *v, int64_t i)
{
	const int64_t close = view_is(v, i, "for") ? view_partner(v, i + 1) : -1;

	for (int64_t k = i + 2; k < close && view_kind(v, k) != ';'; k++) {
		const struct token *t = &v->tokens.at[k + 1].t;

		if (view_kind(v, k) == TOK_ASSIGN)
			return view_kind(v, k + 1) == TOK_NUMBER && t->len == 1 && *t->s == '1' &&
			       view_kind(v, k + 2) == ';';
	}
	return false;
}

/* Is the variable at token i a part of the address "p + k" or "&p[k]", where k is a variable? Then
 * sets the range [*from, *end) of the address. */
static bool is_element_address(const struct view *v, int64_t i, int64_t *from, int64_t *end)
{
	const int next = view_kind(v, i + 1);

	if (view_kind(v, i + 2) != TOK_NAME)
		return false;
	*from = next == '[' ? i - 1 : i;
	*end = next == '[' ? view_partner(v, i + 1) + 1 : i + 3;
	return next == '+' ||
	       (next == '[' && view_kind(v, i - 1) == '&' && view_partner(v, i + 1) == i + 3);
}

/* Does the function set the variable, so that it is no longer what the caller passed? */
static bool is_changed(const struct view *v, const struct function *f, struct word name)
{
	for (int64_t i = f->body, end = search_end(f, i); i < end; i++)
		if (view_is_word(v, i, name) && view_kind(v, i + 1) == TOK_ASSIGN &&
		    view_kind(v, i - 1) != '.' && view_kind(v, i - 1) != TOK_ARROW)
			return true;
	return false;
}

/* Does the "=" at token i store the variable elsewhere than in a local variable, as in
 * "graph->nodes = p;", "rows[i] = p;" or, for a variable of the file, "all = p;"? */
static bool is_stored_at(const struct view *v, const struct function *f, int64_t i,
			 struct word name)
{
	const int before = view_kind(v, i - 2);

	if (view_kind(v, i) != TOK_ASSIGN || !view_is_word(v, i + 1, name) ||
	    view_kind(v, i + 2) != ';')
		return false;
	return view_kind(v, i - 1) != TOK_NAME || before == '.' || before == TOK_ARROW ||
	       !function_declares(v, f,
				  (struct word){ v->tokens.at[i - 1].t.s,
						 v->tokens.at[i - 1].t.len });
}

/* Does the caller get only an element of the block, which the function returns? If the function
 * also stores the block as a whole, that place has all elements. */
static bool gives_element(const struct view *v, const struct function *f, struct word name)
{
	for (int64_t i = f->body + 1, end = search_end(f, i); i < end; i++)
		if (is_stored_at(v, f, i, name))
			return false;
	return function_returns(v, f, name);
}

/* Finds the place that stores the element whose address contains token i. */
static bool element_place(const struct view *v, int64_t i, struct holder *to)
{
	int64_t from, end, call;
	int number;

	if (!is_element_address(v, i, &from, &end))
		return false;
	call = call_with_argument(v, from, end, &number);
	return call >= 0 && stored_by_call(v, call, number, to);
}

bool pooled_at(struct holder *h, const struct statement *st, const char *function,
	       struct holder_way *way)
{
	const struct view *v = st->view;
	int64_t loop = 0;
	struct holder to;

	if (!st->function || !holder_is_variable(h) || v->is_rust ||
	    !gives_element(v, st->function, (struct word){ h->text, h->base_len }))
		return false;
	for (int64_t i = st->place, end = search_end(st->function, i); i < end; i++) {
		if (leaves_out_first(v, i))
			loop = loop_end(v, i, end);
		if (i >= loop || !holder_begins_at(v, i, h) || !element_place(v, i, &to))
			continue;
		*way = holder_way(&to, st, function);
		if (is_changed(v, st->function, (struct word){ to.text + to.base, to.base_len }))
			way->path = HOLDER_ENDS;
		way->is_pool = true;
		*h = to;
		return true;
	}
	return false;
}
