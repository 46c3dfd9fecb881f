/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads statements of Fortran. Finds the objects that an ALLOCATE names, and the automatic arrays
 * of a declaration: those whose length is known only at run time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "naming/assign.h"
#include "naming/fortran.h"

enum {
	MAX_LINES = 40,
	/* maximum number of lines between the start of a procedure and a statement in it */
	MAX_ABOVE = 1000,
};

/* Returns the first token of an ALLOCATE's list of objects, after the type if it begins with one;
 * -1 if the line has no ALLOCATE. */
static int fortran_list(const struct tokens *ts)
{
	int i = 0;

	while (i < ts->n && !token_is_nocase(ts, i, "allocate"))
		i++;
	if (i >= ts->n || token_kind(ts, i + 1) != '(' || token_kind(ts, ts->n - 1) == ';')
		return -1;
	if (i > 0 && token_kind(ts, i - 1) != ')' && token_kind(ts, i - 1) != ';' &&
	    token_kind(ts, i - 1) != TOK_NUMBER)
		return -1;
	i += 2;
	for (int j = i; j < ts->n && token_kind(ts, j) != ','; j++) {
		if (token_kind(ts, j) == TOK_SCOPE)
			i = j + 1;
		else if (token_kind(ts, j) == '(' && token_match(ts, j) > 0)
			j = token_match(ts, j);
	}
	return i;
}

/* Returns the object at token i of an ALLOCATE's list, without its bounds: u or a(i)%b. Returns
 * no_name for an option such as "stat = ierr". Sets *next to the position after the object, or
 * after the option's name. */
static struct name fortran_object(const struct tokens *ts, int i, int *next)
{
	struct name n = no_name;

	*next = i;
	for (int j = i; token_kind(ts, j) == TOK_NAME; j += 2) {
		int end = token_kind(ts, j + 1) == '(' ? token_match(ts, j + 1) : j;

		n = (struct name){ i, j, false };
		*next = end < 0 ? ts->n : end + 1;
		if (end < 0 || token_kind(ts, end + 1) != '%')
			break;
		j = end;
	}
	return token_kind(ts, *next) == TOK_ASSIGN ? no_name : n;
}

static bool write_objects(const struct tokens *ts, int i, char *out, size_t size)
{
	size_t len = 0;
	struct name n;
	int next;

	for (; is_name(n = fortran_object(ts, i, &next)); i = next + 1) {
		if (len && len + 1 < size)
			out[len++] = '|';
		if (!write_name(ts, n, out + len, size - len))
			return false;
		len += strlen(out + len);
		if (token_kind(ts, next) != ',')
			break;
	}
	return len > 0;
}

bool fortran_allocate(const struct tokens *ts, char *out, size_t size)
{
	int list = fortran_list(ts);

	if (list < 0)
		return false;
	if (!write_objects(ts, list, out, size) && size)
		out[0] = '\0';
	return true;
}

/* Do the brackets that open at token i contain a name, such as the "n" in "(2, n)"? */
static bool has_name(const struct tokens *ts, int i)
{
	for (int end = token_match(ts, i); i < end; i++)
		if (token_kind(ts, i) == TOK_NAME)
			return true;
	return false;
}

/* Returns the position after the type and the attributes of a declaration, where its list of
 * variables begins; -1 if the statement is not a declaration. Sets *sized if the attribute
 * "dimension(n)" has a bound that is known only at run time. */
static int declared_list(const struct tokens *ts, bool *sized)
{
	static const char *const types[] = { "real", "integer", "double",    "complex",  "logical",
					     "type", "class",   "character", "dimension" };
	int i = 0, end = -1;

	for (size_t k = 0; end < 0 && k < COUNT_OF(types); k++)
		end = token_is_nocase(ts, 0, types[k]) ? 0 : -1;
	for (; end == 0 && i < ts->n; i++) {
		if (token_is_nocase(ts, i, "dimension"))
			*sized = has_name(ts, i + 1);
		if (token_kind(ts, i) == '(' && token_match(ts, i) > 0)
			i = token_match(ts, i);
		else if (token_kind(ts, i) == TOK_SCOPE)
			return i + 1;
	}
	if (end < 0)
		return -1;
	*sized = false;
	i = 1 + (token_is_nocase(ts, 1, "precision") || token_is_nocase(ts, 1, "complex"));
	if (token_kind(ts, i) == '*')
		i += 2;
	else if (token_kind(ts, i) == '(')
		i = token_match(ts, i) + 1;
	return token_kind(ts, i) == TOK_NAME ? i : -1;
}

/* Does the first statement of a procedure, such as "function f(x, n) result(r)", contain this name?
 * Then the caller passes the variable. The name in "bind(c)" does not count. */
static bool is_passed(const struct tokens *procedure, const struct token *name)
{
	for (int i = 0; i < procedure->n; i++) {
		const struct token *t = token_at(procedure, i);

		if (token_is_nocase(procedure, i, "bind") && token_match(procedure, i + 1) > 0)
			i = token_match(procedure, i + 1);
		else if (t->kind == TOK_NAME && t->len == name->len &&
			 !strncasecmp(t->s, name->s, t->len))
			return true;
	}
	return false;
}

/* Returns the position of the comma after the variable at token i of a declaration, past its bounds
 * and its initial value; -1 if it is the last variable. */
static int after_variable(const struct tokens *ts, int i)
{
	for (; i < ts->n && token_kind(ts, i) != ','; i++) {
		if (token_kind(ts, i) != '(' && token_kind(ts, i) != '[')
			continue;
		i = token_match(ts, i);
		if (i < 0)
			return -1;
	}
	return i < ts->n ? i : -1;
}

/* For a declaration of automatic arrays, whose bounds are known only at run time: writes their
 * names to `out`, such as "a|b" for "real(8) :: a(n), s, b(2 * n)". gfortran allocates them where
 * the function begins, and reports the line of the declaration. `procedure` is the first statement
 * of that function. Returns false if there is no such array, or if the names do not fit. */
static bool automatic_arrays(const struct tokens *ts, const struct tokens *procedure, char *out,
			     size_t size)
{
	bool sized = false;
	size_t len = 0;

	for (int i = declared_list(ts, &sized); i >= 0 && token_kind(ts, i) == TOK_NAME; i++) {
		const struct token *name = token_at(ts, i);
		const bool bounds = token_kind(ts, i + 1) == '(';

		if ((bounds ? has_name(ts, i + 1) : sized) && !is_passed(procedure, name)) {
			if (len + name->len + 2 > size)
				return false;
			len += (size_t)snprintf(out + len, size - len, "%s%.*s", len ? "|" : "",
						(int)name->len, name->s);
		}
		i = after_variable(ts, i);
		if (i < 0)
			break;
	}
	return len > 0;
}

/* The source form of a Fortran file: how a statement is continued on the next line. */
enum form {
	FORM_NONE,  /* the file is not Fortran */
	FORM_FIXED, /* a line that continues another one has a character in its sixth column */
	FORM_FREE,  /* "&" at the end of a line continues it on the next line */
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

	for (size_t i = 0; dot && i < COUNT_OF(forms); i++)
		if (!strcasecmp(dot, forms[i].ending))
			return forms[i].form;
	return FORM_NONE;
}

/* Returns the length of a Fortran line without its comment and without the blanks before the
 * comment. */
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

/* Does the line `next` continue the statement of `line`? */
static bool goes_on(const char *line, const char *next, enum form form)
{
	size_t n = fortran_length(line);

	if (form == FORM_FREE)
		return n && line[n - 1] == '&';
	return strnlen(next, 6) == 6 && strspn(next, " ") == 5 && next[5] != '0';
}

/* Appends a line to the statement in `text`, without its continuation marks. goes_on says whether
 * another line follows. Returns false if it does not fit. */
static bool append_line(char *text, size_t size, const char *line, enum form form, bool goes_on)
{
	size_t len = strlen(text), n = fortran_length(line), from = 0;

	if (form == FORM_FREE)
		from = strspn(line, " \t");
	/* skips the six columns for the label and the continuation mark */
	else if (n > 6 && !memchr(line, '\t', 6))
		from = 6;
	if (from < n && len && form == FORM_FREE && line[from] == '&')
		from++;
	n -= n && goes_on && form == FORM_FREE;
	if (n > from && (size_t)snprintf(text + len, size - len, " %.*s", (int)(n - from),
					 line + from) >= size - len)
		return false;
	return true;
}

/* Writes all strings of a statement with double quotes: tokens_read() cannot tell the start of a
 * string such as 'a.dat' from a lifetime of Rust. */
static void double_quotes(char *text)
{
	char quote = 0;

	for (; *text; text++) {
		const bool edge = quote ? *text == quote : *text == '"' || *text == '\'';

		if (edge) {
			quote = quote ? 0 : *text;
			*text = '"';
		} else if (quote && *text == '"') {
			*text = '\'';
		}
	}
}

bool fortran_statement(const struct fortran_line *l, char *text)
{
	enum form form = fortran_form(l->path);
	uint32_t line = l->line;
	const char *here = source_line(l->sources, l->path, line, l->not_after), *other;
	bool more = here != NULL;

	for (int n = 0; n < MAX_LINES && line > 1; n++, line--, here = other) {
		other = source_line(l->sources, l->path, line - 1, l->not_after);
		if (!here || !other || !goes_on(other, here, form))
			break;
	}
	*text = 0;
	for (int n = 0; n < 2 * MAX_LINES && more; n++, here = other) {
		other = source_line(l->sources, l->path, ++line, l->not_after);
		more = other && goes_on(here, other, form);
		if (!append_line(text, FORTRAN_TEXT, here, form, more))
			return false;
	}
	double_quotes(text);
	return *text;
}

/* Cuts the next statement off *text, a line in which ";" separates statements, and returns it.
 * Returns NULL when there are no more. */
static char *next_statement(char **text)
{
	char *start = *text, quote = 0;

	*text = NULL;
	for (char *p = start; p && *p; p++) {
		if (quote && *p == quote)
			quote = 0;
		else if (!quote && (*p == '"' || *p == '\''))
			quote = *p;
		if (quote || *p != ';')
			continue;
		*p = 0;
		*text = p + 1;
		break;
	}
	return start;
}

/* Returns 1 if this line begins a procedure, -1 if it ends one, 0 if neither. */
static int procedure_edge(const char *line, enum form form)
{
	struct tokens ts;
	int i = 0;

	/* in fixed form, one of these in the first column begins a comment */
	if (form == FORM_FIXED && strchr("cCdD*!", *line))
		return 0;
	if (!strcasestr(line, "subroutine") && !strcasestr(line, "function") &&
	    !strcasestr(line, "end"))
		return 0;
	tokens_read(&ts, line);
	if (token_is_nocase(&ts, 0, "endsubroutine") || token_is_nocase(&ts, 0, "endfunction"))
		return -1;
	if (token_is_nocase(&ts, 0, "end"))
		return token_kind(&ts, 1) != TOK_NAME || token_is_nocase(&ts, 1, "subroutine") ||
				       token_is_nocase(&ts, 1, "function")
			       ? -1
			       : 0;
	while (i < ts.n && !token_is_nocase(&ts, i, "subroutine") &&
	       !token_is_nocase(&ts, i, "function") &&
	       (token_kind(&ts, i) == TOK_NAME || token_kind(&ts, i) == '('))
		i = token_kind(&ts, i) == '(' && token_match(&ts, i) > 0 ? token_match(&ts, i) + 1
									 : i + 1;
	return (token_is_nocase(&ts, i, "subroutine") || token_is_nocase(&ts, i, "function")) &&
	       token_kind(&ts, i + 1) == TOK_NAME;
}

bool fortran_ends_procedure(const struct fortran_line *l)
{
	const char *line = source_line(l->sources, l->path, l->line, l->not_after);

	return !line || procedure_edge(line, fortran_form(l->path)) < 0;
}

bool fortran_begins_procedure(const struct fortran_line *l)
{
	const char *line = source_line(l->sources, l->path, l->line, l->not_after);
	struct tokens ts;

	if (!line || procedure_edge(line, fortran_form(l->path)) > 0)
		return true;
	if (!strcasestr(line, "program"))
		return false;
	tokens_read(&ts, line);
	return token_is_nocase(&ts, 0, "program");
}

/* Skips procedures that end above the line, such as those of an INTERFACE. */
void fortran_procedure(const struct fortran_line *l, char *text)
{
	struct fortran_line above = *l;
	int inner = 0;

	for (int n = 0; n < MAX_ABOVE && above.line > 1; n++) {
		const char *line = source_line(l->sources, l->path, --above.line, l->not_after);

		inner -= line ? procedure_edge(line, fortran_form(l->path)) : 0;
		if (inner >= 0)
			continue;
		if (!fortran_statement(&above, text))
			break;
		return;
	}
	*text = 0;
}

/* Are all "=" of the statement in brackets? Then they name arguments, as in "open(newunit=u)", and
 * assign nothing. */
static bool names_arguments(const struct tokens *ts)
{
	bool found = false;

	for (int i = 0, depth = 0; i < ts->n; i++) {
		const int kind = token_kind(ts, i);

		depth += (kind == '(') - (kind == ')');
		if (kind == TOK_ASSIGN && !depth)
			return false;
		found |= kind == TOK_ASSIGN;
	}
	return found;
}

/* Does the statement contain an array constructor with variables, as in "w = [u, v]" or "w =
 * (/(f(i), i = 1, n)/)"? A bracket after a name is a subscript of a coarray. */
static bool constructs_array(const struct tokens *ts)
{
	for (int i = 1; i < ts->n; i++) {
		const int kind = token_kind(ts, i), before = token_kind(ts, i - 1);

		if (((kind == '[' && before != TOK_NAME && before != ')') ||
		     (kind == '(' && token_kind(ts, i + 1) == '/')) &&
		    has_name(ts, i))
			return true;
	}
	return false;
}

/* Writes to `out` the names to which the statements in a line assign. If there are ALLOCATEs among
 * them, these are all names that the ALLOCATEs list, joined as "u|v"; otherwise the first name that
 * is assigned, or all automatic arrays of a declaration in `procedure`. Sets *how. Returns false if
 * there is no name or if the names do not fit. */
static bool assigned_names(char *text, const struct tokens *procedure, char *out, size_t size,
			   enum fortran_how *how)
{
	const bool allocates = strcasestr(text, "allocate");
	const char *statement;
	struct tokens ts;
	char name[256];
	size_t len = 0;

	while ((statement = next_statement(&text))) {
		bool declares;

		tokens_read(&ts, statement);
		declares = !allocates && automatic_arrays(&ts, procedure, name, sizeof(name));
		if ((allocates && !strcasestr(statement, "allocate")) ||
		    (!allocates && !declares && names_arguments(&ts)) ||
		    (!declares && !assigned_name(statement, name, sizeof(name))))
			continue;
		*how = declares                        ? FORTRAN_DECLARES
		       : allocates                     ? FORTRAN_ALLOCATES
		       : constructs_array(&ts)         ? FORTRAN_CONSTRUCTS
		       : fortran_value_has_target(&ts) ? FORTRAN_REARRANGES
						       : FORTRAN_ASSIGNS;
		len += (size_t)snprintf(out + len, size - len, "%s%s", len ? "|" : "", name);
		if (len >= size) {
			out[0] = 0;
			*how = FORTRAN_NOTHING;
			return false;
		}
		if (!allocates)
			break;
	}
	return len > 0;
}

bool is_fortran(const char *path)
{
	return fortran_form(path) != FORM_NONE;
}

bool fortran_assigned_at(struct sources *s, const char *path, uint32_t line, int64_t not_after,
			 char *out, size_t size, enum fortran_how *how)
{
	const struct fortran_line l = { s, path, line, not_after };
	char text[FORTRAN_TEXT], first[FORTRAN_TEXT];
	struct tokens *procedure;
	bool found;

	out[0] = 0;
	*how = FORTRAN_NOTHING;
	if (!fortran_statement(&l, text))
		return false;
	procedure = malloc(sizeof(*procedure));
	if (!procedure)
		return false;
	fortran_procedure(&l, first);
	tokens_read(procedure, first);
	found = assigned_names(text, procedure, out, size, how);
	free(procedure);
	return found;
}
