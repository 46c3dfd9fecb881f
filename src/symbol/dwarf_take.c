/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles the answers of the child process that reads DWARF (dwarf_server.c). The answers are
 * untrusted, and an invalid one ends the child.
 */
#include "symbol/dwarf_link.h"

#include <ctype.h>
#include <stdio.h>

enum {
	MAX_VARIABLES = 1 << 22,
	MAX_LOCALS = 1 << 16, /* maximum number of records (struct sym_local) of one function */
	MAX_TEXTS = 1 << 26,
	MAX_TEXT_BYTES = 1 << 30, /* maximum number of bytes of all strings of a file */
};

static const char unsound[] = "the process that read it gave an unsound answer";
static const char no_memory[] = "out of memory";

static const char *take_text(struct dwarf *d, struct cursor *c)
{
	uint32_t n = cursor_u32(c), id;
	const char *s = cursor_bytes(c, n);

	if (!s || n > DWARF_MAX_TEXT || memchr(s, 0, n) || d->texts.n == MAX_TEXTS ||
	    d->strings.arena.used > MAX_TEXT_BYTES)
		return unsound;
	id = strings_id_n(&d->strings, s, n);
	if (!id || !VEC_ROOM(&d->texts))
		return no_memory;
	d->texts.at[d->texts.n++] = id;
	return NULL;
}

/* Stores the child's sentence about damage in d->problem. Replaces unprintable bytes, because the
 * sentence is written to a database and to a terminal. */
static const char *take_damage(struct dwarf *d, struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	const char *s = cursor_bytes(c, n);
	char text[DWARF_MAX_DAMAGE + 1] = "";

	if (!s || n > DWARF_MAX_DAMAGE)
		return unsound;
	for (uint32_t i = 0; i < n; i++)
		text[i] = isprint((unsigned char)s[i]) ? s[i] : '?';
	snprintf(d->problem, sizeof(d->problem), "debug information of '%s' is damaged: %s",
		 d->path, text);
	return NULL;
}

/* Reads the child's number of a string and gets the id of the same string in d->strings. Returns
 * false if the child has sent no string with this number. */
static bool take_id(const struct dwarf *d, struct cursor *c, uint32_t *id)
{
	uint32_t n = cursor_u32(c);

	if (n > d->texts.n)
		return false;
	*id = n ? AT_ID(d->texts, n) : 0;
	return true;
}

static const char *take_place(struct dwarf *d, struct dwarf_flight *f, struct cursor *c)
{
	unsigned n = cursor_u8(c);
	struct dwarf_answer *a;

	if (f->verb != DWARF_LINES || !f->count || d->answered == d->sent || n > SYM_MAX_INLINE)
		return unsound;
	a = &d->answers.at[d->answered];
	a->first = d->frames.n;
	for (unsigned i = 0; i < n; i++) {
		struct dwarf_frame x;

		if (!take_id(d, c, &x.function) || !take_id(d, c, &x.file))
			return unsound;
		x.line = cursor_u32(c);
		x.column = cursor_u32(c);
		if (!VEC_ROOM(&d->frames))
			return no_memory;
		d->frames.at[d->frames.n++] = x;
	}
	if (c->failed)
		return unsound;
	a->n = n;
	d->answered++;
	f->count--;
	return NULL;
}

static struct sym_entry take_entry(struct cursor *c)
{
	struct sym_entry e = { .unit = cursor_u32(c) };

	e.offset = cursor_u64(c);
	return e;
}

static const char *take_variable(struct dwarf *d, const struct dwarf_flight *f, struct cursor *c)
{
	struct sym_variable v = { .vaddr = cursor_u64(c), .size = cursor_u64(c) };
	uint32_t name, file;

	if (f->verb != DWARF_VARIABLES || !take_id(d, c, &name) || !take_id(d, c, &file))
		return unsound;
	v.line = cursor_u32(c);
	v.is_tls = cursor_u8(c);
	v.entry = take_entry(c);
	if (c->failed || !name || d->variables.n == MAX_VARIABLES)
		return unsound;
	v.name = strings_text(&d->strings, name);
	v.file = strings_text(&d->strings, file);
	if (!VEC_ROOM(&d->variables))
		return no_memory;
	d->variables.at[d->variables.n++] = v;
	return NULL;
}

static const char *take_local(struct dwarf *d, const struct dwarf_flight *f, struct cursor *c)
{
	struct sym_local v = { .variable = cursor_u32(c) };
	uint32_t name, file;

	v.base = cursor_u8(c);
	v.offset = (int64_t)cursor_u64(c);
	v.size = cursor_u64(c);
	if (f->verb != DWARF_LOCALS || !take_id(d, c, &name) || !take_id(d, c, &file))
		return unsound;
	v.line = cursor_u32(c);
	v.lo = cursor_u64(c);
	v.hi = cursor_u64(c);
	v.points = cursor_u8(c);
	v.array = cursor_u8(c);
	v.in_slot = cursor_u8(c);
	v.passed = cursor_u8(c);
	v.entry = take_entry(c);
	if (c->failed || !name || !v.size || v.offset < -(int64_t)INT32_MAX ||
	    v.offset > INT32_MAX || (v.points && v.passed) || d->locals.n == MAX_LOCALS)
		return unsound;
	v.name = strings_text(&d->strings, name);
	v.file = strings_text(&d->strings, file);
	if (!VEC_ROOM(&d->locals))
		return no_memory;
	d->locals.at[d->locals.n++] = v;
	return NULL;
}

/* Do the members cover each byte of the type exactly once? A flexible array must come last. */
static bool is_sound_type(const struct dwarf *d)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < d->members.n; i++) {
		const struct sym_member *m = &d->members.at[i];
		const bool last = i + 1 == d->members.n;

		if (m->offset != end || (!m->size && !last) || m->size > d->type.size)
			return false;
		end += m->size;
		if (last && m->size ? end != d->type.size : end > d->type.size)
			return false;
	}
	return d->type.size && d->type.name && d->members.n;
}

static const char *take_layout(struct dwarf *d, const struct dwarf_flight *f, struct cursor *c)
{
	uint32_t name, type, n;

	if (f->verb != DWARF_TYPE || d->members.n || !take_id(d, c, &name))
		return unsound;
	d->type.name = strings_text(&d->strings, name);
	d->type.kind = cursor_u8(c);
	d->type.size = cursor_u64(c);
	n = cursor_u32(c);
	if (c->failed || d->type.kind >= SYM_TYPE_KINDS || !n || n > SYM_MAX_MEMBERS)
		return unsound;
	while (n--) {
		struct sym_member m;

		if (!take_id(d, c, &name) || !take_id(d, c, &type))
			return unsound;
		m.name = strings_text(&d->strings, name);
		m.type = strings_text(&d->strings, type);
		m.offset = cursor_u64(c);
		m.size = cursor_u64(c);
		if (c->failed)
			return unsound;
		if (!VEC_ROOM(&d->members))
			return no_memory;
		d->members.at[d->members.n++] = m;
	}
	return is_sound_type(d) ? NULL : unsound;
}

static const char *take_opened(struct dwarf *d, const struct dwarf_flight *f, struct cursor *c)
{
	if (f->verb != DWARF_OPEN)
		return unsound;
	d->found = cursor_u8(c);
	d->asked = true;
	return NULL;
}

static const char *take_record(struct dwarf *d, struct dwarf_flight *f, struct cursor *c)
{
	switch (cursor_u8(c)) {
	case DWARF_TEXT:
		return take_text(d, c);
	case DWARF_OPENED:
		return take_opened(d, f, c);
	case DWARF_DAMAGE:
		return take_damage(d, c);
	case DWARF_PLACE:
		return take_place(d, f, c);
	case DWARF_VARIABLE:
		return take_variable(d, f, c);
	case DWARF_LOCAL:
		return take_local(d, f, c);
	case DWARF_LAYOUT:
		return take_layout(d, f, c);
	}
	return unsound;
}

const char *dwarf_take(struct dwarf_flight *f, struct cursor c, bool last)
{
	const char *wrong = NULL;

	if (!f->d)
		return NULL;
	while (!wrong && cursor_left(&c))
		wrong = take_record(f->d, f, &c);
	if (!wrong && (c.failed || (last && f->verb == DWARF_LINES && f->count) ||
		       (last && f->verb == DWARF_OPEN && !f->d->asked)))
		wrong = unsound;
	f->d->locals_complete |= !wrong && last && f->verb == DWARF_LOCALS;
	f->d->type_complete |= !wrong && last && f->verb == DWARF_TYPE;
	f->d->variables_complete |= !wrong && last && f->verb == DWARF_VARIABLES;
	return wrong;
}
