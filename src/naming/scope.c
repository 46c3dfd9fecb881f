/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/index.h"

int view_kind(const struct view *v, int64_t i)
{
	return i >= 0 && i < v->tokens.n ? v->tokens.at[i].t.kind : TOK_END;
}

int64_t view_partner(const struct view *v, int64_t i)
{
	return i >= 0 && i < v->tokens.n ? v->tokens.at[i].partner : -1;
}

bool view_is(const struct view *v, int64_t i, const char *word)
{
	const struct token *t;

	if (view_kind(v, i) != TOK_NAME)
		return false;
	t = &v->tokens.at[i].t;
	return t->len == strlen(word) && memcmp(t->s, word, t->len) == 0;
}

bool view_is_any(const struct view *v, int64_t i, const char *const *words, size_t n)
{
	for (size_t w = 0; w < n; w++)
		if (view_is(v, i, words[w]))
			return true;
	return false;
}

static bool filter_tokens(struct view *v, const struct scan *s)
{
	for (uint32_t i = 0; i < s->tokens.n; i++) {
		const struct scan_token *t = &s->tokens.at[i];

		if (!scan_sees(s, v->branch, t->branch))
			continue;
		if (!VEC_ROOM(&v->tokens))
			return false;
		v->tokens.at[v->tokens.n++] = (struct view_token){ t->t, t->line, t->column, -1 };
	}
	return true;
}

static int opening_of(int kind)
{
	return kind == ')' ? '(' : kind == ']' ? '[' : '{';
}

/* Sets view_token.partner of each bracket. A bracket that is not closed before the brace around it
 * has no partner. Returns false when out of memory. */
static bool pair_brackets(struct view *v)
{
	struct {
		uint32_t *at;
		uint32_t n, cap;
	} open = { 0 };
	bool ok = true;

	for (uint32_t i = 0; i < v->tokens.n; i++) {
		int kind = view_kind(v, i);
		uint32_t top;

		if (kind == '(' || kind == '[' || kind == '{') {
			ok = VEC_ROOM(&open);
			if (!ok)
				break;
			open.at[open.n++] = i;
		} else if (kind == ')' || kind == ']' || kind == '}') {
			while (kind == '}' && open.n && view_kind(v, open.at[open.n - 1]) != '{')
				open.n--;
			if (!open.n || view_kind(v, open.at[open.n - 1]) != opening_of(kind))
				continue;
			top = open.at[--open.n];
			v->tokens.at[top].partner = (int32_t)i;
			v->tokens.at[i].partner = (int32_t)top;
		} else if (kind == ';' && v->is_rust && open.n &&
			   view_kind(v, open.at[open.n - 1]) == '[') {
			v->tokens.at[i].t.kind =
				','; /* "[value; number]" is not the end of a statement */
		}
	}
	free(open.at);
	return ok;
}

/* Names that may come before a bracket in a function's declaration, although none of them is the
 * function's name. */
static const char *const attributes[] = { "__attribute__", "__attribute", "__declspec",
					  "alignas",       "noexcept",    "decltype",
					  "requires",      "__asm__",     "throw" };

/* Can token i follow the parameters of a function, before its body? */
static bool follows_parameters(const struct view *v, int64_t i)
{
	static const char *const words[] = { "const", "volatile", "override",
					     "final", "try",      "where" };

	return view_kind(v, i) != TOK_NAME || view_is_any(v, i, words, COUNT_OF(words));
}

/* Do the tokens [from, to), which come before a brace, declare a namespace or a class? If so, what
 * looks like a function's head is a macro call without ";" before the declaration, as in
 * "NO_WARNINGS(x) BEGIN namespace n". Tokens after "->" are a result type and are not examined. */
static bool begins_scope(const struct view *v, int64_t from, int64_t to)
{
	static const char *const words[] = { "namespace", "class", "struct", "union", "extern" };

	for (int64_t i = from; i < to && view_kind(v, i) != TOK_ARROW; i++)
		if (view_is_any(v, i, words, COUNT_OF(words)))
			return true;
	return false;
}

/* Returns the last round bracket of the tokens [from, body) that comes after a name with a type
 * before it, as in "MAKE(b) static int f(int n) {"; -1 if there is none. An earlier bracket belongs
 * to a macro call without ";". */
static int64_t last_declared(const struct view *v, int64_t from, int64_t body)
{
	static const char *const words[] = { "const", "volatile", "override",
					     "final", "noexcept", "try" };
	int64_t last = -1;

	for (int64_t i = from; i < body; i++) {
		const int kind = view_kind(v, i), type = view_kind(v, i - 2);

		if (kind == '(' && view_kind(v, i - 1) == TOK_NAME &&
		    !view_is_any(v, i - 1, attributes, COUNT_OF(attributes)) &&
		    (type == '*' ||
		     (type == TOK_NAME && !view_is_any(v, i - 2, words, COUNT_OF(words)))))
			last = i;
		if ((kind == '(' || kind == '[' || kind == '{') && view_partner(v, i) > i)
			i = view_partner(v, i);
	}
	return last;
}

/* In a declaration that starts at token *head, returns the opening bracket of the parameters: the
 * first bracket after a name, outside attributes. -1 means that it is not a function. `body` is
 * where its body would begin. If a macro call without ";" comes before the declaration, such as
 * "KHASH_INIT(names)", moves *head to the token after the call. */
static int64_t parameters_of(const struct view *v, int64_t *head, int64_t body)
{
	const int64_t last = last_declared(v, *head, body);
	int64_t found = -1;

	for (int64_t i = *head; i < body; i++) {
		int kind = view_kind(v, i);

		if (kind == TOK_ASSIGN && !view_is(v, i - 1, "operator"))
			return -1;
		if (kind != '(' && kind != '[' && kind != '{')
			continue;
		if (view_partner(v, i) < 0 || view_partner(v, i) >= body)
			return -1;
		if (kind == '(' && i > *head &&
		    !view_is_any(v, i - 1, attributes, COUNT_OF(attributes)) &&
		    (view_kind(v, i - 1) == TOK_NAME || view_is(v, i - 2, "operator") ||
		     view_kind(v, i - 1) == '>' ||
		     (view_kind(v, i - 1) == ']' && view_is(v, i - 3, "operator")))) {
			if (found >= 0 && i - 1 == view_partner(v, found) + 1 &&
			    (found - 1 > *head || last < i))
				return found; /* an annotation after the parameters */
			if (found >= 0)
				*head = view_partner(v, found) + 1;
			found = i;
			if (follows_parameters(v, view_partner(v, i) + 1))
				return found;
		}
		i = view_partner(v, i);
	}
	return found >= 0 && begins_scope(v, view_partner(v, found) + 1, body) ? -1 : found;
}

/* Does the brace at `body` begin a member's initial value in a constructor's list, as in "A() :
 * x{1} {", and not the constructor's body? Then another brace or a comma follows it. */
static bool is_member_brace(const struct view *v, int64_t end, int64_t body)
{
	int64_t behind = view_partner(v, body) + 1;
	int before = view_kind(v, body - 1);

	if (behind <= 0 || (before != TOK_NAME && before != '>'))
		return false;
	for (int64_t i = end + 1; i < body; i++)
		if (view_kind(v, i) == ':')
			return view_kind(v, behind) == ',' || view_kind(v, behind) == '{';
	return false;
}

/* Returns the position after one or several "template <…>" at token i; i if there are none. */
static int64_t skip_template(const struct view *v, int64_t i)
{
	while (view_is(v, i, "template") && view_kind(v, i + 1) == '<') {
		int depth = 0;

		for (i++; i < v->tokens.n; i++) {
			depth += (view_kind(v, i) == '<') - (view_kind(v, i) == '>');
			if (!depth || view_kind(v, i) == ';' || view_kind(v, i) == '{')
				break;
		}
		i++;
	}
	return i;
}

/* Can the block at `brace` contain functions, as a class or a namespace does? Its declaration
 * starts at token `head`. */
static bool is_transparent(const struct view *v, int64_t head, int64_t brace)
{
	static const char *const words[] = { "namespace",     "class", "struct", "union", "extern",
					     "__extension__", "impl",  "trait",  "mod" };

	for (int64_t i = skip_template(v, head); i < brace; i = skip_template(v, i + 1)) {
		if (view_is_any(v, i, words, COUNT_OF(words)))
			return true;
		if (view_kind(v, i) == TOK_ASSIGN)
			return false;
	}
	return false;
}

static bool add_function(struct view *v, int64_t head, int64_t parameters, int64_t body)
{
	if (!VEC_ROOM(&v->functions))
		return false;
	v->functions.at[v->functions.n++] = (struct function){
		(uint32_t)head,
		(uint32_t)parameters,
		(uint32_t)view_partner(v, parameters),
		(uint32_t)body,
		(uint32_t)view_partner(v, body),
	};
	return true;
}

static bool find_functions(struct view *v)
{
	int64_t head = 0;

	for (int64_t i = 0; i < v->tokens.n; i++) {
		int kind = view_kind(v, i);
		int64_t parameters, declared;

		if (kind == ';' || kind == '}' ||
		    (kind == ':' && (view_is(v, i - 1, "public") || view_is(v, i - 1, "private") ||
				     view_is(v, i - 1, "protected"))))
			head = i + 1;
		if ((kind == '(' || kind == '[') && view_partner(v, i) > i)
			i = view_partner(v, i);
		if (kind != '{')
			continue;
		declared = skip_template(v, head);
		parameters = parameters_of(v, &declared, i);
		if (declared > skip_template(v, head))
			head = declared;
		if (parameters >= 0 && is_member_brace(v, view_partner(v, parameters), i)) {
			i = view_partner(v, i);
			continue;
		}
		if (parameters >= 0 && view_partner(v, i) > i) {
			if (!add_function(v, head, parameters, i))
				return false;
			i = view_partner(v, i);
		} else if (parameters < 0 && !is_transparent(v, declared, i) &&
			   view_partner(v, i) > i) {
			i = view_partner(v, i);
			if (view_kind(v, i + 1) == ';')
				i++;
		}
		head = i + 1;
	}
	return true;
}

bool view_make(struct view *v, const struct scan *s, uint32_t branch)
{
	*v = (struct view){ .branch = branch, .is_rust = s->is_rust };
	return filter_tokens(v, s) && pair_brackets(v) && find_functions(v);
}

void view_release(struct view *v)
{
	free(v->tokens.at);
	free(v->functions.at);
	*v = (struct view){ 0 };
}

int64_t view_at(const struct view *v, uint32_t line, uint32_t column)
{
	uint32_t lo = VEC_LOWER_BOUND(&v->tokens, line, line);

	if (lo == v->tokens.n || v->tokens.at[lo].line != line)
		return -1;
	while (column && lo + 1 < v->tokens.n && v->tokens.at[lo + 1].line == line &&
	       v->tokens.at[lo + 1].column <= column)
		lo++;
	if (column > v->tokens.at[lo].column + v->tokens.at[lo].t.len)
		return -1;
	return lo;
}

const struct function *view_function(const struct view *v, int64_t i)
{
	uint32_t lo = VEC_LOWER_BOUND(&v->functions, close, i);

	return lo < v->functions.n && v->functions.at[lo].head <= i ? &v->functions.at[lo] : NULL;
}

int64_t view_before_template(const struct view *v, int64_t i)
{
	int depth = 0;

	if (view_kind(v, i) != '>')
		return i;
	for (; view_kind(v, i) != TOK_END && view_kind(v, i) != ';'; i--) {
		depth += (view_kind(v, i) == '>') - (view_kind(v, i) == '<');
		if (!depth)
			return i - 1;
	}
	return -1;
}
