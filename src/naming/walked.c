/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/walked.h"

#include <string.h>

/* Returns the position after the value that begins at token i. */
static int64_t value_end(const struct view *v, int64_t i)
{
	for (;; i++) {
		const int kind = view_kind(v, i);

		if (kind == ';' || kind == ',' || kind == ')' || kind == TOK_END)
			return i;
		if ((kind == '(' || kind == '[') && v->tokens.at[i].partner > i)
			i = v->tokens.at[i].partner;
	}
}

static bool has_word(const struct view *v, int64_t from, int64_t to, struct word w)
{
	for (int64_t i = from; i < to; i++)
		if (view_is_word(v, i, w))
			return true;
	return false;
}

/* Gets the variable whose address is the value "&variable" of the tokens [from, to). Two calls of a
 * function may return two variables. */
static bool address_of(const struct view *v, int64_t from, int64_t to, struct holder *out)
{
	struct tokens ts = { .n = 0 };
	struct name n;

	if (view_kind(v, from) != '&')
		return false;
	while (++from < to && ts.n < TOK_MAX && view_kind(v, from) != '(')
		ts.t[ts.n++] = v->tokens.at[from].t;
	n = (struct name){ 0, ts.n - 1, false };
	return from == to && name_is_path(&ts, n) && holder_from(out, &ts, n);
}

/* Is token i the pointer, where its target and not the pointer is set, as in "*p = x;"? */
static bool is_target(const struct view *v, int64_t i)
{
	const int before = view_kind(v, i - 2);

	return view_kind(v, i - 1) == '*' && before != TOK_NAME && before != '*';
}

bool resolve_walk(struct holder *h, const struct statement *st)
{
	const struct word p = { h->text + 1, strlen(h->text) - 1 };
	const struct view *v = st->view;
	struct holder root;
	bool any = false;

	if (!st->function || *h->text != '*' || h->base != 1 || h->base_len != p.len)
		return false;
	for (int64_t i = st->function->body, end = search_end(st->function, i); i < end; i++) {
		int64_t to;

		if (view_is_word(v, i, p) &&
		    (view_kind(v, i + 1) == TOK_OTHER || view_kind(v, i - 1) == TOK_OTHER ||
		     view_kind(v, i + 1) == '+' || view_kind(v, i + 1) == '['))
			return false; /* "p++" and "p + 1" go along an array */
		if (!view_is_word(v, i, p) || view_kind(v, i + 1) != TOK_ASSIGN || is_target(v, i))
			continue;
		to = value_end(v, i + 2);
		if (any ? !has_word(v, i + 2, to, p) : !address_of(v, i + 2, to, &root))
			return false;
		any = true;
	}
	if (any)
		*h = root;
	return any;
}
