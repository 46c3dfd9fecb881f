/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the statement in a view (scope.h) that contains a token. */
#include "naming/scope.h"

#include "base/count.h"
#include "naming/rust.h"

/* how many tokens a statement is searched for its start or end, and how many braces in a row */
enum { MAX_STATEMENT = 2000, MAX_NESTED = 64 };

/* Does the brace at token i open a block of statements or a class, and not an initial value? */
static bool opens_block(const struct view *v, int64_t i)
{
	static const char *const before_block[] = { "else", "do", "try" };
	static const char *const types[] = { "struct", "class", "union", "enum", "namespace" };
	const struct function *f = view_function(v, i);
	int before;

	if (v->is_rust && !(f && f->body == i))
		return !rust_is_literal(v, i);
	for (int n = 0; n < MAX_NESTED && view_kind(v, i - 1) == '{' && !(f && f->body == i); n++)
		i--; /* a block in a block, or a value in a value */
	if (f && f->body == i)
		return true;
	if (view_is_any(v, i - 1, before_block, COUNT_OF(before_block)) ||
	    view_is_any(v, i - 2, types, COUNT_OF(types)))
		return true;
	before = view_kind(v, i - 1);
	return before != TOK_NAME && before != TOK_ASSIGN && before != ',' && before != '(' &&
	       before != '>' && before != ']';
}

/* Returns the first token of the statement that contains token i. Brackets around token i are a
 * part of the statement, but not the braces of a block. */
static int64_t statement_start(const struct view *v, int64_t i)
{
	for (int64_t end = i > MAX_STATEMENT ? i - MAX_STATEMENT : 0; i > end;) {
		int kind = view_kind(v, i - 1);
		int64_t other = view_partner(v, i - 1);

		if (kind == ';' || (kind == '{' && opens_block(v, i - 1)))
			break;
		if (kind == ')' || kind == ']' || kind == '}') {
			if (other < 0 || (kind == '}' && opens_block(v, other)))
				break;
			i = other;
		} else {
			i--;
		}
	}
	return i;
}

/* Returns the end of the statement that contains token i: after its ";" or before a block. */
static int64_t statement_end(const struct view *v, int64_t i)
{
	for (int64_t end = i + MAX_STATEMENT; i < v->tokens.n && i < end; i++) {
		int kind = view_kind(v, i);

		if (kind == ';')
			return i + 1;
		if ((kind == '{' && opens_block(v, i)) ||
		    (kind == '}' && (view_partner(v, i) < 0 || opens_block(v, view_partner(v, i)))))
			return i;
		if ((kind == '(' || kind == '[' || kind == '{') && view_partner(v, i) > i)
			i = view_partner(v, i);
	}
	return i;
}

/* Returns the end of the template arguments that begin at token i; i if there are none. Searches up
 * to `end`. */
static int64_t template_end(const struct view *v, int64_t i, int64_t end)
{
	int depth = 0;

	if (view_kind(v, i) != '<' || view_kind(v, i - 1) != TOK_NAME)
		return i;
	for (int64_t j = i; j < end; j++) {
		int kind = view_kind(v, j);

		if (kind == '<')
			depth++;
		else if (kind == '>' && --depth == 0)
			return j;
		else if (kind == ';' || kind == TOK_LOGIC || kind == TOK_ASSIGN)
			break;
	}
	return i;
}

/* Does a declaration, which is a type and a name, begin at token i? */
static bool is_declaration(const struct view *v, int64_t i, int64_t end)
{
	static const char *const others[] = { "return", "delete", "throw", "new", "case", "goto" };

	if (view_kind(v, i) != TOK_NAME || view_is_any(v, i, others, COUNT_OF(others)))
		return false;
	for (i++; view_kind(v, i) == TOK_SCOPE || view_kind(v, i) == '<'; i++) {
		if (view_kind(v, i) == TOK_SCOPE)
			i++;
		else if (template_end(v, i, end) > i)
			i = template_end(v, i, end);
		else
			return false;
	}
	while (view_kind(v, i) == '*' || view_kind(v, i) == '&')
		i++;
	return view_kind(v, i) == TOK_NAME;
}

/* Narrows the statement [*start, *end) to the part between two commas that contains token i, as in
 * a declaration of several variables. Leaves out stars at the start of the part, because they
 * belong to the type. */
static void cut_at_commas(const struct view *v, int64_t i, int64_t *start, int64_t *end)
{
	for (int64_t j = *start; j < *end; j++) {
		int kind = view_kind(v, j);

		j = template_end(v, j, *end);
		if ((kind == '(' || kind == '[' || kind == '{') && view_partner(v, j) > j) {
			j = view_partner(v, j);
		} else if (kind == ',' && j < i) {
			*start = j + 1;
			while (view_kind(v, *start) == '*' && *start < i)
				++*start;
		} else if (kind == ',' && j > i) {
			*end = j + 1;
		}
	}
}

/* Returns the "[" of the lambda whose body begins with the "{" at token i; -1 if it is no lambda.
 */
static int64_t lambda_of_body(const struct view *v, int64_t i)
{
	int before;

	i--;
	if (view_kind(v, i) == TOK_NAME && view_kind(v, i - 1) == TOK_ARROW)
		i -= 2; /* the type of the result */
	while (view_is(v, i, "mutable") || view_is(v, i, "noexcept"))
		i--;
	if (view_kind(v, i) == ')')
		i = view_partner(v, i) - 1;
	if (view_kind(v, i) != ']' || view_partner(v, i) < 0)
		return -1;
	i = view_partner(v, i);
	before = view_kind(v, i - 1);
	return before == TOK_NAME || before == ']' || before == ')' ? -1 : i;
}

/* The body of a lambda is a block of statements inside another statement. If token i closes one, or
 * comes after one in its statement, returns the "[" of the first lambda of that statement;
 * otherwise i. */
static int64_t before_lambdas(const struct view *v, int64_t i)
{
	for (;;) {
		int64_t close = view_kind(v, i) == '}' ? i : statement_start(v, i) - 1, lambda = -1;

		if (view_kind(v, close) == '}' && view_partner(v, close) > 0)
			lambda = lambda_of_body(v, view_partner(v, close));
		if (lambda < 0)
			return i;
		i = lambda;
	}
}

bool view_statement(const struct view *v, int64_t i, struct tokens *out, int *at)
{
	const struct function *f = view_function(v, i);
	int64_t start, end, first;

	out->n = 0;
	if (i < 0 || i >= v->tokens.n)
		return false;
	i = before_lambdas(v, i);
	if (f && i > f->end && i < f->body) { /* token i is in a constructor's list of members */
		for (start = f->end + 1; start < i && view_kind(v, start) != ':'; start++)
			;
		start += start < i;
		end = f->body;
	} else {
		start = statement_start(v, i);
		end = statement_end(v, i);
	}
	first = start;
	cut_at_commas(v, i, &start, &end);
	out->is_declarator = start > first && is_declaration(v, first, end);
	for (int64_t j = start; j < end && out->n < TOK_MAX; j++)
		out->t[out->n++] = v->tokens.at[j].t;
	*at = (int)(i - start);
	return *at >= 0 && *at < out->n;
}
