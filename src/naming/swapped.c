/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/swapped.h"

#include <string.h>

/* Returns the method's own object: "*this" as a name. */
static struct name this_object(int i)
{
	return (struct name){ i, i, true };
}

/* Returns the argument that begins at token i; for "*this", the object itself. */
static struct name argument_at(const struct tokens *ts, int i)
{
	if (token_kind(ts, i) == '*' && token_in(ts, i + 1, " this "))
		return this_object(i + 1);
	return argument_from(ts, i);
}

/* The variable at token i is the only argument of swap(). Returns the object whose method that is.
 */
static struct name swap_owner(const struct tokens *ts, int i)
{
	const int access = token_kind(ts, i - 3);

	if (access != '.' && access != TOK_ARROW)
		return access == TOK_SCOPE ? no_name : this_object(i - 2);
	return token_in(ts, i - 4, " this ") ? this_object(i - 4) : expression_before(ts, i - 4);
}

/* Returns what the statement swaps with the variable at token i, or no_name. */
static struct name swapped_with(const struct tokens *ts, int i)
{
	const int before = token_kind(ts, i - 1), behind = token_kind(ts, i + 1);
	int open = i - 1;

	if (behind == '.' && token_in(ts, i + 2, " swap ") && token_kind(ts, i + 3) == '(')
		return argument_at(ts, i + 4);
	if (before == '(' && token_in(ts, i - 2, " swap "))
		return behind == ','   ? argument_at(ts, i + 2)
		       : behind == ')' ? swap_owner(ts, i)
				       : no_name;
	if (before != ',' || behind != ')')
		return no_name;
	while (open > 0 && token_match(ts, open) != i + 1)
		open--;
	return open > 0 && token_in(ts, open - 1, " swap ") ? argument_at(ts, open + 1) : no_name;
}

/* Sets *to to the member `rest`, such as ".data", of the object n. */
static bool member_of(struct holder *to, const struct tokens *ts, struct name n, const char *rest)
{
	if (!is_name(n))
		return false;
	if (token_in(ts, n.to, " this ") || (n.deref && n.from == n.to))
		return holder_of_variable(to, rest + 1);
	return name_is_path(ts, n) && holder_from(to, ts, n) && holder_set(to, to->text, "", rest);
}

bool swapped_at(struct holder *h, const struct statement *st, const char *function,
		struct holder_way *way)
{
	const struct view *v = st->view;
	const char *rest = h->text + h->base_len;
	struct tokens ts;
	struct holder to;
	int at;

	if (!st->function || h->base || *rest != '.')
		return false;
	for (int64_t i = st->place, end = search_end(st->function, i); i < end; i++) {
		if (!holder_begins_at(v, i, h) || !view_statement(v, i, &ts, &at) ||
		    !member_of(&to, &ts, swapped_with(&ts, at), rest))
			continue;
		*h = to;
		*way = holder_way(h, st, function);
		return true;
	}
	return false;
}

/* Do the arguments of a constructor begin at token i, as in "std::vector<int>(n)"? */
static bool makes_temporary(const struct tokens *ts, int i)
{
	return token_kind(ts, i - 1) == '>' || token_kind(ts, i - 1) == TOK_NAME;
}

struct name swapped_temporary(const struct tokens *ts)
{
	for (int i = 2; i < ts->n; i++) {
		const int before = token_kind(ts, i - 2);

		if (token_in(ts, i, " swap ") && token_kind(ts, i - 1) == '.' &&
		    (before == ')' || before == '}') && token_kind(ts, i + 1) == '(' &&
		    makes_temporary(ts, token_match(ts, i - 2)))
			return argument_from(ts, i + 2);
	}
	return no_name;
}
