/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows a variable of a Fortran procedure to the procedure's caller. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "naming/assign.h"
#include "naming/fortran.h"
#include "naming/function.h"

enum {
	MAX_BELOW = 300, /* maximum number of lines from an ALLOCATE to its MOVE_ALLOC */
	MAX_CALL = 300,  /* maximum number of lines from the reported line to the call */
};

static bool is_word(const struct tokens *ts, int i, const char *s, size_t len)
{
	const struct token *t = token_at(ts, i);

	return t->kind == TOK_NAME && t->len == len && !strncasecmp(t->s, s, len);
}

/* Returns the length of the variable at the start of a name: 1 for "g%u(3)". */
static size_t base_length(const char *name)
{
	return strcspn(name, "%(|");
}

/* Returns the opening bracket of the arguments of "subroutine f(a, b)"; -1 if there are none. */
static int parameters_of(const struct tokens *ts)
{
	for (int i = 0; i + 2 < ts->n; i++)
		if (token_is_nocase(ts, i, "subroutine") || token_is_nocase(ts, i, "function"))
			return token_kind(ts, i + 2) == '(' ? i + 2 : -1;
	return -1;
}

int fortran_argument(const struct fortran_line *l, const char *name)
{
	char text[FORTRAN_TEXT];
	struct tokens ts;
	int open, number = 0;

	fortran_procedure(l, text);
	tokens_read(&ts, text);
	open = parameters_of(&ts);
	for (int i = open + 1, end = token_match(&ts, open); open > 0 && i < end; i += 2, number++)
		if (is_word(&ts, i, name, base_length(name)))
			return number;
	return -1;
}

/* Returns the variable that argument n passes, with its members and subscripts, but without the
 * last subscript: a(i)%b for "a(i)%b(1, 1)". Returns no_name if the argument is not a variable. */
static struct name variable_in(const struct tokens *ts, struct name n)
{
	struct name v = no_name;

	for (int i = n.from; i <= n.to && token_kind(ts, i) == TOK_NAME;) {
		const int end = token_kind(ts, i + 1) == '(' ? token_match(ts, i + 1) : i;

		v = (struct name){ n.from, i, false };
		if (end == n.to)
			return v;
		if (end < 0 || token_kind(ts, end + 1) != '%')
			break;
		i = end + 2;
	}
	return no_name;
}

/* Returns argument `number`, from 0, of the call whose bracket opens at token `open`. If the call
 * has an argument with the keyword name[0..len), as in "g = grid", returns that argument. */
static struct name argument_of(const struct tokens *ts, int open, int number, const char *name,
			       size_t len)
{
	struct name found = no_name;
	const int end = token_match(ts, open);

	for (int i = open + 1, k = 0; end > 0 && i < end; k++) {
		struct name n = argument_from(ts, i);

		if (!is_name(n))
			break;
		i = n.to + 2;
		if (token_kind(ts, n.from + 1) == TOK_ASSIGN) {
			if (is_word(ts, n.from, name, len))
				return (struct name){ n.from + 2, n.to, false };
		} else if (k == number) {
			found = n;
		}
	}
	return found;
}

/* Is token i the name of an interface of the procedure? By convention, a procedure that is called
 * by the name "read" of an interface has a name such as "read_2d". */
static bool is_interface_of(const struct tokens *ts, int i, const struct word *function)
{
	const size_t len = token_at(ts, i)->len;

	return len && len < function->len && function->s[len] == '_' &&
	       is_word(ts, i, function->s, len);
}

/* Returns the variable that the statement passes as argument `number` of the procedure. In the call
 * of a type-bound procedure, "call a%b%init(n)", the procedure may have another name, and its first
 * argument is a%b. */
static struct name passed_in(const struct tokens *ts, const struct word *function, int number,
			     const char *name, size_t len)
{
	int call = 0, last = -1;

	for (int i = 0; i < ts->n; i++)
		if (is_word(ts, i, function->s, function->len) && token_kind(ts, i + 1) == '(' &&
		    token_kind(ts, i - 1) != '%')
			return variable_in(ts, argument_of(ts, i + 1, number, name, len));
	while (call < ts->n && !token_is_nocase(ts, call, "call"))
		call++;
	if (is_interface_of(ts, call + 1, function) && token_kind(ts, call + 2) == '(')
		return variable_in(ts, argument_of(ts, call + 2, number, name, len));
	for (int i = call + 1; i < ts->n && token_kind(ts, i) != ';'; i++) {
		if (token_kind(ts, i) == '(')
			i = token_match(ts, i);
		else if (token_kind(ts, i) == '%')
			last = i;
		if (i < 0)
			return no_name;
	}
	if (token_kind(ts, last + 1) != TOK_NAME || last < 0)
		return no_name;
	return !number ? variable_in(ts, (struct name){ call + 1, last - 1, false })
		       : variable_in(ts, argument_of(ts, last + 2, number - 1, name, len));
}

/* Replaces the variable at the start of name[0..size) by the name n of tokens ts. Returns false if
 * n is no_name or if the result does not fit. */
static bool replace_base(const struct tokens *ts, struct name n, char *name, size_t size)
{
	char text[256], rest[256];
	const char *behind = name + base_length(name);

	if (!write_name(ts, n, text, sizeof(text)) || strlen(behind) >= sizeof(rest) ||
	    strlen(text) + strlen(behind) >= size)
		return false;
	strcpy(rest, behind);
	snprintf(name, size, "%s%s", text, rest);
	return true;
}

/* Does the statement call this subroutine? */
static bool calls(const struct tokens *ts, const struct word *function)
{
	for (int i = 0; i < ts->n; i++)
		if (token_is_nocase(ts, i, "call") &&
		    is_word(ts, i + 1, function->s, function->len))
			return true;
	return false;
}

/* Does a line of the procedure at or above *l contain the text? */
static bool is_above(struct fortran_line l, const char *text)
{
	for (int n = 0; n < MAX_CALL; n++, l.line--) {
		const char *line = source_line(l.sources, l.path, l.line, l.not_after);

		if (!line || strcasestr(line, text))
			return true;
		if (fortran_begins_procedure(&l))
			return false;
	}
	return true;
}

/* Reads the first statement of the procedure that calls the subroutine, into *ts and
 * text[FORTRAN_TEXT]. It must be below *l. */
static bool first_call(struct fortran_line l, const struct word *function, char *text,
		       struct tokens *ts)
{
	char name[64];

	if (snprintf(name, sizeof(name), "%.*s", (int)function->len, function->s) >=
		    (int)sizeof(name) ||
	    is_above(l, name))
		return false;
	for (int n = 0; n < MAX_CALL; n++) {
		const char *line = source_line(l.sources, l.path, ++l.line, l.not_after);

		if (!line || fortran_ends_procedure(&l) || fortran_begins_procedure(&l))
			return false;
		if (!strcasestr(line, name) || !fortran_statement(&l, text))
			continue;
		tokens_read(ts, text);
		if (calls(ts, function))
			return true;
	}
	return false;
}

bool fortran_in_caller(const struct fortran_line *l, const char *function, int argument, char *name,
		       size_t size)
{
	const struct method m = method_of(function);
	char text[FORTRAN_TEXT];
	bool has_call = false;
	struct tokens ts;

	if (!fortran_statement(l, text))
		return false;
	tokens_read(&ts, text);
	for (int i = 0; i < ts.n; i++)
		has_call |=
			token_is_nocase(&ts, i, "call") || is_word(&ts, i, m.name.s, m.name.len);
	if (!has_call && !first_call(*l, &m.name, text, &ts))
		return false;
	return replace_base(&ts, passed_in(&ts, &m.name, argument, name, base_length(name)), name,
			    size);
}

void fortran_moved(const struct fortran_line *l, char *name, size_t size)
{
	struct fortran_line below = *l;
	char text[FORTRAN_TEXT];
	struct tokens ts;

	if (strpbrk(name, "%(|"))
		return;
	for (int n = 0; n < MAX_BELOW; n++) {
		const char *line = source_line(l->sources, l->path, ++below.line, l->not_after);

		if (!line || fortran_ends_procedure(&below))
			break;
		if (!strcasestr(line, "move_alloc") || !fortran_statement(&below, text))
			continue;
		tokens_read(&ts, text);
		for (int i = 0; i < ts.n; i++) {
			struct name from;

			if (!token_is_nocase(&ts, i, "move_alloc") || token_kind(&ts, i + 1) != '(')
				continue;
			from = argument_of(&ts, i + 1, 0, "from", 4);
			if (from.from == from.to && is_word(&ts, from.from, name, strlen(name))) {
				replace_base(&ts,
					     variable_in(&ts, argument_of(&ts, i + 1, 1, "to", 2)),
					     name, size);
				return;
			}
		}
	}
}

/* Returns the "=" of an assignment; the number of tokens if there is none. */
static int assignment_in(const struct tokens *ts)
{
	int i = 0;

	for (int depth = 0; i < ts->n; i++) {
		const int kind = token_kind(ts, i);

		depth += (kind == '(') - (kind == ')');
		if (kind == TOK_ASSIGN && !depth)
			break;
	}
	return i;
}

bool fortran_value_has_target(const struct tokens *ts)
{
	const int sign = assignment_in(ts);
	int last = sign - 1;
	const struct token *name;

	if (token_kind(ts, last) == ')')
		last = token_match(ts, last) - 1;
	if (token_kind(ts, last) != TOK_NAME)
		return false;
	name = token_at(ts, last);
	for (int i = sign + 1; i < ts->n; i++) {
		const struct token *t = token_at(ts, i);

		if (token_kind(ts, i) == TOK_NAME && t->len == name->len &&
		    !strncasecmp(t->s, name->s, name->len))
			return true;
	}
	return false;
}
