/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/expanded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "naming/calls.h"
#include "naming/function.h"
#include "naming/macro.h"
#include "naming/member.h"

/* Limits. MAX_TOKENS: number of tokens of an expanded macro. MAX_NESTED: depth of macros that use
 * other macros. MAX_ARGUMENTS: number of arguments of one macro. MAX_LINES: number of lines of one
 * definition. */
enum { MAX_TOKENS = 50000, MAX_NESTED = 6, MAX_ARGUMENTS = 16, MAX_LINES = 1000 };

struct list {
	struct token *at;
	uint32_t n, cap;
};

/* The expansion of one macro call. */
struct expansion {
	const struct statement *st; /* the macro call */
	bool failed;                /* out of memory, or too large */
};

static void put(struct expansion *x, struct list *l, const struct token *t)
{
	x->failed |= l->n == MAX_TOKENS || !VEC_ROOM(l);
	if (!x->failed)
		l->at[l->n++] = *t;
}

static int kind_at(const struct list *l, uint32_t i)
{
	return i < l->n ? l->at[i].kind : TOK_END;
}

/* Returns the position after the bracket that opens at token i; 0 if it is not closed. */
static uint32_t after_bracket(const struct list *l, uint32_t i)
{
	int depth = 0;

	for (; i < l->n; i++) {
		depth += kind_at(l, i) == '(';
		depth -= kind_at(l, i) == ')';
		if (!depth)
			return i + 1;
	}
	return 0;
}

struct range {
	uint32_t from, to; /* the tokens from `from` to `to` - 1 */
};

/* Splits the arguments in the brackets that open at token `open`. Returns their number. */
static unsigned split_arguments(const struct list *l, uint32_t open, struct range *out)
{
	const uint32_t end = after_bracket(l, open);
	uint32_t from = open + 1;
	unsigned n = 0;
	int depth = 0;

	for (uint32_t i = from; i < end && n < MAX_ARGUMENTS; i++) {
		const int kind = kind_at(l, i);

		if (i + 1 == end || (kind == ',' && !depth)) {
			out[n++] = (struct range){ from, i };
			from = i + 1;
		}
		depth += kind == '(';
		depth -= kind == ')';
	}
	return n;
}

/* Reads the definition of a macro, from its parameters on. */
static void read_definition(struct expansion *x, const char *path, uint32_t line,
			    const struct token *name, struct list *out)
{
	char word[256];
	const char *text = source_line(x->st->sources, path, line, x->st->not_after);
	struct tokens part;

	snprintf(word, sizeof(word), "%.*s", (int)name->len, name->s);
	text = text ? strstr(text, word) : NULL;
	for (int n = 0; text && n < MAX_LINES; n++) {
		const size_t len = strlen(text);
		const bool more = len && text[len - 1] == '\\';

		tokens_read(&part, n ? text : text + strlen(word));
		part.n -= more && part.n && part.t[part.n - 1].kind == '\\';
		for (int i = 0; i < part.n; i++)
			put(x, out, &part.t[i]);
		text = more ? source_line(x->st->sources, path, ++line, x->st->not_after) : NULL;
	}
}

static bool is_equal(const struct token *a, const struct token *b)
{
	return a->kind == b->kind && a->len == b->len && !memcmp(a->s, b->s, a->len);
}

/* Appends t, joined to the last token of the list. */
static void put_joined(struct expansion *x, struct list *out, const struct token *t)
{
	struct token *last = &out->at[out->n - 1];

	last->s = source_join(x->st->sources, last, t);
	last->len += t->len;
	x->failed |= !last->s;
}

/* A macro call: the macro's definition, and the tokens that contain the arguments. */
struct call {
	const struct list *definition, *tokens;
	struct range parameters[MAX_ARGUMENTS], arguments[MAX_ARGUMENTS];
	unsigned nparameters, narguments;
};

/* Appends token i of the definition, or the argument for it. */
static void put_replaced(struct expansion *x, const struct call *c, uint32_t i, bool joined,
			 struct list *out)
{
	const struct token *t = &c->definition->at[i];
	struct range r = { i, i + 1 };
	const struct list *from = c->definition;

	for (unsigned p = 0; p < c->nparameters; p++)
		if (t->kind == TOK_NAME && is_equal(t, &c->definition->at[c->parameters[p].from])) {
			r = c->arguments[p];
			from = c->tokens;
		}
	for (uint32_t k = r.from; k < r.to; k++, joined = false)
		if (joined && out->n)
			put_joined(x, out, &from->at[k]);
		else
			put(x, out, &from->at[k]);
}

static bool is_paste(const struct list *l, uint32_t i)
{
	return kind_at(l, i) == '#' && kind_at(l, i + 1) == '#';
}

/* Appends the definition of a macro with the arguments in place of the parameters. */
static void put_definition(struct expansion *x, const struct call *c, struct list *out)
{
	const struct list *d = c->definition;
	bool joined = false;

	for (uint32_t i = after_bracket(d, 0); i < d->n && !x->failed; i++) {
		if (is_paste(d, i)) {
			joined = true;
			i++;
			continue;
		}
		put_replaced(x, c, i, joined, out);
		joined = false;
	}
}

/* Appends the expansion of the macro call at token i, whose arguments follow. Returns the position
 * after the call; i if it is not the call of a known macro. */
static uint32_t put_call(struct expansion *x, const struct list *tokens, uint32_t i,
			 struct list *out)
{
	struct list definition = { 0 };
	struct call c = { &definition, tokens, .nparameters = 0 };
	char path[512];
	uint32_t line, end = i;

	if (kind_at(tokens, i) != TOK_NAME || kind_at(tokens, i + 1) != '(' ||
	    !macro_find(x->st, &tokens->at[i], path, sizeof(path), &line))
		return i;
	read_definition(x, path, line, &tokens->at[i], &definition);
	if (kind_at(&definition, 0) == '(') {
		c.nparameters = split_arguments(&definition, 0, c.parameters);
		c.narguments = split_arguments(tokens, i + 1, c.arguments);
	}
	if (c.nparameters && c.nparameters == c.narguments) {
		put_definition(x, &c, out);
		end = after_bracket(tokens, i + 1);
	}
	free(definition.at);
	return end;
}

/* Expands the macros in *tokens that are outside all braces. */
static void expand_outside(struct expansion *x, struct list *tokens)
{
	struct list out = { 0 };
	int depth = 0;

	for (uint32_t i = 0, end; i < tokens->n && !x->failed; i = end > i ? end : i + 1) {
		const int kind = kind_at(tokens, i);

		depth += kind == '{';
		depth -= kind == '}';
		end = depth ? i : put_call(x, tokens, i, &out);
		if (end == i)
			put(x, &out, &tokens->at[i]);
	}
	free(tokens->at);
	*tokens = out;
}

/* Returns the tokens as a text; NULL when out of memory. The caller frees it. */
static char *text_of(const struct list *tokens)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (uint32_t i = 0; i < tokens->n; i++)
		fprintf(f, "%.*s ", (int)tokens->at[i].len, tokens->at[i].s);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

/* Writes the expanded macro into the source file `name`, which exists only in memory. */
static bool expand(const struct statement *st, const char *name)
{
	struct expansion x = { .st = st };
	struct list tokens = { 0 };
	uint32_t n;
	char *text;

	for (int64_t i = st->place; i <= st->view->tokens.at[st->place + 1].partner; i++)
		put(&x, &tokens, &st->view->tokens.at[i].t);
	for (int depth = 0; depth < MAX_NESTED && !x.failed; depth++) {
		n = tokens.n;
		expand_outside(&x, &tokens);
		if (tokens.n == n)
			break;
	}
	text = x.failed ? NULL : text_of(&tokens);
	free(tokens.at);
	return text && source_add(st->sources, name, text);
}

bool is_expanded(const struct statement *st)
{
	char path[512];
	uint32_t line;

	/* a macro call without ";" looks like a part of the head of the next function */
	return (!st->function || is_in_head(st)) && !st->view->is_rust &&
	       view_kind(st->view, st->place) == TOK_NAME &&
	       view_kind(st->view, st->place + 1) == '(' &&
	       st->view->tokens.at[st->place + 1].partner > st->place &&
	       macro_find(st, &st->view->tokens.at[st->place].t, path, sizeof(path), &line);
}

/* Returns the function of this name; NULL if there is none. */
static const struct function *find_function(const struct view *v, struct word name)
{
	for (uint32_t i = 0; i < v->functions.n; i++)
		if (view_is_word(v, (int64_t)v->functions.at[i].parameters - 1, name))
			return &v->functions.at[i];
	return NULL;
}

/* Does token i of the file call the function `callee` or, with an empty word, an allocator? */
static bool is_call(const struct view *v, int64_t i, struct word callee)
{
	struct tokens ts;
	int at;

	if (view_kind(v, i) != TOK_NAME || view_kind(v, i + 1) != '(')
		return false;
	return callee.len ? view_is_word(v, i, callee)
			  : view_statement(v, i, &ts, &at) && is_allocating_call(&ts, at);
}

/* Is "if (0)" before token i? */
static bool follows_never(const struct view *v, int64_t i)
{
	const struct token *zero = i > 1 ? &v->tokens.at[i - 2].t : NULL;

	return zero && view_kind(v, i - 1) == ')' && zero->len == 1 && *zero->s == '0' &&
	       view_kind(v, i - 3) == '(' && view_is(v, i - 4, "if");
}

/* Is token i of the function in a statement, or in a block, that "if (0)" switches off? The macro's
 * argument may be that 0. */
static bool is_dead(const struct view *v, const struct function *f, int64_t i)
{
	bool in_statement = true;

	for (; i > f->body; i--) {
		const int kind = view_kind(v, i);
		const bool opens = kind == '{' && v->tokens.at[i].partner > i;

		if ((opens || in_statement) && follows_never(v, i))
			return true;
		if (kind == '}' && v->tokens.at[i].partner >= 0)
			i = v->tokens.at[i].partner;
		in_statement &= kind != ';' && kind != '}' && kind != '{';
	}
	return false;
}

/* Returns call number `number` in the function; -1 if there are not so many. */
static int64_t find_call(const struct view *v, const struct function *f, struct word callee,
			 unsigned number)
{
	for (int64_t i = f->body, end = search_end(f, i); i < end; i++)
		if (is_call(v, i, callee) && !is_dead(v, f, i) && !number--)
			return i;
	return -1;
}

bool expanded_statement(const struct statement *st, const char *function, const char *callee,
			unsigned number, struct statement *out)
{
	const struct word none = { "", 0 };
	struct word called = callee ? method_of(callee).name : none;
	const struct function *f;
	const struct view *v;
	char name[512];

	if (!function || (size_t)snprintf(name, sizeof(name), "%s:%u: expanded", st->path,
					  st->view->tokens.at[st->place].line) >= sizeof(name))
		return false;
	if (!source_line(st->sources, name, 1, 0) && !expand(st, name))
		return false;
	v = source_view(st->sources, name, 1, 0);
	f = v ? find_function(v, method_of(function).name) : NULL;
	if (!f)
		return false;
	if (find_call(v, f, called, 0) < 0)
		called = none;
	*out = *st;
	out->view = v;
	out->function = f;
	out->place = find_call(v, f, called, number);
	return out->place >= 0 && view_statement(v, out->place, &out->tokens, &out->at);
}
