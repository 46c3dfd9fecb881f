/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/words.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void words_release(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
	*w = (struct words){ 0 };
}

/* Appends s to the list, which takes ownership of it; on failure s is freed. s may be NULL, the
 * result of a failed allocation: then w->failed is set. */
static void append_word(struct words *w, char *s)
{
	char **v = w->v;

	if (!s || w->failed)
		goto fail;
	if (w->n + 2 > w->cap) {
		size_t cap = w->cap ? 2 * w->cap : 32;

		v = realloc(w->v, cap * sizeof(*v));
		if (!v)
			goto fail;
		w->v = v;
		w->cap = cap;
	}
	v[w->n++] = s;
	v[w->n] = NULL;
	return;
fail:
	w->failed = true;
	free(s);
}

void words_add(struct words *w, const char *s)
{
	append_word(w, strdup(s));
}

void words_addf(struct words *w, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	append_word(w, s);
}

void words_add_all(struct words *w, char *const *v)
{
	for (; v && *v; v++)
		words_add(w, *v);
}

static size_t env_index(const struct words *w, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < w->n; i++)
		if (!strncmp(w->v[i], name, len) && w->v[i][len] == '=')
			return i;
	return SIZE_MAX;
}

const char *words_env(const struct words *w, const char *name)
{
	size_t i = env_index(w, name);

	return i == SIZE_MAX ? NULL : w->v[i] + strlen(name) + 1;
}

void words_set_env(struct words *w, const char *name, const char *value)
{
	size_t i = env_index(w, name);
	char *s;

	if (i == SIZE_MAX) {
		words_addf(w, "%s=%s", name, value);
		return;
	}
	if (asprintf(&s, "%s=%s", name, value) < 0) {
		w->failed = true;
		return;
	}
	free(w->v[i]);
	w->v[i] = s;
}

void words_unset_env(struct words *w, const char *name)
{
	size_t i = env_index(w, name);

	if (i == SIZE_MAX)
		return;
	free(w->v[i]);
	memmove(&w->v[i], &w->v[i + 1], (w->n - i) * sizeof(w->v[0]));
	w->n--;
}

static void print_quoted(const char *s, FILE *f)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+=./,:@%^";

	if (*s && !s[strspn(s, plain)]) {
		fputs(s, f);
		return;
	}
	fputc('\'', f);
	for (; *s; s++) {
		if (*s == '\'')
			fputs("'\\''", f);
		else
			fputc(*s, f);
	}
	fputc('\'', f);
}

void words_print(const struct words *w, FILE *f)
{
	for (size_t i = 0; i < w->n; i++) {
		if (i)
			fputc(' ', f);
		print_quoted(w->v[i], f);
	}
}
