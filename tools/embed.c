/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * embed HEADER ARRAY FUNCTIONS... -- FILE...: prints C source that defines `const struct sql_file
 * ARRAY[]` of HEADER: one { name, text } for each FILE, with its name without folder and extension.
 * { NULL, NULL } ends the array.
 *
 * The files FUNCTIONS have definitions "name(a, b) := text", one per line; lines that begin with a
 * blank continue the text. A call name(x, y) in a FILE, outside its comments, is replaced by the
 * text, with (x) for a and (y) for b. An argument that is a name or a number gets no parentheses. A
 * definition may call earlier definitions.
 *
 * embed --expand FUNCTIONS... -- FILE...: prints the files with the calls replaced.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FUNCTIONS = 128, MAX_PARAMS = 6 };

struct text {
	char *p;
	size_t len, cap;
};

struct word {
	const char *p;
	size_t len;
};

static struct function {
	struct word name, params[MAX_PARAMS];
	int nparams;
	char *body;
} functions[MAX_FUNCTIONS];
static int nfunctions;

static void die(const char *what, const char *where)
{
	fprintf(stderr, "embed: %s: %s\n", where, what);
	exit(1);
}

static void append_text(struct text *t, const char *p, size_t len)
{
	if (t->len + len + 1 > t->cap) {
		t->cap = 2 * (t->len + len + 1);
		t->p = realloc(t->p, t->cap);
		if (!t->p)
			die("out of memory", "embed");
	}
	memcpy(t->p + t->len, p, len);
	t->len += len;
	t->p[t->len] = 0;
}

static char *read_file(const char *path)
{
	struct text t = { 0 };
	FILE *in = fopen(path, "r");
	char buf[4096];
	size_t n;

	if (!in)
		die("cannot open", path);
	append_text(&t, "", 0);
	while ((n = fread(buf, 1, sizeof(buf), in)))
		append_text(&t, buf, n);
	fclose(in);
	return t.p;
}

static bool in_name(int c)
{
	return isalnum(c) || c == '_';
}

/* Returns the name (letters, digits and '_') at p; it may be empty. */
static struct word name_at(const char *p)
{
	struct word w = { p, 0 };

	while (in_name((unsigned char)p[w.len]))
		w.len++;
	return w;
}

static bool same_word(struct word a, struct word b)
{
	return a.len == b.len && !memcmp(a.p, b.p, a.len);
}

/* Returns the comma or closing parenthesis that ends the argument at p, outside of strings and
 * inner parentheses. */
static const char *argument_end(const char *p)
{
	for (int depth = 0; *p; p++) {
		if (*p == '\'') /* skips a string up to its closing quote */
			p = strchr(p + 1, '\'');
		if (!p)
			break;
		if (!depth && (*p == ',' || *p == ')'))
			return p;
		depth += (*p == '(') - (*p == ')');
	}
	die("a call without end", "embed");
	return NULL;
}

static void append_body(struct text *out, const struct function *f, const struct word *args)
{
	for (const char *p = f->body; *p;) {
		struct word w = name_at(p);
		int i;

		for (i = 0; w.len && i < f->nparams && !same_word(w, f->params[i]); i++)
			;
		if (w.len && i < f->nparams) {
			bool plain = name_at(args[i].p).len == args[i].len;

			append_text(out, "(", plain ? 0 : 1);
			append_text(out, args[i].p, args[i].len);
			append_text(out, ")", plain ? 0 : 1);
		} else {
			append_text(out, p, w.len ? w.len : 1);
		}
		p += w.len ? w.len : 1;
	}
}

static struct word trimmed_word(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (p < end && isspace((unsigned char)end[-1]))
		end--;
	return (struct word){ p, (size_t)(end - p) };
}

/* Reads a list such as "x, y)" with at most MAX_PARAMS members into out[]. Returns the position
 * after the list. */
static const char *list_words(const char *p, struct word *out, int *n)
{
	for (*n = 0; *n < MAX_PARAMS;) {
		const char *end = argument_end(p);

		out[(*n)++] = trimmed_word(p, end);
		p = end + 1;
		if (*end == ')')
			return p;
	}
	die("too many parameters", "embed");
	return NULL;
}

static char *expand_line(const char *p);

/* Replaces all calls of FUNCTIONS in an argument. The caller frees the result's text with free().
 */
static struct word expanded_word(struct word w)
{
	char *copy = strndup(w.p, w.len), *text = copy ? expand_line(copy) : NULL;

	if (!text)
		die("out of memory", "embed");
	free(copy);
	return (struct word){ text, strlen(text) };
}

/* Returns a copy of the text p in which all calls of FUNCTIONS are replaced. The caller frees it
 * with free(). */
static char *expand_line(const char *p)
{
	struct text out = { 0 };

	append_text(&out, "", 0);
	while (*p) {
		size_t n = *p == '-' && p[1] == '-' ? strcspn(p, "\n") : name_at(p).len;
		struct word w = { p, n }, args[MAX_PARAMS];
		const struct function *f;
		int i, nargs;

		for (i = 0; i < nfunctions && !(same_word(w, functions[i].name) && p[n] == '(');
		     i++)
			;
		if (i == nfunctions) {
			append_text(&out, p, n ? n : 1);
			p += n ? n : 1;
			continue;
		}
		f = &functions[i];
		p = list_words(p + n + 1, args, &nargs);
		if (nargs != f->nparams)
			die("a call with another number of arguments", "embed");
		for (i = 0; i < nargs; i++)
			args[i] = expanded_word(args[i]);
		append_body(&out, f, args);
		for (i = 0; i < nargs; i++)
			free((char *)(uintptr_t)args[i].p);
	}
	return out.p;
}

static void define_file(char *line, const char *path)
{
	struct function *f = &functions[nfunctions];
	char *sign = strstr(line, ":=");
	const char *end;

	if (!*line || !strncmp(line, "--", 2))
		return;
	if (nfunctions == MAX_FUNCTIONS || !sign || !strchr(line, '('))
		die("no definition, or too many", path);
	f->name = name_at(line);
	end = list_words(line + f->name.len + 1, f->params, &f->nparams);
	if (trimmed_word(end, sign).len)
		die("no definition", path);
	f->body = expand_line(sign + 2 + strspn(sign + 2, " "));
	nfunctions++;
}

static void print_text(const char *p)
{
	fputs("\t  \"", stdout);
	for (; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (c == '\n')
			fputs("\\n\"\n\t  \"", stdout);
		else if (c == '"' || c == '\\')
			printf("\\%c", c);
		/* '?' is escaped, too, because C takes "??" and one more character for a
		 * trigraph */
		else if (c < 32 || c > 126 || c == '?')
			printf("\\%03o", (unsigned)c);
		else
			putchar(c);
	}
	fputs("\" },\n", stdout);
}

static void embed_file(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *raw = read_file(path), *text = expand_line(raw);

	printf("\t{ \"%.*s\",\n", (int)strcspn(name, "."), name);
	print_text(text);
	free(text);
	free(raw);
}

/* Returns the end of the definition (or comment) at p: the next line that does not begin with a
 * blank. */
static char *definition_end(char *p)
{
	do {
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	} while (p && (*p == ' ' || *p == '\t'));
	return p;
}

static void define_all(const char *path)
{
	char *next;

	for (char *p = read_file(path); p; p = next) {
		next = definition_end(p);
		if (next)
			next[-1] = 0;
		define_file(p, path);
	}
}

static void expand_files(char **path)
{
	for (; *path; path++)
		fputs(expand_line(read_file(*path)), stdout);
}

static void embed_files(const char *header, const char *array, char **path)
{
	printf("#include \"%s\"\n\n#include <stddef.h>\n\nconst struct sql_file %s[] = {\n", header,
	       array);
	for (; *path; path++)
		embed_file(*path);
	printf("\t{ NULL, NULL },\n};\n");
}

int main(int argc, char **argv)
{
	bool only_expand = argc > 1 && !strcmp(argv[1], "--expand");
	int i = only_expand ? 2 : 3;

	for (; i < argc && strcmp(argv[i], "--") != 0; i++)
		define_all(argv[i]);
	if (i >= argc - 1) {
		fprintf(stderr, "usage: embed HEADER ARRAY FUNCTIONS... -- FILE... | --expand "
				"FUNCTIONS... -- FILE...\n");
		return 2;
	}
	if (only_expand)
		expand_files(argv + i + 1);
	else
		embed_files(argv[1], argv[2], argv + i + 1);
	return fflush(stdout) || ferror(stdout);
}
