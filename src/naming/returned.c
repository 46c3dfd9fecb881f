/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/returned.h"

#include <stdio.h>
#include <string.h>

#include "naming/type.h"

/* A returned value "v->a.b", perhaps with "&" before it, and with a subscript or a sum after it. */
struct part {
	char path[SYM_MAX_TYPE_TEXT]; /* "v->a.b" */
	bool is_address;              /* "&v->a.b" or "&v->a.b[i]" */
	bool has_subscript;           /* "v->a.b[i]" or "&v->a.b[i]" */
};

/* Reads the value at token i. Returns false if it is no member of the variable's struct, a larger
 * expression, or an element whose index is not a number: the caller gets one of the elements then,
 * as in "return &v->slots[i];", and not the block after its head. */
static bool read_place(const struct view *v, int64_t i, struct word variable, struct part *out)
{
	int len, kind;

	i = after_casts(v, i);
	*out = (struct part){ .is_address = view_kind(v, i) == '&' };
	i += out->is_address;
	if (!view_is_word(v, i, variable) || view_kind(v, ++i) != TOK_ARROW)
		return false;
	len = snprintf(out->path, sizeof(out->path), "%.*s->", (int)variable.len, variable.s);
	do {
		const struct token *t = &v->tokens.at[++i].t;

		if (view_kind(v, i) != TOK_NAME || len + t->len + 2 > sizeof(out->path))
			return false;
		len += sprintf(out->path + len, "%.*s%s", (int)t->len, t->s,
			       view_kind(v, i + 1) == '.' ? "." : "");
	} while (view_kind(v, ++i) == '.');
	out->has_subscript = view_kind(v, i) == '[' && v->tokens.at[i].partner > i;
	if (out->has_subscript) {
		if (view_kind(v, i + 1) != TOK_NUMBER || v->tokens.at[i].partner != i + 2)
			return false;
		i += 3;
	}
	kind = view_kind(v, i);
	return kind == ';' || kind == ')' || (kind == '+' && !out->is_address);
}

/* Is the member an array of the struct `t`, to which the variable points? */
static bool is_array(const struct naming *n, const struct frame *f, const struct sym_type *t,
		     const char *path)
{
	const struct sym_type *element = type_named(n, f, path);
	const char *member = strstr(path, "->") + 2;

	for (uint32_t i = 0; element && i < t->nmembers; i++) {
		const struct sym_member *m = &t->members[i];

		if (m->name && !strcmp(m->name, member))
			return !m->size || m->size > element->size;
	}
	return false;
}

bool returns_inside(const struct naming *n, const struct frame *f, const struct statement *st,
		    const struct holder *h)
{
	const struct word variable = { h->text, h->base_len };
	const struct view *v = st->view;
	const struct sym_type *t;
	struct part p;

	if (!st->function || !holder_is_variable(h) || v->is_rust)
		return false;
	for (int64_t i = st->place, end = search_end(st->function, i); i < end; i++) {
		if (!view_is(v, i, "return") || !read_place(v, i + 1, variable, &p))
			continue;
		if (p.is_address && !p.has_subscript)
			return true;
		t = p.is_address == p.has_subscript ? type_pointed(n, f, h->text) : NULL;
		if (t && t->kind == SYM_STRUCT && is_array(n, f, t, p.path))
			return true;
	}
	return false;
}
