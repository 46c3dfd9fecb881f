/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/member.h"

#include <stdio.h>
#include <string.h>

/* A member in the definition of a class; the members are positions of tokens in a view. */
struct member {
	int64_t type;       /* first token of its type */
	int64_t name;       /* -1: not the declaration of one variable */
	int64_t value, end; /* the value (value == end: none), and the ";" */
};

static bool word_is(struct word w, const char *text)
{
	return w.len == strlen(text) && !memcmp(w.s, text, w.len);
}

/* Returns the position of the token's partner, or the position itself. */
static int64_t after_brackets(const struct view *v, int64_t i)
{
	return v->tokens.at[i].partner > i ? v->tokens.at[i].partner : i;
}

/* Can a variable of the type that begins at token i not hold a block? */
static bool is_plain(const struct view *v, int64_t i, int64_t name)
{
	struct tokens type = { .n = 1 };

	type.t[0] = v->tokens.at[i].t;
	return name == i + 1 && token_is_plain_type(&type, 0);
}

bool is_macro_call(const struct statement *st, const char *function)
{
	const struct method method = method_of(function);

	return is_name(listed_member(st)) && !is_constructor(&method);
}

bool is_in_head(const struct statement *st)
{
	return st->function && st->place < st->function->body;
}

/* The definition of a class; the members are positions of tokens in a view. */
struct definition {
	int64_t name;
	int64_t from, to; /* the first token between the braces, and the closing brace */
};

/* Returns how many classes of this name the file defines, and sets *out to the first. If token
 * `place` is in one of them, that is the only one. */
static int count_classes(const struct view *v, struct word class, int64_t place,
			 struct definition *out)
{
	int count = 0;

	for (int64_t i = 1; i < v->tokens.n; i++) {
		int64_t at = i + 1;

		if (!view_is_word(v, i, class) ||
		    (!view_is(v, i - 1, "class") && !view_is(v, i - 1, "struct")))
			continue;
		while (at < v->tokens.n && view_kind(v, at) != ';' && view_kind(v, at) != '{')
			at++;
		if (view_kind(v, at) == '{' && v->tokens.at[at].partner > at) {
			const int64_t to = v->tokens.at[at].partner;

			if (!count++ || (place >= i - 1 && place < to))
				*out = (struct definition){ i, at + 1, to };
			if (place >= i - 1 && place < to)
				return 1;
		}
	}
	return count;
}

/* Returns false if the file does not define the class, or if it defines several of this name, none
 * of them around token `at`: which of them is meant is unknown. */
static bool find_class(const struct view *v, struct word class, int64_t at, struct definition *out)
{
	return count_classes(v, class, at, out) == 1;
}

/* Returns the class of the constructor around the statement. */
static struct word constructed_class(const struct statement *st)
{
	const struct token *t = &st->view->tokens.at[st->function->parameters - 1].t;

	return (struct word){ t->s, t->len };
}

bool is_container_template(const struct view *v, struct word class)
{
	struct definition d;

	/* the specializations of a template, which have its name, are containers like it */
	if (!class.len || !count_classes(v, class, -1, &d) || view_kind(v, d.name - 2) != '>')
		return false;
	for (int64_t i = d.from; i < d.to; i++) {
		const int next = view_kind(v, i + 1), before = view_kind(v, i - 1);

		if (view_kind(v, i) == '{') /* the body of a method, or a value */
			i = after_brackets(v, i);
		if (view_is(v, i, "operator") && (next == '[' || next == '('))
			return true;
		if (next == '(' && before != '.' && before != TOK_ARROW &&
		    (view_is(v, i, "at") || view_is(v, i, "begin") || view_is(v, i, "data")))
			return true;
	}
	return false;
}

/* Reads the declaration that begins at token i of a class whose definition ends at `to`. */
static struct member read_member(const struct view *v, int64_t i, int64_t to)
{
	struct member m = { .type = i, .name = -1, .value = to, .end = to };
	/* ends with the brace: a function or the definition of a type */
	bool has_body = view_is(v, i, "struct") || view_is(v, i, "class") ||
			view_is(v, i, "union") || view_is(v, i, "enum");

	for (; i < to; i = after_brackets(v, i) + 1) {
		int kind = view_kind(v, i);

		if (kind == ';' || (kind == '{' && has_body)) {
			m.end = after_brackets(v, i);
			break;
		}
		has_body |= kind == '(' && m.value == to;
		if (m.value == to && (kind == TOK_ASSIGN || kind == '{'))
			m.value = i;
	}
	if (m.value > m.end)
		m.value = m.end;
	if (!has_body && m.value > m.type + 1 && view_kind(v, m.value - 1) == TOK_NAME)
		m.name = m.value - 1;
	return m;
}

/* Gets the next member from token *i on, and moves *i behind it. */
static bool next_member(const struct view *v, int64_t *i, int64_t to, struct member *out)
{
	for (; *i < to; (*i)++) {
		if (view_kind(v, *i + 1) == ':') /* "public:" */
			(*i)++;
		else if (view_kind(v, *i) == '{') /* after "B() : member{ 1 }" */
			*i = after_brackets(v, *i);
		else if (view_kind(v, *i) != ';')
			break;
	}
	if (*i >= to)
		return false;
	*out = read_member(v, *i, to);
	*i = out->end + 1;
	return true;
}

/* Does the declaration of the member declare this name, perhaps as one of several? */
static bool declares(const struct view *v, const struct member *m, struct word name)
{
	for (int64_t i = m->type + 1; m->name >= 0 && i <= m->name; i++)
		if (view_is_word(v, i, name) && (i == m->name || view_kind(v, i + 1) == ','))
			return true;
	return false;
}

/* Finds the declaration of the member for which the entry of a constructor's list is. Only the
 * class of the constructor says what its member is: another class of the file may have a member
 * with the same name. */
static bool member_of_entry(const struct statement *st, struct member *out)
{
	const struct view *v = st->view;
	const struct token *entry = token_at(&st->tokens, 0);
	struct definition c;

	if (!is_name(listed_member(st)) || !find_class(v, constructed_class(st), st->place, &c))
		return false;
	while (next_member(v, &c.from, c.to, out))
		if (declares(v, out, (struct word){ entry->s, entry->len }))
			return true;
	return false;
}

bool initializes_plain(const struct statement *st)
{
	struct member m;

	return member_of_entry(st, &m) && is_plain(st->view, m.type, m.name);
}

static bool may_hold_block(const struct view *v, const struct member *m)
{
	return m->name >= 0 && !is_plain(v, m->type, m->name) && !view_is(v, m->type, "static");
}

/* Are the braces at token i around a single constant, as in "{ 0 }" and "{ nullptr }"? */
static bool has_constant(const struct view *v, int64_t i)
{
	return view_kind(v, i) == '{' && view_kind(v, i + 2) == '}' &&
	       (view_kind(v, i + 1) != TOK_NAME || view_is(v, i + 1, "nullptr") ||
		view_is(v, i + 1, "NULL") || view_is(v, i + 1, "true") ||
		view_is(v, i + 1, "false"));
}

/* Can the value of the member be a new block: does it call or construct something? A constant in
 * braces does not, as for std::atomic. */
static bool may_allocate(const struct view *v, const struct member *m)
{
	if (!may_hold_block(v, m) || has_constant(v, m->value))
		return false;
	for (int64_t i = m->value; i < m->end; i++)
		if (view_is(v, i, "new") || ((view_kind(v, i) == '(' || view_kind(v, i) == '{') &&
					     v->tokens.at[i].partner > i + 1))
			return true;
	return false;
}

static bool append(char *out, size_t size, size_t *n, const struct token *t)
{
	if (*n + t->len + 2 > size)
		return false;
	if (*n)
		out[(*n)++] = '|';
	memcpy(out + *n, t->s, t->len);
	*n += t->len;
	out[*n] = '\0';
	return true;
}

/* Returns the token of the member's entry in the constructor's list around the statement; -1 if the
 * list does not have it. */
static int64_t entry_of(const struct statement *st, const struct member *m)
{
	const struct view *v = st->view;
	const struct token *name = &v->tokens.at[m->name].t;

	for (int64_t i = st->function ? st->function->end + 1 : 0;
	     st->function && i < st->function->body; i++)
		if (view_is_word(v, i, (struct word){ name->s, name->len }) &&
		    v->tokens.at[i + 1].partner > i)
			return i;
	return -1;
}

/* Is the member's entry in the constructor's list on the line of the statement? */
static bool shares_line(const struct statement *st, const struct member *m, int64_t entry)
{
	const struct view_token *t = st->view->tokens.at;

	return may_hold_block(st->view, m) && t[entry].line == t[st->place].line;
}

bool members_with_values(const struct statement *st, struct word class, char *out, size_t size)
{
	const struct view *v = st->view;
	struct definition c;
	struct member m;
	size_t n = 0;

	if (!find_class(v, class, st->place, &c))
		return false;
	while (next_member(v, &c.from, c.to, &m)) {
		const int64_t entry = m.name < 0 ? -1 : entry_of(st, &m);

		if ((entry < 0 ? may_allocate(v, &m) : shares_line(st, &m, entry)) &&
		    !append(out, size, &n, &v->tokens.at[m.name].t))
			return false;
	}
	return n > 0;
}

/* Is the statement the ")" of the last entry of a constructor's list? */
static bool ends_list(const struct statement *st)
{
	return token_match(&st->tokens, 1) == st->at && st->place + 1 == st->function->body;
}

bool ends_unknown_list(const struct statement *st)
{
	struct definition c;

	return ends_list(st) && count_classes(st->view, constructed_class(st), st->place, &c) > 1;
}

/* Is the statement the ")" of the last entry of a constructor's list, and does a member that is not
 * in the list have a value in the definition of the class? */
static bool ends_before_values(const struct statement *st)
{
	const struct view *v = st->view;
	struct definition c;
	struct member m;

	if (!ends_list(st) || !find_class(v, constructed_class(st), st->place, &c))
		return false;
	while (next_member(v, &c.from, c.to, &m))
		if (may_allocate(v, &m) && entry_of(st, &m) < 0)
			return true;
	return false;
}

bool is_unlisted(const struct statement *st, const char *callee)
{
	const size_t len = callee ? strlen(callee) : 0;

	if (!is_in_head(st))
		return false;
	return st->place <= st->function->end || initializes_plain(st) ||
	       (len > 2 && !strcmp(callee + len - 2, "()") &&
		token_match(&st->tokens, 1) == st->at && st->at > 2) ||
	       ends_before_values(st) || ends_unknown_list(st);
}

uint32_t member_line(const struct view *v, struct word class, struct word name)
{
	struct definition c;
	struct member m;

	if (!find_class(v, class, -1, &c))
		return 0;
	while (next_member(v, &c.from, c.to, &m))
		if (m.name >= 0 && view_is_word(v, m.name, name))
			return v->tokens.at[m.name].line;
	return 0;
}

struct word member_number(const struct view *v, struct word class, int number)
{
	struct definition c;
	struct member m;

	if (!find_class(v, class, -1, &c) || view_kind(v, c.name + 1) != '{')
		return (struct word){ "", 0 };
	while (next_member(v, &c.from, c.to, &m)) {
		/* each variable of "int *a, *b;" is a member; a comma in brackets is another one */
		for (int64_t i = m.type + 1; m.name >= 0 && i <= m.name; i++) {
			const struct token *t = &v->tokens.at[i].t;

			if ((i == m.name || view_kind(v, i + 1) == ',') && t->kind == TOK_NAME &&
			    !number--)
				return (struct word){ t->s, t->len };
		}
	}
	return (struct word){ "", 0 };
}

bool is_assignment(const struct method *m)
{
	return word_is(m->name, "operator=");
}

bool is_subscript(const struct method *m)
{
	return word_is(m->name, "operator[]");
}

/* Has the function one parameter, which is a reference? */
static bool takes_reference(const char *function)
{
	const size_t len = strlen(function);

	return len > 2 && !strcmp(function + len - 2, "&)");
}

bool is_generated(const struct statement *st, const char *function)
{
	const struct method m = method_of(function);
	struct definition c;

	if (st->function || (!is_constructor(&m) && !is_assignment(&m)))
		return false;
	return find_class(st->view, m.owner, st->place, &c) && st->place >= c.name - 1 &&
	       st->place < c.to;
}

bool is_generated_copy(const struct statement *st, const char *function)
{
	return is_generated(st, function) && takes_reference(function);
}

/* Is the template argument `text`, which a comma or ">" ends, the one that begins at token i? The
 * source may leave out its namespace. */
static bool is_argument(const struct view *v, int64_t i, const char *text)
{
	const size_t len = strcspn(text, ",<>");
	char name[128];
	size_t n = 0;

	for (; view_kind(v, i) != ',' && view_kind(v, i) != '>'; i++) {
		const struct token *t = &v->tokens.at[i].t;

		if (view_kind(v, i) == TOK_END || n + t->len + 2 > sizeof(name))
			return false;
		n += (size_t)snprintf(name + n, sizeof(name) - n, "%s%.*s",
				      n && view_kind(v, i) == TOK_NAME &&
						      view_kind(v, i - 1) == TOK_NAME
					      ? " "
					      : "",
				      (int)t->len, t->s);
	}
	return n && n <= len && !memcmp(text + len - n, name, n) &&
	       (n == len || text[len - n - 1] == ':');
}

/* How well the type of a member fits the class of a method. */
enum fit { FIT_NONE, FIT_CLASS, FIT_ARGUMENT };

/* Compares the type that begins at token i with `class`, which is a part of a name in debug
 * information: template arguments follow. A ";" or "<" ends the names of a type. */
static enum fit fit_of(const struct view *v, int64_t i, struct word class)
{
	const bool is_string = word_is(class, "basic_string");

	for (; view_kind(v, i) == TOK_NAME || view_kind(v, i) == TOK_SCOPE; i++)
		if (view_is_word(v, i, class) || (is_string && view_is(v, i, "string")))
			return view_kind(v, i + 1) == '<' && class.s[class.len] == '<' &&
					       is_argument(v, i + 2, class.s + class.len + 1)
				       ? FIT_ARGUMENT
				       : FIT_CLASS;
	return FIT_NONE;
}

/* Returns the first token of the type for which the file defines the name of token `at`, as in
 * "typedef std::vector<int> name;" or "using name = std::vector<int>;"; -1 if it does not. */
static int64_t named_type(const struct view *v, int64_t at)
{
	const struct word name = { v->tokens.at[at].t.s, v->tokens.at[at].t.len };

	for (int64_t i = 1; i < v->tokens.n; i++) {
		int64_t from = i;

		if (!view_is_word(v, i, name))
			continue;
		if (view_is(v, i - 1, "using") && view_kind(v, i + 1) == TOK_ASSIGN)
			return i + 2;
		if (view_kind(v, i + 1) != ';')
			continue;
		while (from > 0 && view_kind(v, from - 1) != ';' && !view_is(v, from, "typedef"))
			from--;
		if (view_is(v, from, "typedef"))
			return from + 1;
	}
	return -1;
}

/* Compares the type of the member with `class` as fit_of() does. */
static enum fit fit_of_member(const struct view *v, const struct member *m, struct word class)
{
	enum fit fit = fit_of(v, m->type, class);
	const int64_t type = !fit && m->name == m->type + 1 ? named_type(v, m->type) : -1;

	return type < 0 ? fit : fit_of(v, type, class);
}

bool initializes_class(const struct statement *st, struct word class)
{
	struct member m;

	return member_of_entry(st, &m) && fit_of_member(st->view, &m, class);
}

bool members_for(const struct view *v, struct word class, const char *callee, char *out,
		 size_t size, struct word *only)
{
	const struct method method = method_of(callee);
	enum fit best = FIT_NONE;
	struct definition c;
	struct member m;
	bool fits = true;
	size_t n = 0;

	*only = (struct word){ NULL, 0 };
	if (!find_class(v, class, -1, &c))
		return false;
	while (next_member(v, &c.from, c.to, &m)) {
		const struct token *t = m.name < 0 ? NULL : &v->tokens.at[m.name].t;
		const enum fit fit = t ? fit_of_member(v, &m, method.owner) : FIT_NONE;

		if (!may_hold_block(v, &m))
			continue;
		fits = fits && append(out, size, &n, t);
		if (fit > best || (fit && fit == best))
			*only = (struct word){ fit > best ? t->s : NULL, t->len };
		best = fit > best ? fit : best;
	}
	return only->s || (fits && n > 0);
}

bool is_base_of(const struct view *v, struct word class, const char *callee)
{
	const struct method method = method_of(callee);
	struct definition c;

	if (!find_class(v, class, -1, &c))
		return false;
	for (int64_t i = c.name + 1; i < c.from; i++)
		if (view_is_word(v, i, method.owner))
			return true;
	return false;
}
