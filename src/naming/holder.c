/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/holder.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "naming/macro.h"
#include "naming/member.h"
#include "naming/rust.h"

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Sets h->base and h->base_len to the variable in h->text: the first name that does not belong to a
 * function or macro (no round bracket follows it). Returns false if there is no such name. */
static bool find_base(struct holder *h)
{
	size_t i = 0, n;

	for (;;) {
		while (h->text[i] && !is_name_char(h->text[i]))
			i++;
		for (n = 0; is_name_char(h->text[i + n]); n++)
			;
		if (!n)
			return false;
		if (h->text[i + n] != '(')
			break;
		i += n;
	}
	h->base = i;
	h->base_len = n;
	return true;
}

/* Writes "p->x" for "(*p).x". */
static void plain_member(char *text)
{
	size_t n = 2;

	if (strncmp(text, "(*", 2) != 0)
		return;
	while (is_name_char(text[n]) || text[n] == '.' || text[n] == '-' || text[n] == '>')
		n++;
	if (n == 2 || strncmp(text + n, ").", 2) != 0)
		return;
	text[n] = '-';
	text[n + 1] = '>';
	memmove(text, text + 2, strlen(text + 2) + 1);
}

bool holder_from(struct holder *h, const struct tokens *ts, struct name n)
{
	if (!write_name(ts, n, h->text, sizeof(h->text)))
		return false;
	plain_member(h->text);
	return find_base(h);
}

bool holder_of_variable(struct holder *h, const char *name)
{
	return (size_t)snprintf(h->text, sizeof(h->text), "%s", name) < sizeof(h->text) &&
	       find_base(h);
}

bool holder_is_variable(const struct holder *h)
{
	return h->base == 0 && !h->text[h->base_len];
}

static struct word base_of(const struct holder *h)
{
	return (struct word){ h->text + h->base, h->base_len };
}

/* A function assigns a block to the expression h->text, which uses a parameter. Can the function's
 * caller access the block there? The parameter itself is a variable of the function, even if it is
 * a pointer. But the target of the parameter belongs to the caller. */
static bool reaches_caller(const struct holder *h, bool is_reference)
{
	return is_reference || !holder_is_variable(h);
}

struct holder_way holder_way(const struct holder *h, const struct statement *st,
			     const char *function)
{
	struct holder_way way = { .path = HOLDER_ENDS, .callee = method_of(function) };
	const char *behind = h->text + h->base + h->base_len;
	const size_t len = function ? strlen(function) : 0;
	bool is_reference;

	way.is_default = len > 2 && !strcmp(function + len - 2, "()");
	if (strncmp(behind, "::", 2) == 0)
		return way;
	if (!st->function) { /* a value in the definition of a class, which its constructors set */
		way.path = is_constructor(&way.callee) ? HOLDER_MEMBER : HOLDER_ENDS;
		return way;
	}
	way.parameter = function_parameter(st->view, st->function, base_of(h), &is_reference);
	if (way.parameter >= 0 && reaches_caller(h, is_reference))
		way.path = HOLDER_PARAMETER;
	else if (way.parameter >= 0 || function_declares(st->view, st->function, base_of(h)))
		way.path = h->base == 0 && (function_returns(st->view, st->function, base_of(h)) ||
					    (holder_is_variable(h) &&
					     macro_casts_result(st, base_of(h))))
				   ? HOLDER_RETURNED
				   : HOLDER_ENDS;
	else if (way.callee.owner.len)
		way.path = HOLDER_MEMBER;
	return way;
}

static bool is_token(const struct tokens *ts, int i, struct word w)
{
	const struct token *t = token_at(ts, i);

	return t->kind == TOK_NAME && t->len == w.len && memcmp(t->s, w.s, w.len) == 0;
}

/* Returns the opening bracket of the call whose function name is token i, after template arguments;
 * -1 if it is not a call. */
static int arguments_of(const struct tokens *ts, int i)
{
	int open = i + 1;

	if (token_kind(ts, open) == '<')
		open = after_template(ts, open);
	return open > 0 && (token_kind(ts, open) == '(' || token_kind(ts, open) == '{') ? open : -1;
}

/* Returns the position of the name `function` where the statement calls it; -1 if it does not. If
 * there are several calls, returns the last one at or before st->at, the token that debug
 * information reports; if all are after that token, the first one. */
static int call_of(const struct statement *st, struct word function)
{
	int best = -1;

	for (int i = 0; i < st->tokens.n; i++)
		if (is_token(&st->tokens, i, function) && arguments_of(&st->tokens, i) >= 0 &&
		    (best < 0 || i <= st->at))
			best = i;
	return best;
}

bool statement_calls(const struct statement *st, const struct method *function)
{
	return call_of(st, function->name) >= 0;
}

/* Returns the position after "if ( … )", "for ( … )" and the like at the start of a statement. */
static int skip_conditions(const struct tokens *ts)
{
	int i = 0;

	while (token_in(ts, i, " if else for while do ")) {
		i++;
		if (token_kind(ts, i) == '(' && token_match(ts, i) > 0)
			i = token_match(ts, i) + 1;
	}
	return i;
}

bool statement_drops(const struct statement *st, const struct method *function)
{
	int call = call_of(st, function->name), end;

	if (call != skip_conditions(&st->tokens))
		return false;
	end = token_match(&st->tokens, arguments_of(&st->tokens, call));
	return end > 0 && (end + 1 >= st->tokens.n || token_kind(&st->tokens, end + 1) == ';');
}

struct name object_of_call(const struct statement *st, const char *function)
{
	const struct tokens *ts = &st->tokens;
	const struct method method = method_of(function);
	int call = call_of(st, method.name), access = token_kind(ts, call - 1), from, end;

	if (!method.owner.len || call < 2 || (access != '.' && access != TOK_ARROW))
		return no_name;
	end = token_match(ts, arguments_of(ts, call));
	from = expression_before(ts, call - 2).from;
	if (end < 0 || from != skip_conditions(ts) || token_kind(ts, end + 1) != ';')
		return no_name;
	return expression_before(ts, call - 2);
}

static bool is_path_sign(int kind)
{
	switch (kind) {
	case TOK_NAME:
	case TOK_NUMBER:
	case TOK_ARROW:
	case TOK_SCOPE:
	case '.':
	case ',':
	case '(':
	case ')':
		return true;
	default:
		return false;
	}
}

/* Inside square brackets, any text is allowed. */
bool name_is_path(const struct tokens *ts, struct name n)
{
	if (!is_name(n) || token_kind(ts, n.from) != TOK_NAME)
		return false;
	for (int i = n.from; i <= n.to; i++) {
		int kind = token_kind(ts, i);

		if (kind == '[')
			i = token_match(ts, i);
		else if (kind == TOK_NAME && i > n.from && token_kind(ts, i - 1) == TOK_NAME)
			return false;
		else if (!is_path_sign(kind))
			return false;
		if (i < 0 || i > n.to)
			return false;
	}
	return true;
}

static bool set_text(struct holder *h, const char *before, const char *middle, const char *behind)
{
	struct holder to;
	int n = snprintf(to.text, sizeof(to.text), "%s%s%s", before, middle, behind);

	if (n < 0 || (size_t)n >= sizeof(to.text) || !find_base(&to))
		return false;
	*h = to;
	return true;
}

/* Replaces the parameter in h->text with "*argument", which the caller passed for it. `before` and
 * `behind` are the text around the parameter. Returns false if the result does not fit. */
static bool substitute_content(struct holder *h, const char *argument, const char *before,
			       const char *behind)
{
	char joined[HOLDER_MAX + 4];

	if (*behind == '.' && !*before) {
		snprintf(joined, sizeof(joined), "%s->", argument);
		return set_text(h, "", joined, behind + 1);
	}
	snprintf(joined, sizeof(joined), *behind ? "(*%s)" : "*%s", argument);
	return set_text(h, before, joined, behind);
}

/* Replaces the parameter in h->text with the caller's argument. `sign` is the '&' or '*' that the
 * caller wrote before it; 0 means none. Returns false if the result does not fit. */
static bool substitute_argument(struct holder *h, const char *argument, int sign)
{
	char before[HOLDER_MAX], behind[HOLDER_MAX];
	char joined[HOLDER_MAX + 2];

	snprintf(before, sizeof(before), "%.*s", (int)h->base, h->text);
	strcpy(behind, h->text + h->base + h->base_len);
	if (!sign)
		return set_text(h, before, argument, behind);
	if (sign == '*')
		return substitute_content(h, argument, before, behind);
	if (!strcmp(before, "*"))
		return set_text(h, "", argument, behind);
	if (strncmp(behind, "->", 2) == 0 && !*before) {
		snprintf(joined, sizeof(joined), "%s.", argument);
		return set_text(h, "", joined, behind + 2);
	}
	/* the caller passed the address of its variable, so (*p)->x becomes argument->x, and
	 * (*p)[i] becomes argument[i] */
	if (*behind == ')' && !strcmp(before, "(*"))
		return set_text(h, "", argument, behind + 1);
	snprintf(joined, sizeof(joined), "&%s", argument);
	return set_text(h, before, joined, behind);
}

/* Returns the opening bracket of the arguments with which the statement calls the function; -1 if
 * it does not call it. The name of a constructor may be the type in "Class variable(arguments)". */
static int call_arguments(const struct statement *st, const struct method *function)
{
	const struct tokens *ts = &st->tokens;
	const int call = call_of(st, function->name);

	if (call >= 0 || !is_constructor(function))
		return call < 0 ? -1 : arguments_of(ts, call);
	for (int i = 0; i < ts->n; i++) {
		int name = i + 1;

		if (!is_token(ts, i, function->name))
			continue;
		if (token_kind(ts, name) == '<')
			name = after_template(ts, name);
		if (name > 0 && token_kind(ts, name) == TOK_NAME && arguments_of(ts, name) >= 0)
			return arguments_of(ts, name);
	}
	return -1;
}

static bool by_parameter(struct holder *h, const struct holder_way *way, const struct statement *st)
{
	const struct tokens *ts = &st->tokens;
	int at = call_arguments(st, &way->callee) + 1;
	char text[HOLDER_MAX];
	struct name n;
	int sign;

	if (!at)
		return false;
	for (int number = 0; number < way->parameter; number++) {
		n = argument_from(ts, at);
		at = n.to + 2;
		if (token_kind(ts, at - 1) != ',')
			return false;
	}
	n = argument_from(ts, at);
	while (token_kind(ts, n.from) == '(' && token_match(ts, n.from) < n.to &&
	       token_match(ts, n.from) > 0) /* skips casts */
		n.from = token_match(ts, n.from) + 1;
	sign = token_kind(ts, n.from);
	if (sign == '&' || sign == '*')
		n.from++;
	else
		sign = 0;
	if (st->view->is_rust && sign == '&') {
		/* "&mut x" for a parameter that is a reference */
		n.from += token_in(ts, n.from, " mut ");
		sign = 0;
	}
	if (token_kind(ts, n.from) == '(' && token_match(ts, n.from) == n.to) {
		n.from++;
		n.to--;
	}
	return name_is_path(ts, n) && write_name(ts, n, text, sizeof(text)) &&
	       substitute_argument(h, text, sign);
}

static bool by_result(struct holder *h, const struct holder_way *way, const struct statement *st)
{
	int call = call_of(st, way->callee.name);
	struct name n = call < 0 ? assigned_in(&st->tokens) : assigned_to_call(&st->tokens, call);
	char text[HOLDER_MAX];
	struct holder member;

	if (call >= 0 && rust_member(&member, st, call))
		return set_text(h, member.text, "", h->text + h->base + h->base_len);
	if (!is_name(n) || !write_name(&st->tokens, n, text, sizeof(text)))
		return false;
	return set_text(h, text, "", h->text + h->base + h->base_len);
}

static bool read_prefix(struct holder *h, const struct tokens *ts, struct name owner,
			bool is_pointer)
{
	char text[HOLDER_MAX], rest[HOLDER_MAX];

	if (!name_is_path(ts, owner) || !write_name(ts, owner, text, sizeof(text)))
		return false;
	strcpy(rest, h->text);
	return set_text(h, text, is_pointer ? "->" : ".", rest);
}

/* For a statement in the list of initializers of a constructor: does the list name `class`? Then it
 * calls a constructor of a base class, or another constructor of the same class. Both set members
 * of the same object. Searches all entries, because compilers do not report reliably which entry
 * makes a call. */
static bool lists_class(const struct statement *st, struct word class)
{
	const struct function *f = st->function;

	for (uint32_t i = f->end + 1; i < f->body; i++) {
		const struct token *t = &st->view->tokens.at[i].t;
		int next = view_kind(st->view, i + 1);

		if (t->kind == TOK_NAME && t->len == class.len &&
		    !memcmp(t->s, class.s, class.len) &&
		    (next == '(' || next == '{' || next == '<'))
			return true;
	}
	return false;
}

/* Returns the position of the std::make_unique or std::make_shared by which the statement
 * constructs an object of this class, as in "make_unique<shapes::Derived>(n)"; -1 if there is none.
 */
static int made_by(const struct tokens *ts, struct word class)
{
	for (int i = 0; i < ts->n; i++) {
		int open = i - 1;

		if (!is_token(ts, i, class))
			continue;
		while (token_kind(ts, open) == TOK_SCOPE)
			open -= 2;
		if (token_kind(ts, open) == '<' &&
		    token_in(ts, open - 1, " make_unique make_shared "))
			return open - 1;
	}
	return -1;
}

/* The statement is an entry of a list of initializers, for which debug information reports a call
 * of the constructor way->callee. Does the call belong to a base class or member that the list does
 * not contain? Compilers report such a call at the end of the list's last entry. It is recognised
 * if the entry has arguments and the constructor has none, or if the entry is for a member whose
 * type has no constructor. */
static bool is_of_another(const struct holder_way *way, const struct statement *st)
{
	return (way->is_default && st->at > 2 && token_match(&st->tokens, 1) == st->at) ||
	       initializes_plain(st);
}

/* For a statement that calls a constructor: writes the constructed variable before the member in h,
 * so "start_" becomes "neighbours.start_". Returns false if that variable is unknown. */
static bool by_constructor(struct holder *h, const struct holder_way *way,
			   const struct statement *st)
{
	const struct tokens *ts = &st->tokens;
	struct name n = listed_member(st);
	int made = made_by(ts, way->callee.name);
	bool is_new = made >= 0;

	if (way->forwarded && made < 0)
		return false;
	if (is_name(n) && lists_class(st, way->callee.name))
		/* another constructor of the same object was called, so the name of the member
		 * stays the same */
		return true;
	if (is_name(n) && made < 0 && call_of(st, way->callee.name) < 0 && is_of_another(way, st))
		return false;
	if (!is_name(n)) {
		int call = made >= 0 ? made : call_of(st, way->callee.name);

		if (call >= 0) {
			is_new |= token_in(ts, call - 1, " new ");
			n = assigned_to_call(ts, call);
		}
		if (!is_name(n))
			n = declared_in(ts);
	}
	return read_prefix(h, ts, n, is_new);
}

/* Is the scope before the token "::" at i the class `name`, perhaps with template arguments? */
static bool scope_is(const struct tokens *ts, int i, struct word name)
{
	int depth = 0;

	while (--i >= 0) {
		const int kind = token_kind(ts, i);

		depth += (kind == '>') - (kind == '<');
		if (!depth && kind != '<')
			return is_token(ts, i, name);
		if (kind == ';')
			break;
	}
	return false;
}

static bool by_method(struct holder *h, const struct holder_way *way, const struct statement *st)
{
	const struct tokens *ts = &st->tokens;
	int call = call_of(st, way->callee.name);
	int access = token_kind(ts, call - 1);

	if (call < 0)
		return false;
	if (access == '.' || access == TOK_ARROW)
		return token_in(ts, call - 2, " this ") ||
		       read_prefix(h, ts, expression_before(ts, call - 2), access == TOK_ARROW);
	/* a call without a scope calls another method of the same object. So does a call with the
	 * method's class as scope, which is then a base class. In both cases the name stays the
	 * same */
	return access != TOK_SCOPE || scope_is(ts, call - 1, way->callee.owner);
}

bool holder_in_caller(struct holder *h, const struct holder_way *way, const struct statement *st)
{
	switch (way->path) {
	case HOLDER_RETURNED:
		return by_result(h, way, st);
	case HOLDER_PARAMETER:
		return by_parameter(h, way, st);
	case HOLDER_MEMBER:
		return is_constructor(&way->callee) ? by_constructor(h, way, st)
						    : by_method(h, way, st);
	case HOLDER_ENDS:
		break;
	}
	return false;
}
