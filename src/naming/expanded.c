/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/expanded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naming/calls.h"
#include "naming/function.h"
#include "naming/holder.h"
#include "naming/macro.h"
#include "naming/macro_body.h"
#include "naming/member.h"

/* MAX_NESTED: maximum depth of macros that use other macros. EXPANDED_LINE: the line of the
 * expanded macro in its source file. */
enum { MAX_NESTED = 16, EXPANDED_LINE = 2 };

static int kind_at(const struct token_list *l, uint32_t i)
{
	return i < l->n ? l->at[i].kind : TOK_END;
}

/* Is the name at token i, which is not the first one, a statement of its own: "ALLOCATE_ALL;"? */
static bool is_bare_statement(const struct token_list *tokens, uint32_t i)
{
	const int before = kind_at(tokens, i - 1);

	return kind_at(tokens, i + 1) == ';' && (before == ';' || before == '{' || before == '}');
}

/* Appends the expansion of the macro call at token i. Returns the position after the call; i if it
 * is not the call of a known macro. */
static uint32_t add_call(const struct statement *st, const struct token_list *tokens, uint32_t i,
			 struct token_list *out)
{
	const struct token *name = &tokens->at[i];
	const bool is_plain = tokens->n == 1 || (i && is_bare_statement(tokens, i));
	struct macro_definition d;
	char path[512];
	uint32_t line;
	int end;

	if (name->kind != TOK_NAME || (!is_plain && kind_at(tokens, i + 1) != '(') ||
	    !macro_find(st, name, is_plain, path, sizeof(path), &line) ||
	    !macro_definition(st->sources, path, line, st->not_after, name, &d))
		return i;
	end = macro_replace(st->sources, tokens->at, (int)tokens->n, (int)i, &d, out);
	free(d.tokens.at);
	return end ? (uint32_t)end : i;
}

/* Expands the macros in *tokens; with `outside`, only those outside all braces. Returns false if
 * there are none. */
static bool expand_list(const struct statement *st, bool outside, struct token_list *tokens)
{
	struct token_list out = { .failed = tokens->failed };
	bool any = false;
	int depth = 0;

	for (uint32_t i = 0, end; i < tokens->n && !out.failed; i = end > i ? end : i + 1) {
		depth += tokens->at[i].kind == '{';
		depth -= tokens->at[i].kind == '}';
		end = outside && depth ? i : add_call(st, tokens, i, &out);
		any |= end > i;
		if (end == i)
			token_list_add(&out, &tokens->at[i]);
	}
	free(tokens->at);
	*tokens = out;
	return any;
}

static void print_view(FILE *f, const struct view *v, int64_t from, int64_t to)
{
	for (int64_t i = from; i < to; i++)
		fprintf(f, "%.*s ", (int)v->tokens.at[i].t.len, v->tokens.at[i].t.s);
}

/* Returns the position after the macro call of the statement. */
static int64_t after_call(const struct statement *st)
{
	return view_kind(st->view, st->place + 1) == '('
		       ? st->view->tokens.at[st->place + 1].partner + 1
		       : st->place + 1;
}

/* Returns the tokens as a text, with the code of the function around them, if there is one: they
 * replace the macro call. Returns NULL when out of memory. The caller frees the text. */
static char *text_of(const struct statement *st, const struct function *around,
		     const struct token_list *tokens)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	if (around)
		print_view(f, st->view, around->head, st->place);
	fputc('\n', f);
	for (uint32_t i = 0; i < tokens->n; i++)
		fprintf(f, "%.*s ", (int)tokens->at[i].len, tokens->at[i].s);
	fputc('\n', f);
	if (around)
		print_view(f, st->view, after_call(st), around->close + 1);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

/* Writes the expanded macro into the source file `name`, which exists only in memory. Returns false
 * if the macro is unknown, if it is nested too deeply, or when out of memory. */
static bool expand(const struct statement *st, const struct function *around, const char *name)
{
	const uint32_t n = (uint32_t)(after_call(st) - st->place);
	struct token_list call = { .n = 0 }, tokens = { .n = 0 };
	char *text = NULL;
	int depth = 1;

	for (uint32_t i = 0; i < n; i++)
		token_list_add(&call, &st->view->tokens.at[st->place + i].t);
	if (!call.failed && add_call(st, &call, 0, &tokens)) {
		while (depth < MAX_NESTED && expand_list(st, !around, &tokens))
			depth++;
		text = tokens.failed || depth == MAX_NESTED ? NULL : text_of(st, around, &tokens);
	}
	free(call.at);
	free(tokens.at);
	return text && source_add(st->sources, name, text);
}

/* Writes the name of the expanded macro's source file. Returns false if it does not fit. */
static bool file_name(const struct statement *st, char *name, size_t size)
{
	const struct view_token *t = &st->view->tokens.at[st->place];

	return (size_t)snprintf(name, size, "%s:%u:%u: expanded", st->path, t->line, t->column) <
	       size;
}

/* May the statement be a macro without parameters, with or without ";", as "ALLOCATE_ALL" in a line
 * of its own? */
static bool may_be_plain(const struct statement *st)
{
	const struct view *v = st->view;
	const int64_t i = st->place;
	const int before = view_kind(v, i - 1), next = view_kind(v, i + 1);
	const uint32_t line = v->tokens.at[i].line;

	return (before == ';' || before == '{' || before == '}' || before == ')') &&
	       (next == ';' || next == '}' || v->tokens.at[i + 1].line > line);
}

/* May a macro with parameters be called there? `inside`: in a function, where the text of a call
 * with arguments shows an allocation if these contain it. */
static bool may_be_call(const struct statement *st, bool inside)
{
	return view_kind(st->view, st->place + 1) == '(' &&
	       st->view->tokens.at[st->place + 1].partner > st->place &&
	       !(inside && allocates_in(&st->tokens));
}

bool is_expanded(const struct statement *st)
{
	/* a macro call without ";" looks like a part of the head of the next function */
	const bool inside = st->function && !is_in_head(st);
	char name[512];

	return !st->view->is_rust && view_kind(st->view, st->place) == TOK_NAME &&
	       (may_be_call(st, inside) || (inside && may_be_plain(st))) &&
	       file_name(st, name, sizeof(name)) &&
	       (source_line(st->sources, name, EXPANDED_LINE, 0) ||
		expand(st, inside ? st->function : NULL, name));
}

/* Returns the function that debug information calls `name`; NULL if there is none. */
static const struct function *find_function(const struct view *v, struct word name)
{
	const struct function *best = NULL;
	size_t len = 0;

	for (uint32_t i = 0; i < v->functions.n; i++) {
		const struct token *t = &v->tokens.at[v->functions.at[i].parameters - 1].t;

		if (t->kind != TOK_NAME || t->len <= len ||
		    !is_name_of(name, (struct word){ t->s, t->len }))
			continue;
		best = &v->functions.at[i];
		len = t->len;
	}
	return best;
}

/* Returns how the function f writes the function that debug information calls `name`, where it
 * calls it; an empty word if it does not. */
static struct word written_call(const struct view *v, const struct function *f, struct word name)
{
	struct word best = { "", 0 };

	for (int64_t i = f->body, end = search_end(f, i); i < end; i++) {
		const struct token *t = &v->tokens.at[i].t;

		if (t->kind == TOK_NAME && view_kind(v, i + 1) == '(' && t->len > best.len &&
		    is_name_of(name, (struct word){ t->s, t->len }))
			best = (struct word){ t->s, t->len };
	}
	return best;
}

/* Does token i of the file, in the expanded macro, call the function `callee` or, with an empty
 * word, an allocator? */
static bool is_call(const struct view *v, int64_t i, struct word callee)
{
	struct tokens ts;
	int at;

	if (view_kind(v, i) != TOK_NAME || view_kind(v, i + 1) != '(' ||
	    v->tokens.at[i].line != EXPANDED_LINE)
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

	if (!function || !file_name(st, name, sizeof(name)))
		return false;
	v = source_view(st->sources, name, EXPANDED_LINE, 0);
	f = v ? find_function(v, method_of(function).name) : NULL;
	if (!f)
		return false;
	called = written_call(v, f, called);
	if (find_call(v, f, called, 0) < 0)
		called = none;
	*out = *st;
	out->view = v;
	out->function = f;
	out->place = find_call(v, f, called, number);
	return out->place >= 0 && view_statement(v, out->place, &out->tokens, &out->at);
}

/* Returns the first argument of the call at token `name` that is a variable. */
static struct name first_variable(const struct tokens *ts, int name)
{
	const int end = token_match(ts, name + 1);

	for (int i = name + 2; i < end; i++) {
		const struct name n = argument_from(ts, i);

		if (name_is_path(ts, n))
			return n;
		i = is_name(n) ? n.to + 1 : i;
	}
	return no_name;
}

bool expanded_name(const struct statement *st, const char *function, const char *callee, char *out,
		   size_t size)
{
	const struct token *macro = token_at(&st->tokens, st->at);
	struct statement second;
	char variable[HOLDER_MAX];

	return expanded_statement(st, function, callee, 1, &second) &&
	       write_name(&st->tokens, first_variable(&st->tokens, st->at), variable,
			  sizeof(variable)) &&
	       (size_t)snprintf(out, size, "%s (%.*s)", variable, (int)macro->len, macro->s) < size;
}
