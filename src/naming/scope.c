/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/index.h"
#include "naming/rust.h"

/* how many tokens a statement is searched for its start or end, and how many braces in a row */
enum { MAX_STATEMENT = 2000, MAX_NESTED = 64 };

int view_kind(const struct view *v, int64_t i)
{
	return i >= 0 && i < v->tokens.n ? v->tokens.at[i].t.kind : TOK_END;
}

static int64_t partner_of(const struct view *v, int64_t i)
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

static bool view_is_any(const struct view *v, int64_t i, const char *const *words, size_t n)
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
		if ((kind == '(' || kind == '[' || kind == '{') && partner_of(v, i) > i)
			i = partner_of(v, i);
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
		if (partner_of(v, i) < 0 || partner_of(v, i) >= body)
			return -1;
		if (kind == '(' && i > *head &&
		    !view_is_any(v, i - 1, attributes, COUNT_OF(attributes)) &&
		    (view_kind(v, i - 1) == TOK_NAME || view_is(v, i - 2, "operator") ||
		     view_kind(v, i - 1) == '>' ||
		     (view_kind(v, i - 1) == ']' && view_is(v, i - 3, "operator")))) {
			if (found >= 0 && i - 1 == partner_of(v, found) + 1 &&
			    (found - 1 > *head || last < i))
				return found; /* an annotation after the parameters */
			if (found >= 0)
				*head = partner_of(v, found) + 1;
			found = i;
			if (follows_parameters(v, partner_of(v, i) + 1))
				return found;
		}
		i = partner_of(v, i);
	}
	return found >= 0 && begins_scope(v, partner_of(v, found) + 1, body) ? -1 : found;
}

/* Does the brace at `body` begin a member's initial value in a constructor's list, as in "A() :
 * x{1} {", and not the constructor's body? Then another brace or a comma follows it. */
static bool is_member_brace(const struct view *v, int64_t end, int64_t body)
{
	int64_t behind = partner_of(v, body) + 1;
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
		(uint32_t)head, (uint32_t)parameters,          (uint32_t)partner_of(v, parameters),
		(uint32_t)body, (uint32_t)partner_of(v, body),
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
		if ((kind == '(' || kind == '[') && partner_of(v, i) > i)
			i = partner_of(v, i);
		if (kind != '{')
			continue;
		declared = skip_template(v, head);
		parameters = parameters_of(v, &declared, i);
		if (declared > skip_template(v, head))
			head = declared;
		if (parameters >= 0 && is_member_brace(v, partner_of(v, parameters), i)) {
			i = partner_of(v, i);
			continue;
		}
		if (parameters >= 0 && partner_of(v, i) > i) {
			if (!add_function(v, head, parameters, i))
				return false;
			i = partner_of(v, i);
		} else if (parameters < 0 && !is_transparent(v, declared, i) &&
			   partner_of(v, i) > i) {
			i = partner_of(v, i);
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
		int64_t other = partner_of(v, i - 1);

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
		    (kind == '}' && (partner_of(v, i) < 0 || opens_block(v, partner_of(v, i)))))
			return i;
		if ((kind == '(' || kind == '[' || kind == '{') && partner_of(v, i) > i)
			i = partner_of(v, i);
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
		if ((kind == '(' || kind == '[' || kind == '{') && partner_of(v, j) > j) {
			j = partner_of(v, j);
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
		i = partner_of(v, i) - 1;
	if (view_kind(v, i) != ']' || partner_of(v, i) < 0)
		return -1;
	i = partner_of(v, i);
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

		if (view_kind(v, close) == '}' && partner_of(v, close) > 0)
			lambda = lambda_of_body(v, partner_of(v, close));
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
