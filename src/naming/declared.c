/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/declared.h"

#include "naming/assign.h"

bool is_passed_on(const struct tokens *ts, int i, struct name n)
{
	while (--i > n.to) {
		const int kind = token_kind(ts, i);

		if (kind == ')' || kind == ']' || kind == '}')
			i = token_match(ts, i);
		else if (kind == '(' && is_plain_call(ts, i) && i - 1 != n.to)
			return true;
		if (i < 0)
			break;
	}
	return false;
}

bool declares_class(const struct tokens *ts, struct name n, struct word class)
{
	for (int i = 0; i < n.from; i++)
		if (token_is_word(ts, i, class))
			return true;
	return false;
}

bool declares_container(const struct tokens *ts, struct name n, struct word class)
{
	int depth = 0;

	for (int i = 0; i < n.from; i++) {
		depth += (token_kind(ts, i) == '<') - (token_kind(ts, i) == '>');
		if (depth > 0 && token_is_word(ts, i, class))
			return true;
	}
	return false;
}
