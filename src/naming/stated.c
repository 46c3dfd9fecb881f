/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/stated.h"

#include <string.h>

static bool write_tokens(const struct tokens *ts, int from, int to, char *out, size_t size)
{
	return write_name(ts, (struct name){ from, to, false }, out, size);
}

/* Returns the first token of the type after the "new" at token i. In placement new, an address in
 * brackets is between "new" and the type. */
static int type_after_new(const struct tokens *ts, int i)
{
	int end;

	if (token_kind(ts, ++i) != '(')
		return i;
	end = token_match(ts, i);
	return end < 0 ? i : end + 1;
}

bool stated_by_new(const struct tokens *ts, int at, char *out, size_t size, bool *is_array)
{
	int found = -1, from, to;

	*out = '\0';
	for (int i = 0; i < ts->n && (found < 0 || i <= at); i++)
		if (token_in(ts, i, " new "))
			found = i;
	if (found < 0)
		return false;
	from = to = type_after_new(ts, found);
	while (token_kind(ts, to) == TOK_NAME || token_kind(ts, to) == TOK_SCOPE ||
	       token_kind(ts, to) == '*' || token_kind(ts, to) == '<') {
		to = token_kind(ts, to) == '<' ? after_template(ts, to) : to + 1;
		if (to < 0)
			return false;
	}
	*is_array = token_kind(ts, to) == '[';
	return to > from && write_tokens(ts, from, to - 1, out, size);
}

/* Returns the last token of the operand of the "sizeof" at token i. */
static int end_of_measured(const struct tokens *ts, int i)
{
	int to = i + 1;

	if (token_kind(ts, to) == '(')
		return token_match(ts, to);
	while (token_kind(ts, to) == '*')
		to++;
	while (token_kind(ts, to + 1) == '.' || token_kind(ts, to + 1) == TOK_ARROW)
		to += 2;
	return token_kind(ts, to + 1) == '[' ? token_match(ts, to + 1) : to;
}

/* Is the size of tokens [from, to] only compared, as in "sizeof(T) > 8 ? a : b"? */
static bool is_compared(const struct tokens *ts, int from, int to)
{
	const int before = token_kind(ts, from - 1), behind = token_kind(ts, to + 1);

	return before == TOK_LOGIC || before == '<' || behind == TOK_LOGIC || behind == '<' ||
	       behind == '>';
}

/* Is the sizeof at token i, which ends at token `end`, multiplied with a number? */
static bool is_multiplied(const struct tokens *ts, int i, int end)
{
	return token_kind(ts, i - 1) == '*' || token_kind(ts, end + 1) == '*';
}

/* Like stated_by_sizeof(), but only of the operands whose sizeof is multiplied, or only of the
 * others. Sets *found to whether there are any. */
static bool one_operand(const struct tokens *ts, bool multiplied, char *out, size_t size,
			bool *found)
{
	char other[256];

	*out = '\0';
	*found = false;
	for (int i = 0; i < ts->n; i++) {
		bool bracket = token_kind(ts, i + 1) == '(';
		int end;

		if (!token_in(ts, i, " sizeof "))
			continue;
		end = end_of_measured(ts, i);
		if (end >= 0 &&
		    (is_compared(ts, i, end) || is_multiplied(ts, i, end) != multiplied))
			continue;
		if (end < 0 || !write_tokens(ts, i + 1 + bracket, end - bracket,
					     *found ? other : out, *found ? sizeof(other) : size))
			return false;
		if (*found && strcmp(out, other) != 0) {
			*out = '\0';
			return false;
		}
		*found = true;
	}
	return true;
}

bool stated_by_sizeof(const struct tokens *ts, char *out, size_t size)
{
	bool heads, elements;

	/* in "sizeof(head) + n * sizeof(element)", the block begins with the head */
	if (!one_operand(ts, false, out, size, &heads))
		return false;
	return heads || (one_operand(ts, true, out, size, &elements) && elements);
}

bool stated_as_one(const struct tokens *ts, int i)
{
	return token_in(ts, i + 2, " sizeof ") && token_kind(ts, i + 1) == '(' &&
	       end_of_measured(ts, i + 2) + 1 == token_match(ts, i + 1);
}

/* Does the statement allocate one object of a size without sizeof, as in "calloc(1, bytes)"? */
static bool allocates_one(const struct tokens *ts, int i)
{
	const int end = token_match(ts, i + 1);

	if (!token_in(ts, i, " calloc kcalloc xcalloc ") || token_at(ts, i + 2)->len != 1 ||
	    *token_at(ts, i + 2)->s != '1' || token_kind(ts, i + 3) != ',')
		return false;
	for (i += 4; i < end; i++)
		if (token_in(ts, i, " sizeof "))
			return false;
	return end > 0;
}

bool stated_with_rest(const struct tokens *ts)
{
	for (int i = 0; i < ts->n; i++) {
		int before = token_kind(ts, i - 1), after, end;

		if (allocates_one(ts, i))
			return true;
		if (!token_in(ts, i, " sizeof "))
			continue;
		end = end_of_measured(ts, i);
		after = end < 0 ? TOK_END : token_kind(ts, end + 1);
		if (before != '*' && after != '*' && (before == '+' || after == '+'))
			return true;
	}
	return false;
}

/* Is the expression around tokens from .. to a sum? It ends at a comma and at the brackets around
 * it. */
static bool is_summand(const struct tokens *ts, int from, int to)
{
	int depth = 0;

	for (int i = from - 1;
	     i >= 0 && (depth || (token_kind(ts, i) != ',' && token_kind(ts, i) != '(')); i--) {
		depth += (token_kind(ts, i) == ')') - (token_kind(ts, i) == '(');
		if (!depth && token_kind(ts, i) == '+')
			return true;
	}
	for (int i = to + 1; i < ts->n && token_kind(ts, i) != ',' && token_kind(ts, i) != ')';
	     i++) {
		if (token_kind(ts, i) == '+')
			return true;
		if (token_kind(ts, i) == '(' && (i = token_match(ts, i)) < 0)
			return false;
	}
	return false;
}

bool stated_with_slack(const struct tokens *ts)
{
	for (int i = 0; i < ts->n; i++) {
		const int end = token_in(ts, i, " sizeof ") ? end_of_measured(ts, i) : -1;

		if (end >= 0 && is_multiplied(ts, i, end) && is_summand(ts, i, end))
			return true;
	}
	return false;
}

static bool says_allocate(const struct token *t)
{
	char name[64] = "";

	memcpy(name, t->s, t->len < sizeof(name) - 1 ? t->len : sizeof(name) - 1);
	return strcasestr(name, "alloc") || strcasestr(name, "new");
}

bool stated_by_argument(const struct tokens *ts, char *out, size_t size)
{
	*out = '\0';
	for (int i = 0; i < ts->n; i++) {
		int to = i + 2;

		if (token_kind(ts, i) != TOK_NAME || token_kind(ts, i + 1) != '(' ||
		    !says_allocate(token_at(ts, i)))
			continue;
		while (token_kind(ts, to) == TOK_NAME || token_kind(ts, to) == '*')
			to++;
		if (to > i + 2 && token_kind(ts, to) == ',')
			return write_tokens(ts, i + 2, to - 1, out, size);
	}
	return false;
}

/* Is the bracket at `close` the end of a cast? Then a pointer type comes before it, and a call
 * after it. */
static bool is_cast(const struct tokens *ts, int close)
{
	int next = close + 1 + (token_kind(ts, close) == '>' && token_kind(ts, close + 1) == '(');

	return token_kind(ts, close - 1) == '*' && token_kind(ts, next) == TOK_NAME &&
	       token_kind(ts, next + 1) == '(';
}

bool stated_by_cast(const struct tokens *ts, char *out, size_t size)
{
	*out = '\0';
	for (int i = 0; i < ts->n; i++) {
		int close = -1;

		if (token_kind(ts, i) == '(')
			close = token_match(ts, i);
		else if (token_kind(ts, i) == '<' &&
			 token_in(ts, i - 1, " static_cast reinterpret_cast "))
			close = after_template(ts, i) - 1;
		if (close > i + 2 && is_cast(ts, close))
			return write_tokens(ts, i + 1, close - 2, out, size);
	}
	return false;
}
