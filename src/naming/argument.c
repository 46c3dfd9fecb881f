/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/argument.h"

#include <string.h>

int64_t call_with_argument(const struct view *v, int64_t from, int64_t end, int *number)
{
	const int behind = view_kind(v, end);
	int64_t i = from - 1;

	*number = 0;
	if (behind != ',' && behind != ')')
		return -1;
	for (; view_kind(v, i) != '('; i--) {
		const int kind = view_kind(v, i);

		if (kind == ')' || kind == ']')
			i = v->tokens.at[i].partner;
		if (i < 0 || kind == ';' || kind == '{' || kind == '}' || kind == TOK_END)
			return -1;
		*number += kind == ',';
	}
	i--;
	return view_kind(v, i) == TOK_NAME && view_kind(v, i - 1) != '.' &&
			       view_kind(v, i - 1) != TOK_ARROW
		       ? i
		       : -1;
}

const struct function *function_named(const struct view *v, int64_t i)
{
	const struct token *name = &v->tokens.at[i].t;

	for (uint32_t k = 0; k < v->functions.n; k++) {
		const struct token *t = &v->tokens.at[v->functions.at[k].parameters - 1].t;

		if (t->kind == TOK_NAME && t->len == name->len && !memcmp(t->s, name->s, name->len))
			return &v->functions.at[k];
	}
	return NULL;
}
