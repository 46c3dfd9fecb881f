/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/assign.h"

#include <string.h>

#include "base/count.h"
#include "naming/calls.h"

/* Can token i be the end of a type? A name after it then declares a variable. */
static bool ends_type(const struct tokens *ts, int i)
{
	return token_kind(ts, i) == '>' ||
	       (token_kind(ts, i) == TOK_NAME && !token_is_keyword(ts, i));
}

static int before_stars(const struct tokens *ts, int i)
{
	while (token_kind(ts, i) == '*' || token_kind(ts, i) == '&' ||
	       token_in(ts, i, " const restrict __restrict volatile "))
		i--;
	return i;
}

/* Returns the variable of a declaration such as "double (*a)", "T (*rows)[N]" or "int
 * (**calls)(int)", which ends at token `to`; no_name if there is no such declaration. */
static struct name pointer_declarator(const struct tokens *ts, int to)
{
	int open, name;

	while (token_kind(ts, to) == ']')
		to = token_match(ts, to) - 1;
	if (token_kind(ts, to) == ')' && token_kind(ts, token_match(ts, to) - 1) == ')')
		to = token_match(ts, to) - 1; /* parameters come after the name */
	open = token_kind(ts, to) == ')' ? token_match(ts, to) : -1;
	for (name = open + 1; open > 0 && token_kind(ts, name) == '*'; name++)
		;
	if (open <= 0 || name == open + 1 || name + 1 != to || token_kind(ts, name) != TOK_NAME)
		return no_name;
	/* a type must come before the bracket: after a function's name, this is a call */
	if (token_is_plain_type(ts, open - 1) ||
	    (token_kind(ts, open - 1) == TOK_NAME && token_kind(ts, open - 2) == TOK_NAME &&
	     !token_is_keyword(ts, open - 1)))
		return (struct name){ name, name, false };
	return no_name;
}

/* Puts the variable of Fortran before a name that is its component: "a(i)%u" for "u". What C
 * assigns to is never a remainder. */
static struct name with_components(const struct tokens *ts, struct name n)
{
	while (is_name(n) && token_kind(ts, n.from - 1) == '%') {
		/* "new%u": a keyword of C may be a variable */
		const bool is_word = token_kind(ts, n.from - 2) == TOK_NAME;
		const struct name outer = is_word ? (struct name){ n.from - 2, n.from - 2, false }
						  : expression_before(ts, n.from - 2);

		if (!is_name(outer))
			break;
		n.from = outer.from;
	}
	return n;
}

/* Returns the name on the left side of the assignment operator at token i; in a = b = …, the
 * leftmost name. */
static struct name left_side(const struct tokens *ts, int i)
{
	struct name n = pointer_declarator(ts, i - 1);
	int outer = token_kind(ts, i - 1) == ']' ? token_match(ts, i - 1) : -1;

	if (token_in(ts, before_stars(ts, outer - 1), " auto ") ||
	    (token_kind(ts, outer - 1) == TOK_LOGIC && token_in(ts, outer - 2, " auto ")))
		/* a structured binding: auto [a, b] = …; or auto &&[a, b] = …; */
		return (struct name){ outer, i - 1, false };
	if (is_name(n))
		return n;
	n = with_components(ts, expression_before(ts, i - 1));
	if (!is_name(n))
		return n;
	outer = before_stars(ts, n.from - 1);
	if (token_kind(ts, outer) == TOK_ASSIGN && outer == n.from - 1) {
		struct name further = left_side(ts, outer);

		return is_name(further) ? further : n;
	}
	/* in a declaration the subscript is the size of the array, not a part of the name */
	if (ends_type(ts, outer)) {
		if (token_kind(ts, n.from) == TOK_NAME && token_kind(ts, n.from + 1) == '[')
			n.to = n.from;
	} else if (token_kind(ts, n.from - 1) == '*' && token_kind(ts, outer) != ',') {
		n.deref = true;
	}
	return n;
}

/* Finds the name in "let x: T = …;" and "let mut x = …" of Rust. `assign` is the position of "=".
 */
static struct name rust_let(const struct tokens *ts, int assign)
{
	for (int i = assign - 1; i >= 0; i--) {
		int at = i + 1;

		if (!token_in(ts, i, " let "))
			continue;
		if (token_in(ts, at, " mut "))
			at++;
		return token_kind(ts, at) == TOK_NAME ? (struct name){ at, at, false } : no_name;
	}
	return no_name;
}

static struct name assigned_at(const struct tokens *ts, int i)
{
	struct name n = rust_let(ts, i);

	return is_name(n) ? n : left_side(ts, i);
}

/* Finds the variable that gets the values in the round bracket or brace at `open`: x in the
 * declarations "Type x( … )", "Type x{ … }" and "Type *x{ … }" and in a constructor's list ": x( …
 * )", v in "v.push_back( … )". */
static struct name owner_of_group(const struct tokens *ts, int open)
{
	int x = open - 1;
	int before = token_kind(ts, x - 1);

	if (token_kind(ts, x) != TOK_NAME || token_is_keyword(ts, x))
		return no_name;
	if (is_growing_method(ts, x))
		return expression_before(ts, x - 2);
	if (ends_type(ts, x - 1) || (x == 0 && ts->is_declarator) ||
	    (token_kind(ts, open) == '{' && ends_type(ts, before_stars(ts, x - 1))) ||
	    (before == ':' && token_kind(ts, open) == '('))
		return (struct name){ x, x, false };
	return no_name;
}

/* Is the bracket at `open` certainly the bracket of a block of statements, or of the condition of a
 * statement? Then the value of a call inside it cannot go to an assignment before it. */
static bool is_statement_bracket(const struct tokens *ts, int open)
{
	int before = token_kind(ts, open - 1);

	if (token_in(ts, open - 1, " if while for switch do else "))
		return true;
	return token_kind(ts, open) == '{' && before != TOK_NAME && before != TOK_ASSIGN &&
	       before != ',' && before != '{' && before != '(' && before != '>';
}

static bool ends_expression(const struct tokens *ts, int i)
{
	return token_kind(ts, i) == ';' ||
	       token_in(ts, i, " return throw delete goto else do co_return ");
}

/* If template arguments end at token i, as in "Graph<int, true>::", returns the position of their
 * '<'; otherwise i. */
static int before_template(const struct tokens *ts, int i)
{
	int depth = 0;

	if (token_kind(ts, i + 1) != TOK_SCOPE)
		return i;
	for (int at = i; at >= 0 && !ends_expression(ts, at); at--) {
		int kind = token_kind(ts, at);

		depth += (kind == '>') - (kind == '<');
		if (!depth)
			return at;
	}
	return i;
}

bool is_plain_call(const struct tokens *ts, int open)
{
	return token_kind(ts, open) == '(' && token_kind(ts, open - 1) == TOK_NAME &&
	       !token_is_keyword(ts, open - 1) && token_kind(ts, open - 2) != TOK_SCOPE &&
	       !is_member_access(token_kind(ts, open - 2));
}

/* Goes outwards from the allocating call at token i to the assignment that gets its value. If there
 * is a comma or a comparison between an assignment and the call, the assignment gets a different
 * value, unless a "?" follows the comparison. If the call is an argument of a plain function, and
 * an earlier argument is not a constant, the assignment gets what that function returns, and
 * *is_argument is set. In "p = checked(3, malloc(n))", the earlier argument is a constant. */
static struct name assigned_to(const struct tokens *ts, int i, bool *is_argument)
{
	bool other_value = false, other_name = false, conditional = false;
	struct name n;

	*is_argument = false;
	while (--i >= 0 && !ends_expression(ts, i)) {
		int kind = token_kind(ts, i);

		if (kind == ')' || kind == ']' || kind == '}') {
			i = token_match(ts, i);
			if (i < 0)
				break;
		} else if (kind == '>') {
			i = before_template(ts, i);
		} else if (kind == '(' || kind == '{') {
			n = owner_of_group(ts, i);
			if (is_name(n))
				return n;
			if (is_statement_bracket(ts, i))
				break;
			*is_argument |= other_name && is_plain_call(ts, i);
			other_value = other_name = conditional = false;
		} else if (kind == TOK_ASSIGN && !other_value) {
			n = rust_let(ts, i);
			return is_name(n) || *is_argument ? n : left_side(ts, i);
		} else if (kind == ',' && token_kind(ts, i - 1) == '*') {
			continue; /* a macro casts to this type, as in cast(T *, …) */
		} else if (kind == ',' || (kind == TOK_LOGIC && !conditional)) {
			other_value = true;
		} else if (kind == '?') {
			conditional = true;
		} else if (kind == TOK_NAME && other_value) {
			other_name |= !token_in(ts, i, " NULL nullptr __FILE__ __LINE__ __func__ ");
		}
	}
	return no_name;
}

struct name assigned_to_call(const struct tokens *ts, int i)
{
	bool is_argument;

	return assigned_to(ts, i, &is_argument);
}

/* Returns the position after the casts that begin at token i, such as the (void **) in (void **)&p.
 */
static int skip_casts(const struct tokens *ts, int i)
{
	for (;;) {
		const int value = cast_value(ts, i);
		const int end = token_kind(ts, i) == '(' ? token_match(ts, i) : -1;
		const int next = token_kind(ts, end + 1);

		if (value >= 0)
			i = value + 1;
		else if (end < 0 || (next != '&' && next != TOK_NAME && next != '('))
			return i;
		else
			i = end + 1;
	}
}

/* Finds the argument of the call at token i that is an address: p in f(n, &p). If no argument is an
 * address and `always` is set (the function always returns the block through an argument), returns
 * "*p" for the first argument p, because p itself is then a pointer to the variable. */
static struct name out_argument(const struct tokens *ts, int i, bool always)
{
	int end = token_match(ts, i + 1);
	int first = skip_casts(ts, i + 2);
	struct name n;

	if (end < 0)
		end = ts->n;
	for (int at = i + 2; at < end; at++) {
		int arg = skip_casts(ts, at);

		if (token_kind(ts, arg) == '&' && token_kind(ts, arg + 1) == TOK_NAME)
			return argument_from(ts, arg + 1);
		while (at < end && token_kind(ts, at) != ',') {
			if (token_kind(ts, at) == '(')
				at = token_match(ts, at) < 0 ? end : token_match(ts, at);
			at++;
		}
	}
	if (!always || token_kind(ts, first) != TOK_NAME)
		return no_name;
	n = argument_from(ts, first);
	n.deref = true;
	return n;
}

static struct name by_out_function(const struct tokens *ts)
{
	for (int i = 0; i < ts->n; i++)
		if (is_out_function(ts, i))
			return out_argument(ts, i, token_in(ts, i, " posix_memalign asprintf "));
	return no_name;
}

/* Finds the variable that gets the block of an allocating call: the one to which the call's value
 * is assigned or, if there is none, the one whose address is passed to the call. Sets *is_argument
 * if the block is passed to another call, because an assignment then gets the value of that call.
 */
static struct name by_allocating_call(const struct tokens *ts, bool *is_argument)
{
	struct name n = no_name;

	*is_argument = false;
	for (int i = 0; !is_name(n) && i < ts->n; i++)
		if (is_allocating_call(ts, i))
			n = assigned_to(ts, i, is_argument);
	for (int i = 0; !is_name(n) && !*is_argument && i < ts->n; i++)
		if (is_allocating_call(ts, i) && token_kind(ts, i + 1) == '(')
			n = out_argument(ts, i, false);
	return n;
}

static struct name by_method(const struct tokens *ts)
{
	for (int i = 0; i < ts->n; i++)
		if (is_growing_method(ts, i))
			return expression_before(ts, i - 2);
	return no_name;
}

/* Can the value after the assignment operator at token i be a new block? It must contain a name, a
 * string or a brace; it must not be just a number. */
static bool is_value(const struct tokens *ts, int i)
{
	for (i++; i < ts->n; i++) {
		int kind = token_kind(ts, i);

		if (kind == ';' || kind == ',')
			break;
		if (kind == TOK_STRING || kind == '{')
			return true;
		if (kind == TOK_NAME && !token_in(ts, i, " NULL nullptr true false sizeof "))
			return true;
	}
	return false;
}

static struct name by_assignment(const struct tokens *ts)
{
	for (int i = 0; i < ts->n; i++) {
		if (token_in(ts, i, " for ") && token_kind(ts, i + 1) == '(') {
			i = token_match(ts, i + 1);
			if (i < 0)
				break;
		} else if (token_in(ts, i, " return case goto template using typedef ")) {
			break;
		} else if (token_kind(ts, i) == TOK_ASSIGN && is_value(ts, i)) {
			return assigned_at(ts, i);
		}
	}
	return no_name;
}

struct name declared_in(const struct tokens *ts)
{
	bool is_template = false;
	int i = 0, from, kind, end;

	if (ts->is_declarator && token_kind(ts, 0) == TOK_NAME &&
	    (token_kind(ts, 1) == '(' || token_kind(ts, 1) == '{'))
		return (struct name){ 0, 0, false };
	while (token_in(ts, i, " static const thread_local inline constexpr extern typename "))
		i++;
	if (token_kind(ts, i) == TOK_SCOPE)
		i++;
	if (token_kind(ts, i) != TOK_NAME || token_is_keyword(ts, i) || token_is_plain_type(ts, i))
		return no_name;
	for (i++; token_kind(ts, i) == TOK_SCOPE || token_kind(ts, i) == '<';) {
		is_template |= token_kind(ts, i) == '<';
		i = token_kind(ts, i) == '<' ? after_template(ts, i) : i + 2;
		if (i < 0)
			return no_name;
	}
	from = i;
	while (token_kind(ts, i) == TOK_NAME && token_kind(ts, i + 1) == TOK_SCOPE)
		i += 2; /* a static member: "T Class::name(n);" */
	kind = token_kind(ts, i + 1);
	if (token_kind(ts, i) != TOK_NAME || token_is_keyword(ts, i))
		return no_name;
	if (kind == '(' || kind == '{') {
		end = token_match(ts, i + 1);
		kind = token_kind(ts, end + 1);
		if (end < 0 ? !is_template : kind != ';' && kind != ',')
			return no_name; /* the head of a function, not a variable */
	} else if (kind != ';' && !(is_template && kind == ',')) {
		return no_name;
	}
	return (struct name){ from, i, false };
}

/* Finds the member in a statement such as ", data_(n)" or ": data_(n)": one line of a constructor's
 * list that has one member per line. */
static struct name by_initializer(const struct tokens *ts)
{
	int kind = token_kind(ts, 0);

	if ((kind == ':' || kind == ',') && token_kind(ts, 1) == TOK_NAME &&
	    (token_kind(ts, 2) == '(' || token_kind(ts, 2) == '{'))
		return (struct name){ 1, 1, false };
	return no_name;
}

struct name assigned_in(const struct tokens *ts)
{
	static struct name (*const rules[])(const struct tokens *) = {
		by_method,
		by_initializer,
		declared_in,
		by_assignment,
	};
	struct name n = by_out_function(ts);
	bool is_argument = false;

	if (!is_name(n))
		n = by_allocating_call(ts, &is_argument);
	for (size_t i = 0; !is_name(n) && !is_argument && i < COUNT_OF(rules); i++)
		n = rules[i](ts);
	return n;
}

bool assigned_name(const char *line, char *out, size_t size)
{
	struct tokens ts;

	if (size)
		out[0] = '\0';
	tokens_read(&ts, line);
	if (token_kind(&ts, 0) == '#')
		return false;
	if (fortran_allocate(&ts, out, size))
		return size && out[0];
	return write_name(&ts, assigned_in(&ts), out, size);
}
