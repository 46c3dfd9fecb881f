/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits the names of functions in debug information into their parts. */
#include <string.h>

#include "naming/function.h"

/* Returns the position after an operator such as "operator<<" or "operator()" that begins at s; s
 * if no operator begins there. */
static const char *skip_operator(const char *s)
{
	const char *sign = s + 8;

	if (strncmp(s, "operator", 8) != 0)
		return s;
	if (!strncmp(sign, "()", 2) || !strncmp(sign, "[]", 2)) /* template arguments may follow */
		return sign + 2;
	return sign + strspn(sign, "<>=-!*+/%&|^~,");
}

/* Returns the length of a function's name without its parameters. Brackets inside template
 * arguments do not begin the parameters. The arrow of a Rust type such as "fn(u8) -> u8" is not a
 * bracket. */
static size_t name_length(const char *s)
{
	int depth = 0;
	size_t i;

	for (i = 0; s[i]; i++) {
		i = (size_t)(skip_operator(s + i) - s);
		if (s[i] == '<')
			depth++;
		else if (s[i] == '>' && depth && s[i - 1] != '-')
			depth--;
		else if (s[i] == '(' && !depth && i && strncmp(s + i, "(anonymous", 10) != 0 &&
			 s[i - 1] != ':')
			break;
		if (!s[i])
			break;
	}
	return i;
}

bool has_parameters(const char *pretty)
{
	return pretty[name_length(pretty)] == '(';
}

/* Returns the last component of the qualified name s[0..n), without its template arguments. */
static struct word last_component(const char *s, size_t n)
{
	size_t at = n, end = n;
	int depth = 0;

	for (; at > 0; at--) {
		char c = s[at - 1];

		if (c == '>' && (at < 2 || s[at - 2] != '-'))
			depth++;
		else if (c == '<' && depth && --depth == 0)
			end = at - 1;
		else if (!depth && (c == ':' || c == ' '))
			break;
	}
	return (struct word){ s + at, end - at };
}

struct method method_of(const char *pretty)
{
	struct method m = { { "", 0 }, { "", 0 } };
	size_t n;

	if (!pretty)
		return m;
	n = name_length(pretty);
	m.name = last_component(pretty, n);
	n = (size_t)(m.name.s - pretty);
	if (n > 2 && pretty[n - 1] == ':' && pretty[n - 2] == ':')
		m.owner = last_component(pretty, n - 2);
	return m;
}

bool is_name_of(struct word name, struct word written)
{
	const size_t before = name.len - written.len;

	return written.len && written.len <= name.len &&
	       !memcmp(name.s + before, written.s, written.len) &&
	       (!before || name.s[before - 1] == '_');
}

bool is_constructor(const struct method *m)
{
	return m->owner.len && m->owner.len == m->name.len &&
	       memcmp(m->owner.s, m->name.s, m->name.len) == 0;
}

/* If the name begins with "decltype (…)", the result type of some templates, returns what follows;
 * otherwise the name. */
static const char *skip_decltype(const char *s)
{
	const char *p = s + 8 + (strlen(s) > 8 && s[8] == ' ');
	int depth = 0;

	if (strncmp(s, "decltype", 8) != 0 || *p != '(')
		return s;
	for (; *p; p++) {
		depth += (*p == '(') - (*p == ')');
		if (!depth)
			return p + 1;
	}
	return s;
}

const char *skip_return_type(const char *s)
{
	static const char unnamed[] = "(anonymous namespace)";
	const char *name = s;
	int depth = 0;

	for (const char *p = skip_decltype(s); *p; p++) {
		if (strncmp(p, "operator", 8) == 0)
			break;
		if (!strncmp(p, unnamed, sizeof(unnamed) - 1))
			p += sizeof(unnamed) - 2;
		else if (*p == '<')
			depth++;
		else if (*p == '>' && depth && p[-1] != '-')
			depth--;
		else if (*p == '(' && !depth)
			break;
		else if (*p == ' ' && !depth && p[1] != '(' && p[1] != '[')
			name = p + 1;
	}
	return name;
}

/* Appends s[0..n) to out[0..len) without template arguments, and returns the new length. */
static size_t append_plain(const char *s, size_t n, char *out, size_t len, size_t size)
{
	int depth = 0;

	for (size_t i = 0; i < n && len + 1 < size; i++) {
		size_t behind = (size_t)(skip_operator(s + i) - s);

		while (!depth && i < behind && i < n && len + 1 < size)
			out[len++] = s[i++];
		if (i >= n || len + 1 >= size)
			break;
		depth += s[i] == '<';
		if (!depth)
			out[len++] = s[i];
		depth -= s[i] == '>' && depth && s[i - 1] != '-';
	}
	return len;
}

/* Returns the type in "<type>::method", "<type as trait>::method" and "module::<impl trait for
 * type>::method" of Rust, and sets *behind to where "::method" begins. Returns an empty word if s
 * is not such a name. */
static struct word rust_self(const char *s, size_t n, size_t *behind)
{
	const char *impl = strstr(s, "::<impl ");
	const bool is_impl = impl && impl < s + n;
	size_t i = is_impl ? (size_t)(impl - s) + 2 : 0, from = i + (is_impl ? 6 : 1), end = 0;
	int depth = 0;

	for (; i < n && (is_impl || *s == '<'); i++) {
		depth += s[i] == '<';
		depth -= s[i] == '>' && s[i - 1] != '-';
		if (is_impl && depth == 1 && !strncmp(s + i, " for ", 5))
			from = i + 5;
		if (!is_impl && depth == 1 && !end && !strncmp(s + i, " as ", 4))
			end = i;
		*behind = i + 1;
		if (!depth)
			return (struct word){ s + from, (end ? end : i) - from };
	}
	return (struct word){ s, 0 };
}

void short_function(const char *pretty, char *out, size_t size)
{
	size_t n, len = 0, behind;
	struct word self;

	pretty = skip_return_type(pretty);
	n = name_length(pretty);
	self = rust_self(pretty, n, &behind);
	if (self.len) {
		len = append_plain(self.s, self.len, out, 0, size);
		pretty += behind;
		n -= behind;
	}
	len = append_plain(pretty, n, out, len, size);
	if (size)
		out[len] = '\0';
}

bool name_allocates(const char *pretty)
{
	char name[256];

	short_function(pretty, name, sizeof(name));
	return strcasestr(name, "alloc") || strcasestr(name, "mmap");
}

bool is_operator(const char *pretty)
{
	const struct word name = method_of(pretty).name;

	/* a letter or a blank follows in other names and in conversions */
	return name.len > 8 && !strncmp(name.s, "operator", 8) &&
	       strchr("+-*/%&|^~!=<>[,", name.s[8]);
}
