/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/macro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "naming/calls.h"
#include "naming/holder.h"
#include "naming/macro_body.h"
#include "naming/member.h"

/* Limits. MAX_NESTED: depth of macros that use other macros. MAX_FILES: number of files that are
 * searched for the definition of a macro. MAX_STEPS: number of files and definitions that are
 * examined for one statement. MAX_UP: number of folders around a file's folder that are searched
 * for an included file. */
enum { MAX_NESTED = 6, MAX_FILES = 64, MAX_STEPS = 1000, MAX_UP = 4 };

/* Where headers of libraries are, such as uthash.h. */
static const char system_folder[] = "/usr/include/";

/* The files that are searched for the definition of a macro, the nearest first: a file, then those
 * that it includes, then those that they include. */
struct files {
	char *at[MAX_FILES];
	uint32_t n;
};

/* The search for the macro of one statement. */
struct macros {
	struct sources *s;
	int64_t not_after;
	const struct method *callee; /* the function that is called; NULL means any allocator */
	int steps;                   /* number of files and definitions that were examined */
};

/* Is token i the name of the called function? */
static bool is_called(const struct tokens *ts, int i, const struct method *callee)
{
	if (!callee)
		return is_allocating_call(ts, i) || is_out_function(ts, i);
	return token_is_word(ts, i, callee->name) && token_kind(ts, i + 1) == '(';
}

/* Returns the position of the only call of `callee` or, with NULL, of the only allocating call; -1
 * if there is no such call, or if there are several. */
static int call_in(const struct tokens *ts, const struct method *callee)
{
	int found = -1;

	for (int i = 0; i < ts->n; i++) {
		if (!is_called(ts, i, callee))
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	return found;
}

static bool expand_in(struct macros *m, const char *path, int depth, struct tokens *ts);

/* Is *macro, which has parameters, or is_plain, the definition of the macro of this name? */
static bool defines(const struct scan_name *macro, const struct token *name, bool is_plain)
{
	return macro->len == name->len && macro->is_plain == is_plain &&
	       !memcmp(macro->s, name->s, name->len);
}

/* Reads the definition of *macro in the file at `path`, as macro_definition() does. */
static bool read_definition(struct macros *m, const char *path, const struct scan_name *macro,
			    struct macro_definition *d)
{
	const struct token name = { TOK_NAME, macro->s, macro->len };

	return macro_definition(m->s, path, macro->line, m->not_after, &name, d);
}

/* Replaces the macro call at token i of ts by the definition. Tokens beyond TOK_MAX are dropped.
 * Returns false, with ts unchanged, if the arguments do not end, or when out of memory. */
static bool replace_call(struct macros *m, const struct macro_definition *d, int i,
			 struct tokens *ts)
{
	struct token_list out = { .n = 0 };
	int end;

	for (int k = 0; k < i; k++)
		token_list_add(&out, &ts->t[k]);
	end = macro_replace(m->s, ts->t, ts->n, i, d, &out);
	for (int k = end; k < ts->n; k++)
		token_list_add(&out, &ts->t[k]);
	if (end && !out.failed) {
		ts->n = out.n < TOK_MAX ? (int)out.n : TOK_MAX;
		ts->is_declarator = false;
		memcpy(ts->t, out.at, (size_t)ts->n * sizeof(ts->t[0]));
	}
	free(out.at);
	return end && !out.failed;
}

/* Replaces the macro call at token i of ts by the definition *macro in the file at `path`. Returns
 * false, with ts unchanged, if the result does not contain the call of m->callee. */
static bool expand_by(struct macros *m, const char *path, const struct scan_name *macro, int i,
		      int depth, struct tokens *ts)
{
	struct macro_definition d;
	struct tokens *out; /* not on the stack: expansions are nested, and this struct is large */
	bool found;

	if (m->steps++ >= MAX_STEPS || !read_definition(m, path, macro, &d))
		return false;
	out = malloc(sizeof(*out));
	if (out)
		*out = *ts;
	found = out && replace_call(m, &d, i, out) &&
		(call_in(out, m->callee) >= 0 || expand_in(m, path, depth + 1, out));
	if (found)
		*ts = *out;
	free(out);
	free(d.tokens.at);
	return found;
}

/* Returns the path of the file `name`, which the file `includer` includes; NULL if it is not found.
 * The caller frees it. */
static char *find_file(const struct macros *m, const char *includer, const struct scan_name *name)
{
	static const char *const below[] = { "", "include/" };
	const char *slash = strrchr(includer, '/');
	size_t folder = slash ? (size_t)(slash - includer) + 1 : 0;
	char *file;

	for (int up = 0; up <= MAX_UP; up++) {
		for (size_t b = 0; b < COUNT_OF(below); b++) {
			if (asprintf(&file, "%.*s%s%.*s", (int)folder, includer, below[b],
				     (int)name->len, name->s) < 0)
				return NULL;
			if (source_line(m->s, file, 1, m->not_after))
				return file;
			free(file);
		}
		while (folder > 1 && includer[folder - 2] != '/')
			folder--;
		if (folder-- < 2)
			break;
	}
	if (asprintf(&file, "%s%.*s", system_folder, (int)name->len, name->s) < 0)
		return NULL;
	if (source_line(m->s, file, 1, m->not_after))
		return file;
	free(file);
	return NULL;
}

/* Adds the file `name`, which the file `includer` includes, to the list, unless the list contains
 * it already. Does not follow what a header of the system includes: that is the C library. */
static void add_file(const struct macros *m, struct files *f, const char *includer,
		     const struct scan_name *name)
{
	const bool is_own = strncmp(includer, system_folder, strlen(system_folder)) != 0;
	char *file = is_own && f->n < MAX_FILES ? find_file(m, includer, name) : NULL;

	if (!file)
		return;
	for (uint32_t k = 0; k < f->n; k++)
		if (!strcmp(f->at[k], file)) {
			free(file);
			return;
		}
	f->at[f->n++] = file;
}

static bool expand_at(struct macros *m, const char *path, int i, int depth, struct tokens *ts);

/* Replaces the macro call at token i of ts, whose name stands for another one. Returns false, with
 * ts unchanged, if the definition of that one does not contain the call of m->callee. */
static bool expand_target(struct macros *m, const char *path, const struct scan_name *macro, int i,
			  int depth, struct tokens *ts)
{
	const struct token name = ts->t[i];

	token_read(macro->target, &ts->t[i]);
	if (depth < MAX_NESTED && expand_at(m, path, i, depth + 1, ts))
		return true;
	ts->t[i] = name;
	return false;
}

/* Replaces the macro call at token i of ts by a definition in file number `which` of the list. If
 * no definition there contains the call of m->callee, adds the files that this file includes to the
 * list and returns false. */
static bool expand_from(struct macros *m, struct files *f, uint32_t which, int i, int depth,
			struct tokens *ts)
{
	const char *path = f->at[which];
	const struct scan *scan = source_scan(m->s, path, m->not_after);
	const struct token *t = token_at(ts, i);

	if (!scan || m->steps++ >= MAX_STEPS)
		return false;
	for (uint32_t k = 0; k < scan->macros.n; k++) {
		const struct scan_name *macro = &scan->macros.at[k];

		if (defines(macro, t, false) &&
		    (macro->target ? expand_target(m, f->at[0], macro, i, depth, ts)
				   : expand_by(m, path, macro, i, depth, ts)))
			return true;
	}
	for (uint32_t k = 0; k < scan->includes.n; k++)
		add_file(m, f, path, &scan->includes.at[k]);
	return false;
}

/* Replaces the macro call at token i of ts by a definition in the file at `path`, or in a file that
 * it includes, directly or through other files. Returns false if no definition contains the call of
 * m->callee. */
static bool expand_at(struct macros *m, const char *path, int i, int depth, struct tokens *ts)
{
	/* Not on the stack: expansions are nested, and the list is large. */
	struct files *f = calloc(1, sizeof(*f));
	bool found = false;

	if (f && (f->at[0] = strdup(path)))
		f->n = 1;
	for (uint32_t which = 0; f && which < f->n && !found; which++)
		found = expand_from(m, f, which, i, depth, ts);
	for (uint32_t k = 0; f && k < f->n; k++)
		free(f->at[k]);
	free(f);
	return found;
}

/* Expands the first macro in ts whose definition contains the call of m->callee. Returns false if
 * there is none. */
static bool expand_in(struct macros *m, const char *path, int depth, struct tokens *ts)
{
	for (int i = 0; depth < MAX_NESTED && i < ts->n; i++) {
		if (token_kind(ts, i) != TOK_NAME || token_kind(ts, i + 1) != '(' ||
		    token_is_keyword(ts, i))
			continue;
		if (expand_at(m, path, i, depth, ts))
			return true;
	}
	return false;
}

void macro_expand(struct sources *s, const char *path, int64_t not_after,
		  const struct method *callee, struct statement *st)
{
	struct macros m = { .s = s, .not_after = not_after, .callee = callee };
	int call;

	if (!st->function || is_in_head(st) ||
	    (callee ? statement_calls(st, callee) : is_name(assigned_in(&st->tokens))) ||
	    !expand_in(&m, path, 0, &st->tokens))
		return;
	call = call_in(&st->tokens, callee);
	st->at = call < 0 ? 0 : call;
}

static bool is_keyword(const struct token *t)
{
	struct tokens one;

	one.n = 1;
	one.t[0] = *t;
	return token_is_keyword(&one, 0);
}

static bool calls_nothing(struct macros *m, const char *path, const struct token *name, int depth);

/* Does the definition of *macro in the file at `path` call only macros that call no function?
 * `root` is the file in which the macro is used. */
static bool body_calls_nothing(struct macros *m, const char *root, const char *path,
			       const struct scan_name *macro, int depth)
{
	struct macro_definition d;
	bool ok = true;

	if (!read_definition(m, path, macro, &d))
		return false;
	for (int i = d.body; ok && i + 1 < (int)d.tokens.n; i++) {
		const struct token *t = &d.tokens.at[i];

		if (t->kind == TOK_NAME && t[1].kind == '(' && !is_keyword(t))
			ok = calls_nothing(m, root, t, depth + 1);
	}
	free(d.tokens.at);
	return ok;
}

static bool calls_nothing(struct macros *m, const char *path, const struct token *name, int depth)
{
	struct files *f = depth < MAX_NESTED ? calloc(1, sizeof(*f)) : NULL;
	bool found = false;

	if (f && (f->at[0] = strdup(path)))
		f->n = 1;
	for (uint32_t which = 0; f && which < f->n && !found && m->steps++ < MAX_STEPS; which++) {
		const struct scan *scan = source_scan(m->s, f->at[which], m->not_after);

		for (uint32_t k = 0; scan && k < scan->macros.n && !found; k++)
			found = defines(&scan->macros.at[k], name, false) &&
				!scan->macros.at[k].target &&
				body_calls_nothing(m, path, f->at[which], &scan->macros.at[k],
						   depth);
		for (uint32_t k = 0; scan && k < scan->includes.n && !found; k++)
			add_file(m, f, f->at[which], &scan->includes.at[k]);
	}
	for (uint32_t k = 0; f && k < f->n; k++)
		free(f->at[k]);
	free(f);
	return found;
}

/* Returns how many definitions of the macro the file has, and sets *line to that of the first. */
static uint32_t count_definitions(const struct scan *scan, const struct token *name, bool is_plain,
				  uint32_t *line)
{
	uint32_t count = 0;

	for (uint32_t k = 0; scan && k < scan->macros.n; k++)
		if (defines(&scan->macros.at[k], name, is_plain) && !scan->macros.at[k].target &&
		    !count++)
			*line = scan->macros.at[k].line;
	return count;
}

bool macro_find(const struct statement *st, const struct token *name, bool is_plain, char *path,
		size_t size, uint32_t *line)
{
	const struct macros m = { .s = st->sources, .not_after = st->not_after };
	struct files *f = calloc(1, sizeof(*f));
	uint32_t count = 0;
	bool fits = false;

	if (f && (f->at[0] = strdup(st->path)))
		f->n = 1;
	for (uint32_t which = 0; f && which < f->n && !count; which++) {
		const struct scan *scan = source_scan(st->sources, f->at[which], st->not_after);

		count = count_definitions(scan, name, is_plain, line);
		fits = (size_t)snprintf(path, size, "%s", f->at[which]) < size;
		for (uint32_t k = 0; scan && k < scan->includes.n && !count; k++)
			add_file(&m, f, f->at[which], &scan->includes.at[k]);
	}
	for (uint32_t k = 0; f && k < f->n; k++)
		free(f->at[k]);
	free(f);
	return fits && (is_plain ? count == 1 : count > 0);
}

/* Are the tokens from i on a statement "result = NAME(variable);", where the function returns
 * `result`, and the two have different types? NAME is a macro or a function. */
static bool casts_at(const struct statement *st, int64_t i, struct word variable)
{
	const struct view *v = st->view;
	const struct word to = { v->tokens.at[i].t.s, v->tokens.at[i].t.len };

	return view_kind(v, i) == TOK_NAME && view_kind(v, i + 1) == TOK_ASSIGN &&
	       view_kind(v, i + 2) == TOK_NAME && view_kind(v, i + 3) == '(' &&
	       view_is_word(v, i + 4, variable) && view_kind(v, i + 5) == ')' &&
	       view_kind(v, i + 6) == ';' && function_returns(v, st->function, to) &&
	       function_types_differ(v, st->function, to, variable);
}

bool macro_casts_result(const struct statement *st, struct word variable)
{
	struct macros m = { .s = st->sources, .not_after = st->not_after };

	if (!st->function || !st->sources)
		return false;
	for (int64_t i = st->place, end = search_end(st->function, i); i < end; i++)
		if (casts_at(st, i, variable))
			return calls_nothing(&m, st->path, &st->view->tokens.at[i + 2].t, 0);
	return false;
}
