/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/macro_body.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "naming/assign.h"
#include "naming/holder.h"

/* Limits. MAX_TOKENS: number of tokens of a list. MAX_ARGUMENTS: number of arguments of one macro
 * call. MAX_LINES: number of lines of one definition. */
enum { MAX_TOKENS = 50000, MAX_ARGUMENTS = 16, MAX_LINES = 1000 };

void token_list_add(struct token_list *l, const struct token *t)
{
	l->failed |= l->n == MAX_TOKENS || !VEC_ROOM(l);
	if (!l->failed)
		l->at[l->n++] = *t;
}

static int kind_at(const struct token_list *l, int i)
{
	return i >= 0 && i < (int)l->n ? l->at[i].kind : TOK_END;
}

/* Reads the lines of a definition, from `text` on, which is in this line. */
static void read_lines(struct sources *s, const char *path, uint32_t line, int64_t not_after,
		       const char *text, struct token_list *out)
{
	struct tokens part;

	for (int n = 0; text && n < MAX_LINES; n++) {
		const size_t len = strlen(text);
		const bool more = len && text[len - 1] == '\\';

		tokens_read(&part, text);
		part.n -= more && part.n && part.t[part.n - 1].kind == '\\';
		for (int i = 0; i < part.n; i++)
			token_list_add(out, &part.t[i]);
		text = more ? source_line(s, path, ++line, not_after) : NULL;
	}
}

bool macro_definition(struct sources *s, const char *path, uint32_t line, int64_t not_after,
		      const struct token *name, struct macro_definition *d)
{
	const char *text = source_line(s, path, line, not_after);
	bool is_plain = false;

	text = text ? strstr(text, "define") : NULL;
	text = text ? memmem(text + 6, strlen(text + 6), name->s, name->len) : NULL;
	*d = (struct macro_definition){ .body = 0 };
	if (text) {
		is_plain = text[name->len] != '(';
		read_lines(s, path, line, not_after, text + name->len, &d->tokens);
	}
	if (!is_plain && kind_at(&d->tokens, 0) == '(')
		d->body = token_partner(d->tokens.at, (int)d->tokens.n, 0) + 1;
	if ((d->body > 0 || is_plain) && !d->tokens.failed)
		return true;
	free(d->tokens.at);
	return false;
}

/* Tokens from `from` to `to` - 1. */
struct range {
	int from, to;
};

/* A macro call in tokens `ts`. */
struct call {
	const struct macro_definition *d;
	const struct token *ts;
	struct range arguments[MAX_ARGUMENTS];
	int n;
	int end; /* the closing bracket */
};

/* Splits the arguments in the brackets that open at token `open`, as the preprocessor does: only
 * round brackets count, and an argument may contain one brace of a pair. Returns false if the
 * brackets do not end. */
static bool read_arguments(struct call *c, int n, int open)
{
	int from = open + 1, depth = 0;

	for (int i = open; i < n; i++) {
		const int kind = c->ts[i].kind;

		depth += kind == '(';
		depth -= kind == ')';
		if (c->n < MAX_ARGUMENTS && (!depth || (kind == ',' && depth == 1))) {
			c->arguments[c->n++] = (struct range){ from, i };
			from = i + 1;
		}
		c->end = i;
		if (!depth)
			return true;
	}
	return false;
}

static bool same_token(const struct token *a, const struct token *b)
{
	return a->kind == b->kind && a->len == b->len && !memcmp(a->s, b->s, a->len);
}

static bool is_ellipsis(const struct token_list *d, int i)
{
	return kind_at(d, i) == TOK_OTHER && d->at[i].len == 3 && !memcmp(d->at[i].s, "...", 3);
}

/* Is token i of the definition a parameter? Then sets *out to the tokens of its argument. These are
 * all remaining arguments for "...", whose name in the body is __VA_ARGS__, and for "name...". */
static bool argument_for(const struct call *c, int i, struct range *out)
{
	static const struct token unnamed = { TOK_NAME, "__VA_ARGS__", 11 };
	const struct token_list *d = &c->d->tokens;
	bool is_rest = false;
	int number = 0;

	for (int p = 1; p < c->d->body - 1 && kind_at(d, i) == TOK_NAME && !is_rest;
	     p += 2, number++) {
		const bool has_name = !is_ellipsis(d, p);

		is_rest = !has_name || is_ellipsis(d, p + 1);
		if (!same_token(has_name ? &d->at[p] : &unnamed, &d->at[i]))
			continue;
		*out = number < c->n ? c->arguments[number] : (struct range){ 0, 0 };
		if (is_rest && number < c->n)
			out->to = c->end;
		return is_rest || number < c->n;
	}
	return false;
}

/* Is the bracket at token i that of a call's arguments, as in "f(x)" and "f(x)(y)"? */
static bool opens_arguments(const struct token_list *d, int i)
{
	if (kind_at(d, i - 1) == ')' && token_partner(d->at, (int)d->n, i - 1) > 0)
		i = token_partner(d->at, (int)d->n, i - 1);
	return kind_at(d, i - 1) == TOK_NAME;
}

/* Is the bracket at token i the end of a cast, as in "(T)x" and "(T)malloc(n)"? */
static bool ends_cast(const struct token_list *d, int i)
{
	const int next = kind_at(d, i + 1);

	return next == TOK_NAME || next == TOK_NUMBER || next == TOK_STRING || next == '(';
}

static bool is_path(const struct call *c, struct range r)
{
	struct tokens argument = { .n = 0 };

	for (int i = r.from; i < r.to && argument.n < TOK_MAX; i++)
		argument.t[argument.n++] = c->ts[i];
	return name_is_path(&argument, (struct name){ 0, argument.n - 1, false });
}

static void add_range(const struct call *c, struct range r, struct token_list *out)
{
	for (int i = r.from; i < r.to; i++)
		token_list_add(out, &c->ts[i]);
}

/* If "(parameter)" is at token i of the definition, and its argument needs no brackets, appends the
 * argument without them: "v.a" for "(v).a", "p->a" for "(*p).a". Returns the number of tokens of
 * the definition that the appended ones replace; 0 if nothing was appended. */
static int add_bare(const struct call *c, int i, struct token_list *out)
{
	static const struct token arrow = { TOK_ARROW, "->", 2 };
	const struct token_list *d = &c->d->tokens;
	struct range r;

	if (kind_at(d, i) != '(' || kind_at(d, i + 2) != ')' || opens_arguments(d, i) ||
	    ends_cast(d, i + 2) || !argument_for(c, i + 1, &r) || r.from == r.to)
		return 0;
	if (is_path(c, r)) {
		add_range(c, r, out);
		return 3;
	}
	if (c->ts[r.from].kind != '*' || !is_path(c, (struct range){ r.from + 1, r.to }) ||
	    kind_at(d, i + 3) != '.')
		return 0;
	add_range(c, (struct range){ r.from + 1, r.to }, out);
	token_list_add(out, &arrow);
	return 4;
}

/* Joins the tokens at->at[i - 1] and at->at[i]. */
static void join(struct sources *s, struct token_list *l, uint32_t i)
{
	struct token *last = &l->at[i - 1];
	const char *text = source_join(s, last, &l->at[i]);

	l->failed |= !text;
	if (l->failed)
		return;
	last->s = text;
	last->len += l->at[i].len;
	memmove(&l->at[i], &l->at[i + 1], (--l->n - i) * sizeof(l->at[0]));
}

static bool is_paste(const struct token_list *d, int i)
{
	return kind_at(d, i) == '#' && kind_at(d, i + 1) == '#';
}

/* Appends token i of the definition, or the argument for it. Returns the number of tokens of the
 * definition that these replace. */
static int add_replaced(const struct call *c, int i, struct token_list *out)
{
	const int bare = add_bare(c, i, out);
	struct range r;

	if (bare)
		return bare;
	if (argument_for(c, i, &r))
		add_range(c, r, out);
	else
		token_list_add(out, &c->d->tokens.at[i]);
	return 1;
}

int macro_replace(struct sources *s, const struct token *ts, int n, int i,
		  const struct macro_definition *d, struct token_list *out)
{
	struct call c = { .d = d, .ts = ts, .end = i };
	uint32_t before = 0; /* number of tokens before those of the left side of "##" */

	if (d->body && !read_arguments(&c, n, i + 1))
		return 0;
	for (int j = d->body; j < (int)d->tokens.n && !out->failed;) {
		const bool pastes = is_paste(&d->tokens, j) && j > d->body;
		const uint32_t left = pastes ? before : out->n, right = out->n;

		j += pastes ? 2 : 0;
		j += j < (int)d->tokens.n ? add_replaced(&c, j, out) : 0;
		before = left;
		if (!pastes || left == right || out->failed)
			continue;
		/* after a comma, "##" only removes the comma if there is no argument */
		if (out->at[right - 1].kind == ',')
			out->n -= out->n == right;
		else if (out->n > right)
			join(s, out, right);
	}
	return c.end + 1;
}
