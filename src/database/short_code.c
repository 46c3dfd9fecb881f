/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database/short_code.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/omp_region.h"

enum { LONGEST_TEMPLATE = 12 };

/* The text at p begins with an opening bracket. Returns the position after the closing bracket;
 * NULL if there is none. Only ( and < count as brackets. */
static const char *closing_bracket(const char *p)
{
	char open = *p, close = open == '(' ? ')' : '>';
	int depth = 0;

	if (open != '(' && open != '<')
		return NULL;
	for (; *p; p++) {
		if (*p == '>' && p[-1] == '-') /* a part of "->", not a bracket */
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

/* If the name of an operator at p consists of signs, such as "+=" or "()", returns its length;
 * otherwise 0. Signs that look like brackets are not brackets there. */
static size_t operator_size(const char *p)
{
	static const char *const names[] = { "()", "[]", "->*", "->", "<=>", "<<=", ">>=",
					     "<<", ">>", "<=",  ">=", "<",   ">" };

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strncmp(p, names[i], strlen(names[i])))
			return strlen(names[i]);
	return strspn(p, "+-*/%^&|~!=,\"");
}

/* Does a list of arguments begin at p? out[0..n) is what was copied of the text before p. */
static bool begins_list(const char *p, const char *out, size_t n)
{
	return n && (*p == '(' || *p == '<') &&
	       (isalnum((unsigned char)out[n - 1]) || strchr("_>)}", out[n - 1]));
}

/* Is the character at p a blank at the end of a result type? name[0..n) is what was copied of the
 * text before p. A blank may also precede a remark such as "(builder.h:161)", or be in a name such
 * as "operator new" or "operator<< <char>". */
static bool ends_type(const char *name, size_t n, const char *p)
{
	return *p == ' ' && !strchr("[(<", p[1]) && !is_operator(name, n);
}

/* Returns the length of the result type before the function's name; 0 if there is none. Only the
 * demangled name of a template function begins with it. Names such as "vtable for Box<int>" look
 * alike. */
static size_t result_type(const char *name)
{
	size_t end = 0;
	int depth = 0;

	if (*name == '[' || !strchr(name, '<') || strstr(name, " for ") || strstr(name, " to "))
		return 0;
	for (size_t i = 0; name[i] && !is_operator(name, i); i++) {
		if (strchr("(<[{", name[i]))
			depth++;
		else if (strchr(")>]}", name[i]) && (!i || name[i - 1] != '-'))
			depth--;
		else if (!depth && ends_type(name, i, name + i) && strncmp(name + i, " const", 6))
			end = i + 1;
	}
	return depth ? 0 : end;
}

char *short_code(const char *name)
{
	char *out = malloc(strlen(name) + 1);
	size_t n = 0, operator_end = 0;

	name += result_type(name);
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

/* If the name is that of a parallel region, cuts it to that of the function around the region. */
static char *without_region(char *name)
{
	const size_t n = name ? region_owner_length(name) : 0;

	if (n)
		name[n] = 0;
	return name;
}

char *base_code(const char *name)
{
	char *s = without_region(short_code(name));
	size_t n = 0;

	if (!s || *s == '[' || (!strstr(s, "::") && !strchr(s, '<')))
		return s;
	/* the result overwrites s, because it is never longer than what has been read */
	for (const char *p = s, *end; *p && strncmp(p, " [clone", 7); p = end) {
		const bool operator_next = !strncmp(p, "::operator", 10);

		end = *p == '<' && begins_list(p, s, n) ? closing_bracket(p) : NULL;
		if (end)
			continue;
		end = p + 1;
		if (!strncmp(p, "::", 2) && !operator_next) {
			end = p + 2;
			n = 0;
		} else if (ends_type(s, n, p)) {
			n = 0;
		} else {
			s[n++] = *p;
		}
	}
	s[n] = 0;
	return s;
}

char *source_code(const char *name)
{
	return without_region(short_code(name));
}

static void shorten(sqlite3_context *context, sqlite3_value *value, char *(*function)(const char *))
{
	const char *name = (const char *)sqlite3_value_text(value);
	char *text = name ? function(name) : NULL;

	if (text)
		sqlite3_result_text(context, text, -1, free);
	else if (name)
		sqlite3_result_error_nomem(context);
}

static void sql_short_code(sqlite3_context *context, int n, sqlite3_value **values)
{
	shorten(context, values[0], short_code);
}

static void sql_source_code(sqlite3_context *context, int n, sqlite3_value **values)
{
	shorten(context, values[0], source_code);
}

static void sql_base_code(sqlite3_context *context, int n, sqlite3_value **values)
{
	shorten(context, values[0], base_code);
}

int short_code_register(sqlite3 *db)
{
	static const struct {
		const char *name;
		void (*function)(sqlite3_context *context, int n, sqlite3_value **values);
	} functions[] = {
		{ "short_code", sql_short_code },
		{ "source_code", sql_source_code },
		{ "base_code", sql_base_code },
	};
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
	int rc = SQLITE_OK;

	for (size_t i = 0; !rc && i < COUNT_OF(functions); i++)
		rc = sqlite3_create_function(db, functions[i].name, 1, flags, NULL,
					     functions[i].function, NULL, NULL);
	return rc;
}
