/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions in a statement that name something: where they begin and end, and their text. */
#include "naming/assign.h"

#include <string.h>

struct name expression_before(const struct tokens *ts, int to)
{
	int i = to;

	for (;;) {
		int before;

		while (token_kind(ts, i) == ']' || token_kind(ts, i) == ')') {
			i = token_match(ts, i);
			if (i < 0)
				return no_name;
			before = token_kind(ts, i - 1);
			if (token_kind(ts, i) == '(' &&
			    (before != TOK_NAME || token_is_keyword(ts, i - 1)))
				break; /* the bracket is a part of the name, as in (*p)->x */
			i--;
		}
		if (token_kind(ts, i) != TOK_NAME && token_kind(ts, i) != '(')
			return no_name;
		before = token_kind(ts, i - 1);
		if (token_kind(ts, i) == TOK_NAME && token_is_keyword(ts, i))
			return no_name;
		if (!is_member_access(before) && before != TOK_SCOPE)
			break;
		if (token_kind(ts, i - 2) != TOK_NAME && token_kind(ts, i - 2) != ']' &&
		    token_kind(ts, i - 2) != ')')
			/* nothing comes before the "." or "::", as in .member = … or ::global = …
			 */
			break;
		i -= 2;
	}
	return (struct name){ i, to, false };
}

struct name argument_from(const struct tokens *ts, int i)
{
	struct name n = { i, i - 1, false };

	for (; i < ts->n; i++) {
		int kind = token_kind(ts, i);

		if (kind == '(' || kind == '[')
			i = token_match(ts, i);
		else if (kind == ',' || kind == ')' || kind == ';')
			break;
		if (i < 0)
			return no_name;
		n.to = i;
	}
	return n;
}

bool write_name(const struct tokens *ts, struct name n, char *out, size_t size)
{
	size_t len = 0;

	if (n.from + 2 <= n.to && token_in(ts, n.from, " this ") &&
	    token_kind(ts, n.from + 1) == TOK_ARROW)
		n.from += 2;
	if (!is_name(n) || size < 2)
		return false;
	if (n.deref)
		out[len++] = '*';
	for (int i = n.from; i <= n.to; i++) {
		const struct token *t = token_at(ts, i);
		bool space = i > n.from && t->kind == TOK_NAME && token_kind(ts, i - 1) == TOK_NAME;

		if (t->len + space >= size - len)
			return false;
		if (space)
			out[len++] = ' ';
		memcpy(out + len, t->s, t->len);
		len += t->len;
	}
	out[len] = '\0';
	return true;
}
