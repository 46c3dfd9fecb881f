/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/count.h"

enum { NOT_KNOWN = ~0u };

void frame_release(struct frame *f)
{
	free(f->set);
}

/* If the directive s begins with `name`, returns the text after `name` and spaces. Otherwise
 * NULL. */
static const char *text_after(const char *s, const char *name)
{
	const size_t n = strlen(name);

	return strncmp(s, name, n) ? NULL : s + n + strspn(s + n, " \t");
}

/* Is the frame's address relative to the stack pointer after this directive? gcc names registers by
 * their number in DWARF, clang by their name. */
static bool by_sp_after(const char *s, bool by_sp)
{
	const char *base = text_after(s, ".cfi_def_cfa_register ");

	base = base ? base : text_after(s, ".cfi_def_cfa ");
	if (base)
		return text_after(base, "%rsp") || text_after(base, "rsp") || text_after(base, "7");
	/* 0x0f is DW_CFA_def_cfa_expression. Functions that align the stack have it, and they use a
	 * frame pointer */
	return by_sp && !text_after(s, ".cfi_escape 0xf,") && !text_after(s, ".cfi_escape 0x0f,");
}

static void add_directive(struct frame *f, const char *s)
{
	if (f->now.n == f->room) {
		const unsigned room = f->room ? 2 * f->room : 64;
		struct frame_directive *set = realloc(f->set, room * sizeof(set[0]));

		if (!set) {
			f->failed = true;
			return;
		}
		f->set = set;
		f->room = room;
	}
	f->set[f->now.n++] = (struct frame_directive){ s, ++f->numbers };
	f->now.by_sp = by_sp_after(s, f->now.by_sp);
}

static void remember_state(struct frame *f)
{
	if (f->depth == COUNT_OF(f->remembered))
		f->failed = true;
	else
		f->remembered[f->depth++] = f->now;
}

void frame_read(struct frame *f, const char *line, FILE *out)
{
	const char *s = line + strspn(line, " \t");

	if (!text_after(s, ".cfi_"))
		return;
	if (text_after(s, ".cfi_startproc")) {
		f->open = true;
		f->now = (struct frame_state){ 0, true };
		f->depth = 0;
		f->copied = NOT_KNOWN;
		fputs("\t.cfi_remember_state\n", out);
	} else if (text_after(s, ".cfi_endproc")) {
		f->open = false;
	} else if (text_after(s, ".cfi_remember_state")) {
		remember_state(f);
	} else if (text_after(s, ".cfi_restore_state")) {
		if (f->depth)
			f->now = f->remembered[--f->depth];
	} else if (f->open && !text_after(s, ".cfi_personality") && !text_after(s, ".cfi_lsda")) {
		add_directive(f, s);
	}
}

/* Returns the number of a directive in force: the last one if `back` is 0, the one before it if
 * `back` is 1, and so on; 0 if there is none. */
static unsigned number_of(const struct frame *f, unsigned back)
{
	return f->now.n > back ? f->set[f->now.n - 1 - back].number : 0;
}

void frame_copy(struct frame *f, FILE *copies)
{
	unsigned i = 0;

	if (!f->open || f->copied == number_of(f, 0))
		return;
	if (f->now.n && f->copied == number_of(f, 1))
		i = f->now.n - 1;
	else
		fputs("\t.cfi_restore_state\n\t.cfi_remember_state\n", copies);
	for (; i < f->now.n; i++)
		fprintf(copies, "\t%s\n", f->set[i].text);
	f->copied = number_of(f, 0);
}

void frame_begin_copies(const struct frame *f, FILE *out)
{
	for (unsigned i = 0; f->open && i < f->depth; i++)
		fputs("\t.cfi_restore_state\n", out);
}

void frame_move(const struct frame *f, int bytes, FILE *out)
{
	if (f->open && f->now.by_sp)
		fprintf(out, "\t.cfi_adjust_cfa_offset %d\n", bytes);
}
