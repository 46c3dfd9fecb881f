/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/lambda.h"

#include <string.h>

/* Does the list of captures of a lambda begin at token i? */
static bool begins_lambda(const struct tokens *ts, int i)
{
	const int before = token_kind(ts, i - 1);
	int end, behind;

	if (token_kind(ts, i) != '[' || token_kind(ts, i + 1) == '[')
		return false;
	if (before != TOK_ASSIGN && before != '(' && before != ',' && before != '{' &&
	    !token_in(ts, i - 1, " return "))
		return false;
	end = token_match(ts, i);
	behind = token_kind(ts, end + 1);
	return end > 0 && (behind == '(' || behind == '{' || behind == TOK_END ||
			   token_in(ts, end + 1, " mutable "));
}

/* Returns the variable of the lambda whose list of captures begins at token `open`. */
static struct name captured_in(const struct statement *st, int open)
{
	const struct tokens *ts = &st->tokens;
	const int end = token_match(ts, open);
	struct name only = no_name;
	int count = 0;

	for (int i = open + 1; i < end; i++) {
		const struct name variable = { i, i, false };
		int last = i;

		while (last < end && token_kind(ts, last) != ',') {
			const int kind = token_kind(ts, last);
			const int partner = kind == '(' || kind == '[' || kind == '{'
						    ? token_match(ts, last)
						    : last;

			if (partner < 0)
				return no_name;
			last = partner + 1;
		}
		if (token_kind(ts, i) == TOK_NAME && !token_in(ts, i, " this ")) {
			if (st->at >= i && st->at < last)
				return variable;
			only = variable;
			count++;
		} else if (token_kind(ts, i) == TOK_ASSIGN) {
			count += 2; /* all variables that the body uses */
		}
		i = last;
	}
	return count == 1 ? only : no_name;
}

bool captured_at(struct holder *h, const struct statement *st, const char *callee)
{
	const struct tokens *ts = &st->tokens;
	struct name variable = no_name, owner;
	char name[HOLDER_MAX], lambda[HOLDER_MAX];
	int open = 0;

	if (callee && strstr(callee, "lambda"))
		return false;
	while (open < ts->n && !begins_lambda(ts, open))
		open++;
	if (open < ts->n)
		variable = captured_in(st, open);
	if (!write_name(ts, variable, name, sizeof(name)))
		return false;
	owner = assigned_to_call(ts, open);
	if (!name_is_path(ts, owner) || !write_name(ts, owner, lambda, sizeof(lambda)))
		return holder_of_variable(h, name);
	return holder_set(h, lambda, ".", name);
}
