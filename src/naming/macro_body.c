/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/macro_body.h"

#include <string.h>

#include "naming/assign.h"
#include "naming/holder.h"

/* Limits. MAX_PARAMETERS: number of arguments of one macro call. MAX_LINES: number of lines of one
 * definition. */
enum { MAX_PARAMETERS = 16, MAX_LINES = 100 };

static bool same_token(const struct token *a, const struct token *b)
{
	return a->kind == b->kind && a->len == b->len && !memcmp(a->s, b->s, a->len);
}

static void append(struct tokens *ts, const struct token *t)
{
	if (ts->n < TOK_MAX)
		ts->t[ts->n++] = *t;
}

bool macro_definition(struct sources *s, const char *path, uint32_t line, int64_t not_after,
		      const char *name, struct macro_definition *d)
{
	const char *text = source_line(s, path, line, not_after);
	struct tokens part;
	bool more = text && strstr(text, name);

	d->tokens.n = 0;
	if (more)
		text = strstr(text, name) + strlen(name);
	for (int n = 0; more && n < MAX_LINES; n++) {
		const size_t len = strlen(text);

		more = len && text[len - 1] == '\\';
		tokens_read(&part, text);
		part.n -= more && part.n && part.t[part.n - 1].kind == '\\';
		for (int i = 0; i < part.n; i++)
			append(&d->tokens, &part.t[i]);
		text = more ? source_line(s, path, ++line, not_after) : NULL;
		more = text != NULL;
	}
	d->parameters = 0;
	d->body = token_match(&d->tokens, 0) + 1;
	return token_kind(&d->tokens, 0) == '(' && d->body > 0;
}

/* The arguments of a macro call: tokens of the statement. */
struct arguments {
	struct name at[MAX_PARAMETERS];
	int n;
	int end; /* the closing bracket */
};

static bool read_arguments(const struct tokens *ts, int open, struct arguments *a)
{
	int i = open + 1;

	a->n = 0;
	a->end = token_match(ts, open);
	while (a->end >= 0 && a->n < MAX_PARAMETERS && i <= a->end) {
		a->at[a->n] = argument_from(ts, i);
		i = a->at[a->n++].to + 2;
	}
	return a->end >= 0;
}

static bool is_ellipsis(const struct tokens *ts, int i)
{
	const struct token *t = token_at(ts, i);

	return t->len == 3 && !memcmp(t->s, "...", 3);
}

/* Is token t of the body a parameter? Then sets *out to the tokens of its argument. These are all
 * remaining arguments for "...", whose name in the body is __VA_ARGS__, and for "name...". */
static bool argument_for(const struct macro_definition *d, const struct arguments *a,
			 const struct token *t, struct name *out)
{
	static const struct token unnamed = { TOK_NAME, "__VA_ARGS__", 11 };
	const struct tokens *ts = &d->tokens;
	bool is_rest = false;
	int number = 0;

	for (int i = d->parameters + 1; i < d->body - 1 && !is_rest; i += 2, number++) {
		const bool has_name = !is_ellipsis(ts, i);

		is_rest = !has_name || is_ellipsis(ts, i + 1);
		if (!same_token(has_name ? token_at(ts, i) : &unnamed, t))
			continue;
		*out = number < a->n ? a->at[number] : no_name;
		if (is_rest && is_name(*out))
			out->to = a->end - 1;
		return is_rest || number < a->n;
	}
	return false;
}

static void append_range(struct tokens *out, const struct tokens *ts, struct name n)
{
	for (int i = n.from; i <= n.to; i++)
		append(out, token_at(ts, i));
}

/* Is the bracket at token i that of a call's arguments, as in "f(x)" and "f(x)(y)"? */
static bool opens_arguments(const struct tokens *ts, int i)
{
	if (token_kind(ts, i - 1) == ')' && token_match(ts, i - 1) > 0)
		i = token_match(ts, i - 1);
	return token_kind(ts, i - 1) == TOK_NAME;
}

/* If "(parameter)" is at token i of the body, and its argument needs no brackets, appends the
 * argument without them: "v.a" for "(v).a", "p->a" for "(*p).a". Returns the number of tokens of
 * the body that the appended ones replace; 0 if nothing was appended. */
static int append_bare(struct tokens *out, const struct tokens *ts, const struct tokens *body,
		       int i, struct name argument)
{
	static const struct token arrow = { TOK_ARROW, "->", 2 };
	const struct name target = { argument.from + 1, argument.to, false };

	if (token_kind(body, i) != '(' || token_kind(body, i + 2) != ')' ||
	    opens_arguments(body, i))
		return 0;
	if (name_is_path(ts, argument)) {
		append_range(out, ts, argument);
		return 3;
	}
	if (token_kind(ts, argument.from) != '*' || !name_is_path(ts, target) ||
	    token_kind(body, i + 3) != '.')
		return 0;
	append_range(out, ts, target);
	append(out, &arrow);
	return 4;
}

/* Joins the tokens on both sides of each "##". After a comma, which __VA_ARGS__ follows, "##" only
 * removes the comma if there is no argument. */
static void paste(struct sources *s, struct tokens *ts)
{
	int n = 0;

	for (int i = 0; i < ts->n; i++) {
		struct token *last = n ? &ts->t[n - 1] : NULL;
		const struct token *next = token_at(ts, i + 2);
		const bool pastes = last && next->kind && token_kind(ts, i) == '#' &&
				    token_kind(ts, i + 1) == '#';
		const bool after_comma = pastes && last->kind == ',';
		const char *joined = pastes && !after_comma ? source_join(s, last, next) : NULL;

		if (after_comma) {
			n -= next->kind == ')';
			i++;
		} else if (joined) {
			last->s = joined;
			last->len += next->len;
			i += 2;
		} else {
			ts->t[n++] = ts->t[i];
		}
	}
	ts->n = n;
}

bool macro_replace(struct sources *s, const struct tokens *ts, int i,
		   const struct macro_definition *d, struct tokens *out)
{
	struct arguments a;

	if (!read_arguments(ts, i + 1, &a))
		return false;
	out->n = 0;
	out->is_declarator = false;
	append_range(out, ts, (struct name){ 0, i - 1, false });
	for (int j = d->body, bare; j < d->tokens.n; j += bare ? bare : 1) {
		struct name argument;

		bare = argument_for(d, &a, token_at(&d->tokens, j + 1), &argument)
			       ? append_bare(out, ts, &d->tokens, j, argument)
			       : 0;
		if (bare)
			continue;
		if (argument_for(d, &a, token_at(&d->tokens, j), &argument))
			append_range(out, ts, argument);
		else
			append(out, token_at(&d->tokens, j));
	}
	append_range(out, ts, (struct name){ a.end + 1, ts->n - 1, false });
	paste(s, out);
	return true;
}
