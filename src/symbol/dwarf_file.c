/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/dwarf_file.h"

#include <stdlib.h>
#include <string.h>

#include "symbol/dwarf_link.h"

struct dwarf *dwarf_open(const char *path, const struct image *im)
{
	struct dwarf *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->path = path;
	d->image = im;
	if (link_add(d))
		return d;
	free(d);
	return NULL;
}

void dwarf_close(struct dwarf *d)
{
	if (!d)
		return;
	link_remove(d);
	free(d->answers.at);
	free(d->frames.at);
	free(d->texts.at);
	free(d->variables.at);
	free(d->locals.at);
	free(d->members.at);
	index_release(&d->by_vaddr);
	strings_release(&d->strings);
	free(d);
}

bool dwarf_found(struct dwarf *d)
{
	if (!d->asked)
		link_open(d);
	return d->found;
}

/* Finds vaddr in d->answers, or adds it as not yet answered. Returns its position; UINT32_MAX means
 * out of memory. */
static uint32_t ask_for(struct dwarf *d, uint64_t vaddr)
{
	uint32_t hash = index_hash(vaddr, 0), place = hash, id;

	while ((id = index_next(&d->by_vaddr, hash, &place)))
		if (AT_ID(d->answers, id).vaddr == vaddr)
			return id - 1;
	if (!VEC_ROOM(&d->answers) || !index_add(&d->by_vaddr, hash, d->answers.n + 1))
		return UINT32_MAX;
	d->answers.at[d->answers.n] = (struct dwarf_answer){ .vaddr = vaddr };
	return d->answers.n++;
}

static unsigned copy_answer(const struct dwarf *d, const struct dwarf_answer *a,
			    struct sym_line *out, unsigned max)
{
	unsigned n = a->n < max ? a->n : max;

	for (unsigned i = 0; i < n; i++) {
		const struct dwarf_frame *x = &d->frames.at[a->first + i];

		out[i] = (struct sym_line){ .function = strings_text(&d->strings, x->function),
					    .file = strings_text(&d->strings, x->file),
					    .line = x->line,
					    .column = x->column };
	}
	return n;
}

unsigned dwarf_lines(struct dwarf *d, uint64_t vaddr, struct sym_line *out, unsigned max)
{
	uint32_t at;

	if (d->asked && !d->found)
		return 0;
	at = ask_for(d, vaddr);
	if (at == UINT32_MAX)
		return 0;
	while (d->answered <= at && link_open(d)) {
		link_send_lines(d);
		link_receive();
	}
	return at < d->answered ? copy_answer(d, &d->answers.at[at], out, max) : 0;
}

void dwarf_prepare(struct dwarf *d, const uint64_t *vaddrs, size_t n)
{
	if (!link_open(d))
		return;
	for (size_t i = 0; i < n; i++)
		ask_for(d, vaddrs[i]);
	link_send_lines(d);
}

int dwarf_variables(struct dwarf *d, int (*fn)(const struct sym_variable *v, void *arg), void *arg)
{
	int ret = 0;

	while (!d->variables_complete && link_open(d)) {
		d->variables.n = 0;
		link_send(d, DWARF_VARIABLES, NULL, 0);
		while (link_busy(d))
			link_receive();
	}
	for (uint32_t i = 0; !ret && i < d->variables.n; i++)
		ret = fn(&d->variables.at[i], arg);
	return ret;
}

const struct sym_local *dwarf_locals(struct dwarf *d, uint64_t vaddr, uint32_t *n)
{
	d->locals_complete = false;
	d->locals.n = 0;
	while (!d->locals_complete && link_open(d)) {
		d->locals.n = 0;
		link_send(d, DWARF_LOCALS, &vaddr, sizeof(vaddr));
		while (link_busy(d))
			link_receive();
	}
	*n = d->locals_complete ? d->locals.n : 0;
	return d->locals.at;
}

bool dwarf_type(struct dwarf *d, const struct sym_type_query *q, struct sym_type *out)
{
	struct dwarf_type_query body = { .entry = q->entry.offset,
					 .unit = q->entry.unit,
					 .vaddr = q->vaddr,
					 .inlined = q->inlined,
					 .by = (uint8_t)q->by,
					 .reg = q->reg };
	const size_t n = q->text ? strlen(q->text) : 0;

	if (n > SYM_MAX_TYPE_TEXT)
		return false;
	if (n)
		memcpy(body.text, q->text, n);
	d->type_complete = false;
	d->members.n = 0;
	while (!d->type_complete && link_open(d)) {
		d->members.n = 0;
		link_send(d, DWARF_TYPE, &body, sizeof(body));
		while (link_busy(d))
			link_receive();
	}
	*out = d->type;
	out->members = d->members.at;
	out->nmembers = d->members.n;
	return d->type_complete && d->members.n;
}

const char *dwarf_problem(const struct dwarf *d)
{
	return d->problem[0] ? d->problem : NULL;
}
