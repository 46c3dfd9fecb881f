/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/parted.h"

#include <string.h>

/* Maximum number of places that get a position in the block. */
enum { MOST_PLACES = 8 };

/* The tokens [from, to) of a variable with its members and subscripts. */
struct path {
	int64_t from, to;
};

static bool is_path_token(int kind)
{
	return kind == TOK_NAME || kind == '.' || kind == TOK_ARROW || kind == TOK_SCOPE;
}

static struct path path_before(const struct view *v, int64_t end)
{
	int64_t i = end;

	while (is_path_token(view_kind(v, i - 1)) ||
	       (view_kind(v, i - 1) == ']' && v->tokens.at[i - 1].partner >= 0)) {
		if (view_kind(v, i) == TOK_NAME && view_kind(v, i - 1) == TOK_NAME)
			break; /* the type in a declaration */
		i = view_kind(v, i - 1) == ']' ? v->tokens.at[i - 1].partner : i - 1;
	}
	return (struct path){ i, end };
}

static struct path path_from(const struct view *v, int64_t from)
{
	int64_t i = from;

	while (is_path_token(view_kind(v, i)) ||
	       (view_kind(v, i) == '[' && v->tokens.at[i].partner > i))
		i = view_kind(v, i) == '[' ? v->tokens.at[i].partner + 1 : i + 1;
	return (struct path){ from, i };
}

static bool same_path(const struct view *v, struct path a, struct path b)
{
	for (; a.from < a.to && b.from < b.to; a.from++, b.from++) {
		const struct token *s = &v->tokens.at[a.from].t, *t = &v->tokens.at[b.from].t;

		if (s->len != t->len || memcmp(s->s, t->s, s->len) != 0)
			return false;
	}
	return a.from == a.to && b.from == b.to;
}

/* If a cast to a pointer is at token *i, moves *i behind it and returns the last word of the
 * pointer's type; otherwise an empty path. */
static struct path skip_cast(const struct view *v, int64_t *i)
{
	const int64_t close = view_kind(v, *i) == '(' ? v->tokens.at[*i].partner : -1;

	if (close < *i + 3 || view_kind(v, close - 1) != '*' || view_kind(v, close - 2) != TOK_NAME)
		return (struct path){ 0, 0 };
	*i = close + 1;
	return (struct path){ close - 2, close - 1 };
}

bool has_other_parts(const struct statement *st, const struct holder *h)
{
	const struct view *v = st->view;
	struct path first = { 0, 0 }, places[MOST_PLACES];
	int n = 0;

	for (int64_t i = st->place, end = st->function ? search_end(st->function, i) : i;
	     i < end && n < MOST_PLACES; i++) {
		int64_t at = i + 1;
		struct path type, value;
		bool is_block, is_place;

		if (view_kind(v, i) != TOK_ASSIGN)
			continue;
		type = skip_cast(v, &at);
		value = path_from(v, at + (view_kind(v, at) == '('));
		is_block = value.to == value.from + 1 && holder_begins_at(v, value.from, h);
		is_place = is_block;
		for (int k = 0; k < n; k++)
			is_place |= same_path(v, places[k], value);
		if (view_kind(v, value.to) != '+') {
			if (is_block && type.to && !n) {
				first = type;
				places[n++] = path_before(v, i);
			}
			continue;
		}
		if (!is_place || !n)
			continue;
		if (type.to && !same_path(v, type, first))
			return true;
		places[n++] = path_before(v, i);
	}
	return false;
}
