/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "symbol/symbol.h"

/* A statement that began more lines before is not looked for. */
enum { MAX_LINES_BEFORE = 3, MAX_LINES_FORTRAN = 40, MAX_TEXT = 2048 };

/* Does a statement end with this line, as far as its last character says? */
static bool ends_statement(const char *line)
{
	size_t n = strlen(line);

	while (n && (line[n - 1] == ' ' || line[n - 1] == '\t' || line[n - 1] == '\r'))
		n--;
	return !n || strchr(";{}:", line[n - 1]) || line[0] == '#' || strstr(line, "//") ||
	       strstr(line, "*/");
}

/* Where reading is in a line: what quotes and brackets it is in. */
struct place {
	int depth;
	char quote;
};

/* Goes past *p; true where it separates statements (or declarators of one declaration). */
static bool separates(struct place *at, const char **p)
{
	char c = **p;

	if (at->quote) {
		if (c == '\\' && (*p)[1])
			(*p)++;
		else if (c == at->quote)
			at->quote = 0;
		return false;
	}
	if (c == '"' || c == '\'')
		at->quote = c;
	else if (c == '(' || c == '[')
		at->depth++;
	else if (c == ')' || c == ']')
		at->depth--;
	return c == ';' || c == '{' || c == '}' || (c == ',' && at->depth <= 0);
}

/* Cuts text down to the statement that contains text[at]. */
static const char *cut(char *text, size_t at)
{
	struct place place = { 0 };
	char *start = text;

	for (const char *p = text; *p; p++) {
		if (!separates(&place, &p))
			continue;
		if ((size_t)(p - text) < at) {
			start = text + (p - text) + 1;
			if (*p == ',') /* a declarator: its stars are of the type */
				start += strspn(start, " \t*");
		} else if (place.depth <= 0) {
			text[p - text] = 0;
			break;
		}
	}
	return start;
}

/* How a line of Fortran is continued. */
enum form {
	FORM_NONE,  /* no Fortran */
	FORM_FIXED, /* by a sign in the sixth column of the next line */
	FORM_FREE,  /* by an "&" at its end */
};

static enum form fortran_form(const char *path)
{
	static const struct {
		const char *ending;
		enum form form;
	} forms[] = {
		{ ".f90", FORM_FREE },  { ".f95", FORM_FREE },  { ".f03", FORM_FREE },
		{ ".f08", FORM_FREE },  { ".f18", FORM_FREE },  { ".f", FORM_FIXED },
		{ ".for", FORM_FIXED }, { ".ftn", FORM_FIXED }, { ".f77", FORM_FIXED },
	};
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof(forms) / sizeof(forms[0]); i++)
		if (!strcasecmp(dot, forms[i].ending))
			return forms[i].form;
	return FORM_NONE;
}

/* The length of a line without its comment and the blanks before that. */
static size_t fortran_length(const char *line)
{
	char quote = 0;
	size_t n = 0;

	for (; line[n] && (quote || line[n] != '!'); n++) {
		if (quote && line[n] == quote)
			quote = 0;
		else if (!quote && (line[n] == '"' || line[n] == '\''))
			quote = line[n];
	}
	while (n && strchr(" \t\r", line[n - 1]))
		n--;
	return n;
}

/* Does the statement of `line` go on with `next`? */
static bool goes_on(const char *line, const char *next, enum form form)
{
	size_t n = fortran_length(line);

	if (form == FORM_FREE)
		return n && line[n - 1] == '&';
	return strnlen(next, 6) == 6 && strspn(next, " ") == 5 && next[5] != '0';
}

/* Appends a line without what continues it, before and behind; false: it is too long. */
static bool append_line(char *text, size_t size, const char *line, enum form form, bool goes_on)
{
	size_t len = strlen(text), n = fortran_length(line), from = 0;

	if (form == FORM_FREE)
		from = strspn(line, " \t");
	else if (n > 6 && !memchr(line, '\t', 6)) /* label and sign of continuation */
		from = 6;
	if (from < n && len && form == FORM_FREE && line[from] == '&')
		from++;
	n -= n && goes_on && form == FORM_FREE;
	if (n > from && (size_t)snprintf(text + len, size - len, " %.*s", (int)(n - from),
					 line + from) >= size - len)
		return false;
	return true;
}

/* The whole statement of Fortran that a line is part of: for one of several lines, compilers tell
 * its first, its last, or that of the object. */
static bool fortran_statement(struct sym_sources *s, const char *path, uint32_t line,
			      int64_t not_after, char *text, size_t size)
{
	enum form form = fortran_form(path);
	const char *here = sym_source_line(s, path, line, not_after), *other;
	bool more = here != NULL;

	for (int n = 0; n < MAX_LINES_FORTRAN && line > 1; n++, line--, here = other) {
		other = sym_source_line(s, path, line - 1, not_after);
		if (!here || !other || !goes_on(other, here, form))
			break;
	}
	*text = 0;
	for (int n = 0; n < 2 * MAX_LINES_FORTRAN && more; n++, here = other) {
		other = sym_source_line(s, path, ++line, not_after);
		more = other && goes_on(here, other, form);
		if (!append_line(text, size, here, form, more))
			return false;
	}
	return *text;
}

/* Cuts the next of several statements off *text; NULL when there are no more. */
static char *next_statement(char **text)
{
	struct place place = { 0 };
	char *start = *text;

	*text = NULL;
	for (const char *p = start; p && *p; p++)
		if (separates(&place, &p) && *p == ';') {
			start[p - start] = 0;
			*text = start + (p - start) + 1;
			break;
		}
	return start;
}

/* What the statements of a line assign: all that allocate, one after the other, "u|v", else the
 * first one. */
static bool fortran_name(char *text, char *out, size_t size)
{
	const bool allocates = strcasestr(text, "allocate");
	const char *statement;
	char name[256];
	size_t len = 0;

	out[0] = 0;
	while ((statement = next_statement(&text))) {
		if ((allocates && !strcasestr(statement, "allocate")) ||
		    !sym_assigned_name(statement, name, sizeof(name)))
			continue;
		len += (size_t)snprintf(out + len, size - len, "%s%s", len ? "|" : "", name);
		if (len >= size) {
			out[0] = 0;
			return false;
		}
		if (!allocates)
			break;
	}
	return len > 0;
}

bool sym_assigned_at(struct sym_sources *s, const char *path, uint32_t line, uint32_t column,
		     int64_t not_after, char *out, size_t size)
{
	const char *here = sym_source_line(s, path, line, not_after);
	char text[MAX_TEXT];
	size_t before = 0;

	if (!here || strlen(here) >= sizeof(text))
		return false;
	if (fortran_form(path))
		return fortran_statement(s, path, line, not_after, text, sizeof(text)) &&
		       fortran_name(text, out, size);
	if (!column)
		return sym_assigned_name(here, out, size);
	strcpy(text, here);
	if (sym_assigned_name(cut(text, column - 1), out, size))
		return true;
	for (uint32_t n = 1; n <= MAX_LINES_BEFORE && n < line; n++) {
		const char *above = sym_source_line(s, path, line - n, not_after);
		char rest[MAX_TEXT];

		if (!above || ends_statement(above))
			break;
		strcpy(rest, n == 1 ? here : text);
		if ((size_t)snprintf(text, sizeof(text), "%s %s", above, rest) >= sizeof(text))
			return false;
		before += strlen(above) + 1;
	}
	return before && sym_assigned_name(cut(text, before + column - 1), out, size);
}
