/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"

/* The state of the scan of a source file, at the current line. */
struct reader {
	struct scan *s;
	bool in_comment;    /* a comment that an earlier line opened has not ended */
	bool in_directive;  /* a preprocessor directive continues in this line */
	uint32_t branch;    /* innermost branch of #if around the line: position + 1 in
			     * scan.branches */
	uint32_t groups;    /* number of #if groups so far */
	bool out_of_memory; /* memory ran out, or the file has more than SCAN_MAX tokens */
};

static struct branch *branch_at(const struct scan *s, uint32_t branch)
{
	return &AT_ID(s->branches, branch);
}

static void open_branch(struct reader *r, struct branch b)
{
	if (!VEC_ROOM(&r->s->branches)) {
		r->out_of_memory = true;
		return;
	}
	r->s->branches.at[r->s->branches.n++] = b;
	r->branch = r->s->branches.n;
}

static bool starts_with_word(const char *s, const char *word)
{
	size_t n = strlen(word);

	return strncmp(s, word, n) == 0 && !isalnum((unsigned char)s[n]) && s[n] != '_';
}

/* Is the directive "#if 0", without an operator after the 0? */
static bool is_never(const char *directive)
{
	const char *s = directive + 2 + strspn(directive + 2, " \t");

	return starts_with_word(directive, "if") && starts_with_word(s, "0") &&
	       !strpbrk(s + 1, "|&?");
}

/* If the rest of a definition is only a name, returns it; otherwise NULL. */
static const char *only_name(const char *s)
{
	size_t len = 0;

	s += strspn(s, " \t");
	while (isalnum((unsigned char)s[len]) || s[len] == '_')
		len++;
	if (!len || isdigit((unsigned char)*s))
		return NULL;
	len += strspn(s + len, " \t\r");
	return !s[len] || !strncmp(s + len, "//", 2) || !strncmp(s + len, "/*", 2) ? s : NULL;
}

static bool ends_with_backslash(const char *line)
{
	size_t n = strlen(line);

	return n && line[n - 1] == '\\';
}

/* May the body of a macro without parameters, which is at s, contain calls? */
static bool may_call(const char *s)
{
	return strchr(s, '(') || ends_with_backslash(s);
}

/* Adds the name of a macro with parameters, a target or calls, or of an included file, if the
 * directive at s has one. */
static void read_names(struct reader *r, const char *s, uint32_t line)
{
	const bool defines = starts_with_word(s, "define");
	const char *name, *target = NULL;
	bool is_plain = false;
	size_t len;

	if (!defines && !starts_with_word(s, "include"))
		return;
	name = s + (defines ? 6 : 7);
	name += strspn(name, " \t");
	if (!defines && *name != '"' && *name != '<')
		return;
	name += !defines;
	len = strcspn(name, defines ? "( \t\\" : "\">");
	if (!name[len])
		return;
	if (defines && name[len] != '(') {
		target = only_name(name + len);
		is_plain = !target;
		if (is_plain && !may_call(name + len))
			return;
	}
	if (defines ? !VEC_ROOM(&r->s->macros) : !VEC_ROOM(&r->s->includes))
		r->out_of_memory = true;
	else if (defines)
		r->s->macros.at[r->s->macros.n++] =
			(struct scan_name){ name, len, line, target, is_plain };
	else
		r->s->includes.at[r->s->includes.n++] =
			(struct scan_name){ name, len, line, NULL, false };
}

static void read_directive(struct reader *r, const char *s, uint32_t line)
{
	struct branch b;

	s += strspn(s, " \t");
	read_names(r, s, line);
	if (strncmp(s, "if", 2) == 0) { /* #if, #ifdef or #ifndef */
		bool taken = !is_never(s);

		open_branch(r, (struct branch){ r->branch, ++r->groups, taken, taken });
	} else if (r->branch && (starts_with_word(s, "else") || strncmp(s, "elif", 4) == 0)) {
		b = *branch_at(r->s, r->branch);
		b.taken = !b.decided;
		b.decided = true;
		open_branch(r, b);
	} else if (r->branch && starts_with_word(s, "endif")) {
		r->branch = branch_at(r->s, r->branch)->parent;
	}
}

static void put_token(struct reader *r, const struct token *t, uint32_t line, uint32_t column)
{
	if (r->s->tokens.n == SCAN_MAX || !VEC_ROOM(&r->s->tokens)) {
		r->out_of_memory = true;
		return;
	}
	r->s->tokens.at[r->s->tokens.n++] = (struct scan_token){ *t, line, column, r->branch };
}

/* Is the token the "template" of "x.template f<T>()"? There it only helps a compiler to read the
 * "<".
 */
static bool is_hint(const struct reader *r, const struct token *t)
{
	const uint32_t n = r->s->tokens.n;
	const int before = n ? r->s->tokens.at[n - 1].t.kind : TOK_END;

	return t->len == 8 && !memcmp(t->s, "template", 8) &&
	       (before == '.' || before == TOK_ARROW || before == TOK_SCOPE);
}

/* Returns the position after the end of a comment that is open at s; NULL if it continues in the
 * next line. */
static const char *leave_comment(struct reader *r, const char *s)
{
	const char *end = strstr(s, "*/");

	r->in_comment = !end;
	return end ? end + 2 : NULL;
}

/* Adds the tokens of line `number`, from byte `from` on. */
static void read_tokens(struct reader *r, const char *line, size_t from, uint32_t number)
{
	const char *s = line + from;
	struct token t;

	while (s && !r->out_of_memory) {
		while (isspace((unsigned char)*s))
			s++;
		if (!*s || text_starts(s, "//") || (*s == '\\' && !s[1]))
			return;
		if (text_starts(s, "/*")) {
			s = leave_comment(r, s + 2);
			continue;
		}
		token_read(s, &t);
		if (!is_hint(r, &t))
			put_token(r, &t, number, (uint32_t)(s - line) + 1);
		s += t.len;
	}
}

/* Does the line open a comment that does not end in the same line? */
static bool opens_comment(const char *line)
{
	const char *last = NULL;

	for (const char *s = line; (s = strstr(s, "/*")); s += 2)
		last = s;
	return last && !strstr(last + 2, "*/");
}

static void read_line(struct reader *r, const char *line, uint32_t number)
{
	const char *s = r->in_comment ? leave_comment(r, line) : line;

	if (!s)
		return;
	if (r->in_directive) {
		r->in_directive = ends_with_backslash(line);
	} else if (s[strspn(s, " \t")] == '#') {
		read_directive(r, strchr(s, '#') + 1, number);
		r->in_directive = ends_with_backslash(line);
		r->in_comment = opens_comment(s);
	} else {
		read_tokens(r, line, (size_t)(s - line), number);
	}
}

bool scan_read(struct scan *s, scan_line_fn *text, void *arg)
{
	struct reader r = { .s = s };
	const char *line;

	for (uint32_t n = 1; !r.out_of_memory && (line = text(arg, n)); n++)
		read_line(&r, line, n);
	return !r.out_of_memory;
}

void scan_release(struct scan *s)
{
	free(s->tokens.at);
	free(s->branches.at);
	free(s->macros.at);
	free(s->includes.at);
	*s = (struct scan){ 0 };
}

/* Searches branch `from` and the branches around it for a branch of the #if group `group`. Returns
 * 0 if there is none. */
static uint32_t branch_of_group(const struct scan *s, uint32_t from, uint32_t group)
{
	while (from && branch_at(s, from)->group != group)
		from = branch_at(s, from)->parent;
	return from;
}

bool scan_sees(const struct scan *s, uint32_t from, uint32_t other)
{
	for (; other; other = branch_at(s, other)->parent) {
		uint32_t own = branch_of_group(s, from, branch_at(s, other)->group);

		if (own ? own != other : !branch_at(s, other)->taken)
			return false;
	}
	return true;
}
