/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/moved_on.h"

#include <string.h>

static bool token_is(const struct view *v, int64_t i, const char *sign)
{
	const struct token *t = &v->tokens.at[i].t;

	return view_kind(v, i) != TOK_END && t->len == strlen(sign) && !memcmp(t->s, sign, t->len);
}

/* Does the value after the "=" at token i begin with the variable, perhaps after casts, and "+"? */
static bool adds_to(const struct view *v, int64_t i, struct word name)
{
	for (i++; view_kind(v, i) == '(' && v->tokens.at[i].partner > i;)
		i = v->tokens.at[i].partner + 1;
	return view_is_word(v, i, name) && view_kind(v, i + 1) == '+';
}

/* Is token i the variable, and does it get a higher value there? */
static bool moves_at(const struct view *v, int64_t i, struct word name)
{
	return view_is_word(v, i, name) && (token_is(v, i + 1, "++") || token_is(v, i + 1, "+=") ||
					    (token_is(v, i + 1, "=") && adds_to(v, i + 1, name)));
}

bool is_moved_on(const struct holder *h, const struct statement *st)
{
	const struct word name = { h->text, h->base_len };
	const struct view *v = st->view;

	if (!st->function || !holder_is_variable(h))
		return false;
	for (int64_t i = st->place, end = search_end(st->function, i); i < end; i++)
		if (view_kind(v, i - 1) == ';' && moves_at(v, i, name))
			return true;
	return false;
}

int64_t loop_end(const struct view *v, int64_t i, int64_t end)
{
	int64_t body = i + 1;

	if (!view_is(v, i, "for") && !view_is(v, i, "while") && !view_is(v, i, "do"))
		return i;
	if (view_kind(v, body) == '(' && v->tokens.at[body].partner > body)
		body = v->tokens.at[body].partner + 1;
	if (view_kind(v, body) == '{' && v->tokens.at[body].partner > body)
		return v->tokens.at[body].partner + 1;
	while (body < end && view_kind(v, body) != ';')
		body++;
	return body;
}

bool is_carved_at(const struct view *v, const struct function *f, struct word name, int64_t i)
{
	const int64_t end = search_end(f, i);

	for (int64_t k = f->body + 1; k < i; k++) {
		const int64_t behind = loop_end(v, k, end);

		if (behind <= i)
			continue;
		for (int64_t j = k; j < behind; j++)
			if (moves_at(v, j, name) ||
			    (token_is(v, j, "++") && view_is_word(v, j + 1, name)))
				return true;
		return false; /* the loops inside are parts of this one */
	}
	return false;
}
