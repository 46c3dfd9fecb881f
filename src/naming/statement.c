/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the statement at a line and column that debug information reports, and the variable that it
 * assigns.
 */
#include "naming/assign.h"
#include "naming/calls.h"
#include "naming/rust.h"
#include "naming/source.h"

bool statement_at(struct sources *s, const char *path, uint32_t line, uint32_t column,
		  int64_t not_after, struct statement *out)
{
	const struct view *v = source_view(s, path, line, not_after);
	int64_t place = v ? view_at(v, line, column) : -1;

	if (place < 0 || !view_statement(v, place, &out->tokens, &out->at))
		return false;
	out->view = v;
	out->place = place;
	out->function = view_function(v, place);
	out->sources = s;
	out->path = path;
	out->not_after = not_after;
	return true;
}

struct name listed_member(const struct statement *st)
{
	const struct function *f = st->function;
	bool listed = f && st->place > f->end && st->place < f->body &&
		      token_kind(&st->tokens, 0) == TOK_NAME;

	return listed ? (struct name){ 0, 0, false } : no_name;
}

struct name subscripted_in(const struct statement *st)
{
	for (int i = st->at; i >= 0; i--)
		if (token_kind(&st->tokens, i) == '[' && i > 0)
			return expression_before(&st->tokens, i - 1);
	for (int i = st->at + 1; i < st->tokens.n; i++)
		if (token_kind(&st->tokens, i) == '[')
			return expression_before(&st->tokens, i - 1);
	return no_name;
}

struct name nearest_in_chain(const struct statement *st)
{
	const struct tokens *ts = &st->tokens;
	int i = st->at - 1;
	struct name n;

	while (i > 0 && token_kind(ts, i) != TOK_ASSIGN)
		i--;
	n = i > 0 ? expression_before(ts, i - 1) : no_name;
	return token_kind(ts, n.from - 1) == TOK_ASSIGN ? n : no_name;
}

bool is_for_subscript(const struct statement *st, struct name n)
{
	for (int i = n.from; i < st->at && i <= n.to; i++)
		if (token_kind(&st->tokens, i) == '[' && token_match(&st->tokens, i) > st->at)
			return true;
	return false;
}

/* If the call that the debug information reports is an argument of a container's method, returns
 * the position of the method's name; otherwise -1. */
static int method_around(const struct statement *st)
{
	const struct tokens *ts = &st->tokens;

	for (int i = st->at - 1; i > 1; i--) {
		const int kind = token_kind(ts, i);

		if (kind == ')' || kind == ']' || kind == '}')
			i = token_match(ts, i);
		else if (kind == '(' && is_growing_method(ts, i - 1))
			return i - 1;
		if (i < 0)
			break;
	}
	return -1;
}

bool is_method_argument(const struct statement *st)
{
	return method_around(st) >= 0;
}

struct name element_container(const struct statement *st)
{
	const int method = st->view->is_rust ? -1 : method_around(st);

	if (!is_storing_method(&st->tokens, method))
		return no_name;
	return expression_before(&st->tokens, method - 2);
}

bool assigned_at(struct sources *s, const char *path, uint32_t line, uint32_t column,
		 int64_t not_after, char *out, size_t size)
{
	struct statement st;
	enum fortran_how how;

	if (is_fortran(path))
		return fortran_assigned_at(s, path, line, not_after, out, size, &how);
	return statement_at(s, path, line, column, not_after, &st) &&
	       write_name(&st.tokens, assigned_in(&st.tokens), out, size);
}

bool statement_returns(const struct statement *st)
{
	for (int i = 0; i <= st->at; i++)
		if (token_in(&st->tokens, i, " return co_return "))
			return true;
	return rust_returns(st);
}
