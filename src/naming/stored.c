/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/stored.h"

#include <string.h>

#include "naming/calls.h"

/* MAX_BODY: number of tokens that are searched. MAX_COPIES: number of local variables, one assigned
 * to the next, that are followed. */
enum { MAX_BODY = 20000, MAX_COPIES = 3 };

static bool is_variable(const struct view *v, int64_t i, const struct holder *h)
{
	const struct token *t;

	if (view_kind(v, i) != TOK_NAME)
		return false;
	t = &v->tokens.at[i].t;
	return t->len == h->base_len && !memcmp(t->s, h->text, t->len);
}

/* Token i is a variable. Returns the token before the value that consists of only this variable,
 * before casts and "std::move(". Sets *is_moved if there is a std::move(). */
static int64_t before_value(const struct view *v, int64_t i, bool *is_moved)
{
	*is_moved = view_kind(v, i - 1) == '(' && view_is(v, i - 2, "move") &&
		    view_kind(v, i - 3) == TOK_SCOPE;
	if (*is_moved)
		i -= 4;
	while (view_kind(v, i - 1) == ')' && v->tokens.at[i - 1].partner >= 0)
		i = v->tokens.at[i - 1].partner;
	return i - 1;
}

/* Does the expression end at token i? */
static bool is_end(const struct view *v, int64_t i)
{
	const int kind = view_kind(v, i);

	return kind == ';' || kind == ',' || kind == ')';
}

/* Sets *to to the place where a statement stores the variable at token i: the left side of an
 * assignment, or the container of a push_back(). Returns false if nothing stores it there. */
static bool place_of(const struct view *v, int64_t i, bool is_copied, struct holder *to)
{
	struct tokens ts;
	bool is_moved;
	int64_t before = before_value(v, i, &is_moved);
	const int kind = view_kind(v, before);
	int at;

	if ((is_copied && !is_moved && !v->is_rust) || !is_end(v, i + 1 + is_moved) ||
	    (kind != TOK_ASSIGN && kind != '(') || !view_statement(v, i, &ts, &at))
		return false;
	if (kind == TOK_ASSIGN ? v->tokens.at[before].t.len != 1
			       : !is_growing_method(&ts, at - (int)(i - before) - 1))
		return false;
	return holder_from(to, &ts, taker_of(&ts, at));
}

static bool same_base(const struct holder *a, const struct holder *b)
{
	return a->base_len == b->base_len &&
	       !memcmp(a->text + a->base, b->text + b->base, a->base_len);
}

/* Can the place that the function calls *to be used after it has returned? Sets *way. */
static bool outlives(const struct holder *to, const struct statement *st, const char *function,
		     struct holder_way *way)
{
	const struct word base = { to->text + to->base, to->base_len };
	bool is_reference;

	*way = holder_way(to, st, function);
	return way->path != HOLDER_ENDS ||
	       (function_parameter(st->view, st->function, base, &is_reference) < 0 &&
		!function_declares(st->view, st->function, base));
}

bool stored_at(struct holder *h, const struct statement *st, const char *function, bool is_copied,
	       struct holder_way *way)
{
	const struct view *v = st->view;
	struct holder from = *h, to;
	struct holder_way found;
	int copies = 0;

	if (!st->function || !holder_is_variable(h))
		return false;
	for (int64_t i = st->place, end = i + MAX_BODY; i < st->function->close && i < end; i++) {
		if (!is_variable(v, i, &from) || !place_of(v, i, is_copied, &to) ||
		    same_base(&to, &from))
			continue;
		if (outlives(&to, st, function, &found)) {
			*h = to;
			*way = found;
			return true;
		}
		if (holder_is_variable(&to) && copies++ < MAX_COPIES)
			from = to;
	}
	return false;
}
