/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/short_code.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"

enum { LONGEST_TEMPLATE = 12 };

/* Returns the position after the bracket that closes the one at p. NULL means that it is not
 * closed. */
static const char *closing_bracket(const char *p)
{
	char open = *p, close = open == '(' ? ')' : '>';
	int depth = 0;

	if (open != '(' && open != '<')
		return NULL;
	for (; *p; p++) {
		if (*p == '>' && p[-1] == '-') /* it is a part of "->", not a bracket */
			continue;
		depth += (*p == open) - (*p == close);
		if (!depth)
			return p + 1;
	}
	return NULL;
}

/*
 * Does name[0..n) end with the word "operator"? If so, a bracket after it belongs to the name, as
 * in operator() or operator<.
 */
static bool is_operator(const char *name, size_t n)
{
	static const char word[] = "operator";
	size_t len = sizeof(word) - 1;

	return n >= len && !memcmp(name + n - len, word, len) &&
	       (n == len ||
		!(isalnum((unsigned char)name[n - len - 1]) || name[n - len - 1] == '_'));
}

/* If the operator's name at p consists of brackets, returns its length; otherwise 0. */
static size_t operator_size(const char *p)
{
	static const char *const names[] = { "()", "[]", "->*", "->", "<=>", "<<=", ">>=",
					     "<<", ">>", "<=",  ">=", "<",   ">" };

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strncmp(p, names[i], strlen(names[i])))
			return strlen(names[i]);
	return 0;
}

/* Does a list of arguments begin at p? out[0..n) is what comes before it. */
static bool begins_list(const char *p, const char *out, size_t n)
{
	return n && (*p == '(' || *p == '<') &&
	       (isalnum((unsigned char)out[n - 1]) || strchr("_>)}", out[n - 1]));
}

char *short_code(const char *name)
{
	char *out = malloc(strlen(name) + 1);
	size_t n = 0, operator_end = 0;

	for (const char *p = name, *end; out && *p; p = end) {
		size_t size = is_operator(out, n) ? operator_size(p) : 0;

		end = !size && (begins_list(p, out, n) || (n && n == operator_end))
			      ? closing_bracket(p)
			      : NULL;
		if (end && *p == '<' && end - p > LONGEST_TEMPLATE) {
			n += (size_t)sprintf(out + n, "<…>");
		} else if (end && *p == '(') {
			end += strncmp(end, " const", 6) ? 0 : 6;
		} else {
			end = p + (size ? size : 1);
			memcpy(out + n, p, (size_t)(end - p));
			n += (size_t)(end - p);
			operator_end = size ? n : operator_end;
		}
	}
	if (out)
		out[n] = 0;
	return out;
}

static void sql_short_code(sqlite3_context *context, int n, sqlite3_value **values)
{
	const char *name = (const char *)sqlite3_value_text(values[0]);
	char *text = name ? short_code(name) : NULL;

	if (text)
		sqlite3_result_text(context, text, -1, free);
	else if (name)
		sqlite3_result_error_nomem(context);
}

int short_code_register(sqlite3 *db)
{
	return sqlite3_create_function(db, "short_code", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
				       NULL, sql_short_code, NULL, NULL);
}
