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

const char *scoped_member(const struct holder *h)
{
	const char *s = h->text, *member = NULL;

	for (;;) {
		while (is_name_char(*s))
			s++;
		if (s == h->text || strncmp(s, "::", 2) != 0)
			return member;
		s += 2;
		member = s;
	}
}

void holder_drop_scopes(struct holder *h)
{
	const char *member = scoped_member(h);

	if (!member)
		return;
	memmove(h->text, member, strlen(member) + 1);
	find_base(h);
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

/* Replaces the name of a function of C by the one that its definition has, which contains the
 * statement. It is shorter if a macro puts a prefix before it. */
static void use_written_name(struct method *m, const struct statement *st)
{
	const struct token *t = &st->view->tokens.at[st->function->parameters - 1].t;
	const struct word written = { t->s, t->len };

	if (t->kind == TOK_NAME && is_name_of(m->name, written))
		m->name = written;
}

struct holder_way holder_way(const struct holder *h, const struct statement *st,
			     const char *function)
{
	struct holder_way way = { .path = HOLDER_ENDS, .callee = method_of(function) };
	const char *behind = h->text + h->base + h->base_len;
	const size_t len = function ? strlen(function) : 0;
	bool is_reference;

	if (st->function && !way.callee.owner.len)
		use_written_name(&way.callee, st);
	way.is_default = len > 2 && !strcmp(function + len - 2, "()");
	if (strncmp(behind, "::", 2) == 0)
		return way;
	if (!st->function) { /* a value in the definition of a class, or a generated copy */
		way.path = is_constructor(&way.callee) || is_assignment(&way.callee) ? HOLDER_MEMBER
										     : HOLDER_ENDS;
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

bool holder_begins_at(const struct view *v, int64_t i, const struct holder *h)
{
	return view_is_word(v, i, (struct word){ h->text, h->base_len });
}

bool token_is_word(const struct tokens *ts, int i, struct word w)
{
	const struct token *t = token_at(ts, i);

	return t->kind == TOK_NAME && t->len == w.len && memcmp(t->s, w.s, w.len) == 0;
}

int call_open(const struct tokens *ts, int i)
{
	int open = i + 1;

	if (token_kind(ts, open) == '<')
		open = after_template(ts, open);
	return open > 0 && (token_kind(ts, open) == '(' || token_kind(ts, open) == '{') ? open : -1;
}

int statement_call(const struct statement *st, struct word function)
{
	int best = -1;

	for (int i = 0; i < st->tokens.n; i++)
		if (token_is_word(&st->tokens, i, function) && call_open(&st->tokens, i) >= 0 &&
		    (best < 0 || i <= st->at))
			best = i;
	return best;
}

bool statement_calls(const struct statement *st, const struct method *function)
{
	return statement_call(st, function->name) >= 0;
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
	int call = statement_call(st, function->name), end;

	if (call != skip_conditions(&st->tokens))
		return false;
	end = token_match(&st->tokens, call_open(&st->tokens, call));
	return end > 0 && (end + 1 >= st->tokens.n || token_kind(&st->tokens, end + 1) == ';');
}

struct name object_of_call(const struct statement *st, const char *function)
{
	const struct tokens *ts = &st->tokens;
	const struct method method = method_of(function);
	int call = statement_call(st, method.name), access = token_kind(ts, call - 1), from, end;

	if (!method.owner.len || call < 2 || (access != '.' && access != TOK_ARROW))
		return no_name;
	end = token_match(ts, call_open(ts, call));
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

bool holder_set(struct holder *h, const char *before, const char *middle, const char *behind)
{
	struct holder to;
	int n = snprintf(to.text, sizeof(to.text), "%s%s%s", before, middle, behind);

	if (n < 0 || (size_t)n >= sizeof(to.text) || !find_base(&to))
		return false;
	*h = to;
	return true;
}

void holder_drop_subscripts(struct holder *h)
{
	const char *from = h->text + h->base + h->base_len;
	char *to = h->text + h->base + h->base_len;

	while (*from) {
		int depth = 1;

		*to++ = *from;
		if (*from++ != '[' || from[strspn(from, "0123456789")] == ']')
			continue;
		for (; *from && (depth += (*from == '[') - (*from == ']')); from++)
			;
	}
	*to = '\0';
}

size_t holder_before_subscript(const char *text)
{
	size_t i = strlen(text);
	int depth = 0;

	while (i-- > 0) {
		depth += (text[i] == ']') - (text[i] == '[');
		if (depth <= 0)
			return text[i] == '[' ? i : 0;
	}
	return 0;
}
