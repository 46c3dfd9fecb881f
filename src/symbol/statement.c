/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "symbol/symbol.h"

/* A statement that began more lines before is not looked for. */
enum { MAX_LINES_BEFORE = 3, MAX_TEXT = 2048 };

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

bool sym_assigned_at(struct sym_sources *s, const char *path, uint32_t line, uint32_t column,
		     int64_t not_after, char *out, size_t size)
{
	const char *here = sym_source_line(s, path, line, not_after);
	char text[MAX_TEXT];
	size_t before = 0;

	if (!here || strlen(here) >= sizeof(text))
		return false;
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
