/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Translates the expression to which a function assigns a block, so that it names the variables of
 * the function's caller (holder_in_caller()). */
#include <stdio.h>
#include <string.h>

#include "naming/declared.h"
#include "naming/holder.h"
#include "naming/member.h"
#include "naming/rust.h"

/* Replaces the parameter in h->text with "*argument", which the caller passed for it. `before` and
 * `behind` are the text around the parameter. Returns false if the result does not fit. */
static bool substitute_content(struct holder *h, const char *argument, const char *before,
			       const char *behind)
{
	char joined[HOLDER_MAX + 4];

	if (*behind == '.' && !*before) {
		snprintf(joined, sizeof(joined), "%s->", argument);
		return holder_set(h, "", joined, behind + 1);
	}
	snprintf(joined, sizeof(joined), *behind ? "(*%s)" : "*%s", argument);
	return holder_set(h, before, joined, behind);
}

/* Replaces a parameter, which points to the first of several elements, with the caller's argument
 * "&argument". `behind` begins with the subscript of an element: "&rows[k]" and "[i].x" become
 * "rows[k+i].x". */
static bool substitute_element(struct holder *h, const char *argument, const char *behind)
{
	const size_t len = strlen(argument), before = holder_before_subscript(argument);
	char joined[HOLDER_MAX + 1];

	if (!strncmp(behind, "[0]", 3))
		return holder_set(h, "", argument, behind + 3);
	if (!before)
		return holder_set(h, "&", argument, behind);
	if (!strncmp(behind, "[]", 2)) {
		snprintf(joined, sizeof(joined), "%.*s", (int)before, argument);
		return holder_set(h, joined, "", behind);
	}
	snprintf(joined, sizeof(joined), "%.*s+", (int)len - 1, argument);
	return holder_set(h, "", joined, behind + 1);
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
		return holder_set(h, before, argument, behind);
	if (sign == '*')
		return substitute_content(h, argument, before, behind);
	if (!strcmp(before, "*"))
		return holder_set(h, "", argument, behind);
	if (strncmp(behind, "->", 2) == 0 && !*before) {
		snprintf(joined, sizeof(joined), "%s.", argument);
		return holder_set(h, "", joined, behind + 2);
	}
	/* the caller passed the address of its variable, so (*p)->x becomes argument->x, and
	 * (*p)[i] becomes argument[i] */
	if (*behind == ')' && !strcmp(before, "(*"))
		return holder_set(h, "", argument, behind + 1);
	if (*behind == '[' && !*before)
		return substitute_element(h, argument, behind);
	snprintf(joined, sizeof(joined), "&%s", argument);
	return holder_set(h, before, joined, behind);
}

/* Returns the opening bracket of the arguments with which the statement calls the function; -1 if
 * it does not call it. The name of a constructor may be the type in "Class variable(arguments)". */
static int call_arguments(const struct statement *st, const struct method *function)
{
	const struct tokens *ts = &st->tokens;
	const int call = statement_call(st, function->name);

	if (call >= 0 || !is_constructor(function))
		return call < 0 ? -1 : call_open(ts, call);
	for (int i = 0; i < ts->n; i++) {
		int name = i + 1;

		if (!token_is_word(ts, i, function->name))
			continue;
		if (token_kind(ts, name) == '<')
			name = after_template(ts, name);
		if (name > 0 && token_kind(ts, name) == TOK_NAME && call_open(ts, name) >= 0)
			return call_open(ts, name);
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

/* Returns the position before token i and the scopes in front of it: of "new" for the Grid in "new
 * shapes::Grid(n)". */
static int before_scopes(const struct tokens *ts, int i)
{
	i--;
	while (token_kind(ts, i) == TOK_SCOPE)
		i -= 2;
	return i;
}

/* Is the result of the call at token i copied to a new object, as in "new Grid(make_grid(n))"? */
static bool is_copied_to_new(const struct tokens *ts, int i)
{
	return token_kind(ts, i - 1) == '(' && token_kind(ts, i - 2) == TOK_NAME &&
	       token_in(ts, before_scopes(ts, i - 2), " new ");
}

bool is_element_of(const struct holder *h, const struct statement *st)
{
	struct holder container;

	return holder_from(&container, &st->tokens, element_container(st)) &&
	       !strcmp(container.text, h->text);
}

/* Does the statement make the call for an element of the container n? */
static bool is_for_element(const struct statement *st, struct name n)
{
	const struct name container = element_container(st);

	return is_name(container) && container.from == n.from && container.to == n.to;
}

/* Does the statement only access something in the result of the call, as in "n = make(k).size()" or
 * "x = make(k)[0]"? Then it is not the result that is assigned. Methods such as release() return
 * what the result points to. */
static bool is_only_accessed(const struct statement *st, int call)
{
	const struct tokens *ts = &st->tokens;
	const int close = call < 0 ? -1 : token_match(ts, call_open(ts, call));
	const int next = close < 0 ? TOK_END : token_kind(ts, close + 1);

	if (st->view->is_rust)
		return false;
	return next == '[' || ((next == '.' || next == TOK_ARROW) &&
			       !token_in(ts, close + 2, " release get value lock data "));
}

/* Is the call the only value of a member in a constructor's list, as in "rows(make(n))"? */
static bool is_listed_value(const struct statement *st, int call)
{
	const struct tokens *ts = &st->tokens;
	const int close = call < 0 ? -1 : token_match(ts, call_open(ts, call));

	return close > 0 && before_scopes(ts, call) == 1 && token_match(ts, 1) == close + 1;
}

static bool by_result(struct holder *h, const struct holder_way *way, const struct statement *st)
{
	int call = statement_call(st, way->callee.name);
	struct name n = is_listed_value(st, call) ? listed_member(st)
			: call < 0                ? assigned_in(&st->tokens)
						  : assigned_to_call(&st->tokens, call);
	const char *behind = h->text + h->base + h->base_len;
	char text[HOLDER_MAX];
	struct holder member;

	if (call >= 0 && rust_member(&member, st, call))
		return holder_set(h, member.text, "", behind);
	if (is_only_accessed(st, call) || !is_name(n) ||
	    !write_name(&st->tokens, n, text, sizeof(text)))
		return false;
	if (*behind == '.' && is_copied_to_new(&st->tokens, call))
		return holder_set(h, text, "->", behind + 1);
	return holder_set(h, text, *behind && is_for_element(st, n) ? "[]" : "", behind);
}

/* Writes `owner` and the operator `access` before the member in h. */
static bool read_prefix(struct holder *h, const struct tokens *ts, struct name owner,
			const char *access)
{
	char text[HOLDER_MAX], rest[HOLDER_MAX];

	if (!name_is_path(ts, owner) || !write_name(ts, owner, text, sizeof(text)))
		return false;
	strcpy(rest, h->text + (strncmp(h->text, "this->", 6) == 0 ? 6 : 0));
	return holder_set(h, text, access, rest);
}

/* For a statement in the list of initializers of a constructor: has the list an entry for `class`?
 * It calls a constructor of a base class, or another constructor of the same class. Both set
 * members of the same object. Searches all entries, because compilers do not report reliably which
 * entry makes a call. The class may also be in the values of a member, as in "rows(new Rows(n))",
 * or in the template arguments of a base class: both are another object. */
static bool lists_class(const struct statement *st, struct word class)
{
	const struct function *f = st->function;
	const struct view *v = st->view;
	int template_depth = 0;

	for (int64_t i = f->end + 1; i < f->body; i++) {
		const int kind = view_kind(v, i), next = view_kind(v, i + 1);

		if ((kind == '(' || kind == '{') && v->tokens.at[i].partner > i)
			i = v->tokens.at[i].partner;
		else if (!template_depth && view_is_word(v, i, class) &&
			 (next == '(' || next == '{' || next == '<'))
			return true;
		template_depth += (kind == '<') - (kind == '>');
	}
	return false;
}

/* Does the entry of a constructor's list construct an object of this class for its member? Then it
 * is of this class, or `call`, where the entry calls the constructor, is inside its values. GCC
 * reports the calls of all base classes at the end of the list: there, it is unknown. */
static bool constructs_member(const struct statement *st, int call, struct word class)
{
	const struct tokens *ts = &st->tokens;
	int open = 0, close;

	while (open < ts->n && token_kind(ts, open) != '(' && token_kind(ts, open) != '{')
		open++;
	close = token_match(ts, open);
	if (st->at == close && token_kind(ts, close + 1) != ',')
		return false;
	return call > open || initializes_class(st, class);
}

/* Returns the position of the std::make_unique or std::make_shared by which the statement
 * constructs an object of this class, as in "make_unique<shapes::Derived>(n)"; -1 if there is none.
 */
static int made_by(const struct tokens *ts, struct word class)
{
	for (int i = 0; i < ts->n; i++) {
		const int open = before_scopes(ts, i);

		if (token_is_word(ts, i, class) && token_kind(ts, open) == '<' &&
		    token_in(ts, open - 1, " make_unique make_shared "))
			return open - 1;
	}
	return -1;
}

/* The statement is an entry of a list of initializers, for which debug information reports a call
 * of the constructor way->callee. Does the call belong to a base class or member that the list does
 * not contain? Compilers report such a call at the end of the list's last entry. It is recognised
 * if the entry has arguments and the constructor has none, or if the entry is for a member whose
 * type has no constructor. If it is unknown which class it is, it may. */
static bool is_of_another(const struct holder_way *way, const struct statement *st)
{
	return (way->is_default && st->at > 2 && token_match(&st->tokens, 1) == st->at) ||
	       initializes_plain(st) || ends_unknown_list(st);
}

/* The statement lets functions of the C++ library copy objects: writes the container before the
 * member in h. */
static bool by_container(struct holder *h, const struct holder_way *way, const struct statement *st)
{
	struct name n = listed_member(st);

	if (!is_name(n))
		n = assigned_in(&st->tokens);
	return read_prefix(h, &st->tokens, n, way->is_element ? "[]." : ".");
}

/* Returns the "=" of the assignment for which debug information reports a call: compilers report
 * the "=" itself or the last token of the assigned value. -1 means that there is none. */
static int assignment_sign(const struct statement *st)
{
	int i = st->at;

	while (i >= 0 &&
	       (token_kind(&st->tokens, i) != TOK_ASSIGN || token_at(&st->tokens, i)->len != 1))
		i--;
	return i;
}

/* For a statement that assigns an object: writes its left side before the member in h. */
static bool by_assignment(struct holder *h, const struct holder_way *way,
			  const struct statement *st)
{
	const struct tokens *ts = &st->tokens;
	const int sign = assignment_sign(st);
	struct name n = sign < 0 ? no_name : assigned_to_call(ts, sign + 1);
	const bool is_target = n.deref; /* "*p = …": the member is p->member */

	if (!is_name(n))
		return way->forwarded && by_container(h, way, st);
	n.deref = false;
	return token_in(ts, n.from, " this ") || read_prefix(h, ts, n, is_target ? "->" : ".");
}

/* For a statement that calls a constructor: writes the constructed variable before the member in h,
 * so "start_" becomes "neighbours.start_". Returns false if that variable is unknown. */
static bool by_constructor(struct holder *h, const struct holder_way *way,
			   const struct statement *st)
{
	const struct tokens *ts = &st->tokens;
	struct name n = listed_member(st);
	int made = made_by(ts, way->callee.name);
	int call = made >= 0 ? made : statement_call(st, way->callee.name);
	bool is_new = made >= 0;

	if (way->forwarded && made < 0)
		return by_container(h, way, st);
	if (is_name(n) && !constructs_member(st, call, way->callee.name) &&
	    lists_class(st, way->callee.name))
		/* another constructor of the same object was called, so the name of the member
		 * stays the same */
		return true;
	if (is_name(n) && call < 0 && is_of_another(way, st))
		return false;
	if (call >= 0)
		is_new |= token_in(ts, before_scopes(ts, call), " new ");
	if (!is_name(n) && call >= 0)
		n = assigned_to_call(ts, call);
	if (!is_name(n))
		n = declared_in(ts);
	if (call >= 0 && is_passed_on(ts, call, n) &&
	    !(is_new && declares_class(ts, n, way->callee.name)))
		return false;
	if (is_for_element(st, n))
		return read_prefix(h, ts, n, is_new ? "[]->" : "[].");
	if (!is_new && call > n.to && declares_container(ts, n, way->callee.name))
		return false;
	return read_prefix(h, ts, n, is_new ? "->" : ".");
}

/* Returns the "[" of the subscript for which debug information reports a call of operator[]: the
 * one that begins or ends at st->at, the only one of an expression that begins there, or the only
 * one; a negative number if it is unknown. */
static int called_subscript(const struct statement *st)
{
	const struct tokens *ts = &st->tokens;
	int only = -1, begun = -1;

	for (int i = 1; i < ts->n; i++) {
		const int before = token_kind(ts, i - 1);

		if (token_kind(ts, i) != '[' ||
		    (before != TOK_NAME && before != ')' && before != ']'))
			continue;
		if (i == st->at || token_match(ts, i) == st->at)
			return i;
		only = only == -1 ? i : -2;
		if (expression_before(ts, i - 1).from == st->at)
			begun = begun == -1 ? i : -2;
	}
	return begun >= 0 ? begun : only;
}

/* The statement calls operator[] of an object: writes the object before the member in h. */
static bool by_subscript(struct holder *h, const struct statement *st)
{
	const struct tokens *ts = &st->tokens;
	const int open = called_subscript(st);
	struct name n = open < 0 ? no_name : expression_before(ts, open - 1);

	if (!is_name(n))
		return false;
	if (token_kind(ts, n.from) != '(' || token_match(ts, n.from) != n.to ||
	    token_kind(ts, n.from + 1) != '*')
		return read_prefix(h, ts, n, ".");
	n = (struct name){ n.from + 2, n.to - 1, false }; /* "(*p)[i]" */
	return (n.from == n.to && token_in(ts, n.from, " this ")) || read_prefix(h, ts, n, "->");
}

/* Is the scope before the token "::" at i the class `name`, perhaps with template arguments? */
static bool scope_is(const struct tokens *ts, int i, struct word name)
{
	int depth = 0;

	while (--i >= 0) {
		const int kind = token_kind(ts, i);

		depth += (kind == '>') - (kind == '<');
		if (!depth && kind != '<')
			return token_is_word(ts, i, name);
		if (kind == ';')
			break;
	}
	return false;
}

static bool by_method(struct holder *h, const struct holder_way *way, const struct statement *st)
{
	const struct tokens *ts = &st->tokens;
	int call = statement_call(st, way->callee.name);
	int access = token_kind(ts, call - 1);

	if (is_assignment(&way->callee))
		return by_assignment(h, way, st);
	if (is_subscript(&way->callee))
		return by_subscript(h, st);
	if (call < 0)
		return false;
	if (access == '.' || access == TOK_ARROW)
		return token_in(ts, call - 2, " this ") ||
		       read_prefix(h, ts, expression_before(ts, call - 2),
				   access == TOK_ARROW ? "->" : ".");
	/* a call without a scope calls another method of the same object. So does a call with the
	 * method's class as scope, which is then a base class. In both cases the name stays the
	 * same */
	return access != TOK_SCOPE || scope_is(ts, call - 1, way->callee.owner);
}

/* Translates *h as holder_in_caller() does. */
static bool translate(struct holder *h, const struct holder_way *way, const struct statement *st)
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

bool holder_in_caller(struct holder *h, const struct holder_way *way, const struct statement *st)
{
	struct holder outside = *h;

	holder_drop_subscripts(&outside);
	if (!translate(&outside, way, st))
		return false;
	*h = outside;
	return true;
}
