/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "asm_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampler_kind.h"
#include "asm_words.h"
#include "x86.h"

/* Maximum number of lines that text_flags_are_free() examines. */
enum { FOLLOW_MOST = 300 };

/* A label. `used` says whether the text refers to it outside of debug information. */
struct label {
	struct label *next; /* next in the list of all labels, text.labels */
	int line;
	bool used;
	char name[];
};

static bool starts_with(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

static const char *skip_space(const char *s)
{
	return s + strspn(s, " \t");
}

/* Returns the length of the symbol at the start of s; 0 if there is none. */
static size_t symbol_length(const char *s)
{
	return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$");
}

static bool is_label(const char *s)
{
	const size_t n = symbol_length(s);

	return n && s[n] == ':';
}

/* Returns the label whose name is the first n characters of `name`; adds it if it is new. NULL
 * means out of memory. */
static struct label *find_label(struct text *t, const char *name, size_t n)
{
	struct label *l = calloc(1, sizeof(*l) + n + 1);
	ENTRY e, *found = NULL;

	if (!l)
		return NULL;
	memcpy(l->name, name, n);
	e = (ENTRY){ .key = l->name, .data = l };
	if (hsearch_r(e, FIND, &found, &t->hash)) {
		free(l);
		return found->data;
	}
	if (!hsearch_r(e, ENTER, &found, &t->hash)) {
		free(l);
		return NULL;
	}
	l->line = -1;
	l->next = t->labels;
	t->labels = l;
	return l;
}

/* Marks the local labels (".L…") in this line as used, because the line refers to them. Returns
 * false if out of memory. */
static bool use_labels(struct text *t, const char *s)
{
	for (size_t n; *s; s += n ? n : 1) {
		struct label *l;

		n = symbol_length(s);
		if (n < 3 || s[0] != '.' || s[1] != 'L')
			continue;
		l = find_label(t, s, n);
		if (!l)
			return false;
		l->used = true;
	}
	return true;
}

static bool is_debug_directive(const char *s)
{
	return starts_with(s, ".loc") || starts_with(s, ".cfi") || starts_with(s, ".file") ||
	       starts_with(s, ".type") || starts_with(s, ".p2align") || starts_with(s, ".align") ||
	       starts_with(s, ".weak") || starts_with(s, ".hidden") || starts_with(s, ".globl");
}

enum section { SECTION_CODE, SECTION_DATA, SECTION_DEBUG };

/* Returns the section to which the lines after the directive s belong. `now` is the previous
 * section, which most directives do not change. */
static enum section section_after(const char *s, enum section now)
{
	if (starts_with(s, ".text"))
		return SECTION_CODE;
	if (starts_with(s, ".data") || starts_with(s, ".bss"))
		return SECTION_DATA;
	if (!starts_with(s, ".section"))
		return now;
	s = skip_space(s + strlen(".section"));
	return starts_with(s, ".debug") || starts_with(s, ".gnu.debug") ? SECTION_DEBUG
	       : starts_with(s, ".text") || strstr(s, "\"ax")           ? SECTION_CODE
									: SECTION_DATA;
}

/* Returns the kind of a line. A label is a LINE_LABEL here: whether anything uses it is known only
 * after the first pass. *opaque says whether the line is inside an asm statement. */
static enum line_kind kind_of(const char *s, enum section section, bool *opaque)
{
	if (starts_with(s, "#APP"))
		*opaque = true;
	if (starts_with(s, "#NO_APP")) {
		*opaque = false;
		return LINE_OPAQUE;
	}
	if (*opaque)
		return LINE_OPAQUE;
	if (!*s || *s == '#')
		return LINE_EMPTY;
	if (is_label(s))
		return LINE_LABEL;
	if (*s == '.')
		return starts_with(s, ".cfi_endproc") || starts_with(s, ".size") ? LINE_END
		       : is_debug_directive(s)                                   ? LINE_EMPTY
										 : LINE_DIRECTIVE;
	return section == SECTION_CODE ? LINE_INSN : LINE_DIRECTIVE;
}

static void read_insn(struct line *l, const struct x86 *x)
{
	for (unsigned i = 0; i < x->naccesses && !x->repeated; i++)
		l->accesses += (x->access[i].kind & ACCESS_LOAD) + (x->access[i].kind >> 1);
	l->repeated = x->repeated;
	l->reads_flags = x->reads_flags;
	l->sets_flags = x->sets_flags;
	l->ends_block = x->ends_block;
	l->leaves = x->leaves;
}

/* First pass over the text: finds the kind of each line, and which labels are used. Returns false
 * if out of memory. */
static bool read_lines(struct text *t)
{
	enum section section = SECTION_CODE;
	bool opaque = false, foreign = false;

	for (int i = 0; i < t->n; i++) {
		struct line *l = &t->line[i];
		const char *s = skip_space(l->text);
		struct label *label;

		l->kind = kind_of(s, section, &opaque);
		l->target = -1;
		section = section_after(s, section);
		foreign |= starts_with(s, ".intel_syntax") || starts_with(s, ".code32") ||
			   starts_with(s, ".code16");
		if (starts_with(s, ".ident") && (strstr(s, "GCC") || strstr(s, "clang")))
			t->compiled = true;
		if (l->kind == LINE_LABEL) {
			label = find_label(t, s, symbol_length(s));
			if (!label)
				return false;
			label->line = i;
			label->used |= !starts_with(s, ".L");
		} else if (section != SECTION_DEBUG && l->kind != LINE_EMPTY &&
			   l->kind != LINE_END) {
			if (!use_labels(t, s))
				return false;
		}
	}
	t->compiled &= !foreign;
	return true;
}

/* Second pass: makes the lines of unused labels LINE_EMPTY, parses the instructions, and finds the
 * lines to which they jump. */
static void resolve_lines(struct text *t)
{
	for (int i = 0; i < t->n; i++) {
		struct line *l = &t->line[i];
		const char *s = skip_space(l->text);
		struct label *label;
		struct x86 x;

		if (l->kind == LINE_LABEL) {
			label = find_label(t, s, symbol_length(s));
			if (label && !label->used)
				l->kind = LINE_EMPTY;
		}
		if (l->kind != LINE_INSN)
			continue;
		x86_parse(s, &x);
		read_insn(l, &x);
		if (!x.target.n)
			continue;
		label = find_label(t, x.target.at, symbol_length(x.target.at));
		l->target = label ? label->line : -1;
	}
}

static bool split_lines(struct text *t, size_t size)
{
	char *end = t->bytes + size;
	size_t n = 1;

	*end = '\0';
	for (const char *s = t->bytes; s < end; s++)
		n += *s == '\n';
	t->line = calloc(n, sizeof(t->line[0]));
	if (!t->line || n > INT32_MAX / 4 || !hcreate_r(2 * n + 16, &t->hash))
		return false;
	t->hashed = true;
	for (char *s = t->bytes, *next; s < end; s = next) {
		next = memchr(s, '\n', (size_t)(end - s));
		next = next ? next : end;
		*next = '\0';
		t->line[t->n++].text = s;
		next++;
	}
	return true;
}

bool text_read(struct text *t, char *bytes, size_t size)
{
	memset(t, 0, sizeof(*t));
	t->bytes = bytes;
	if (!split_lines(t, size) || !read_lines(t))
		return false;
	resolve_lines(t);
	return true;
}

void text_release(struct text *t)
{
	if (t->hashed)
		hdestroy_r(&t->hash);
	for (struct label *l = t->labels, *next; l; l = next) {
		next = l->next;
		free(l);
	}
	free(t->line);
	free(t->bytes);
}

bool text_uses(const struct text *t, const char *prefix)
{
	for (int i = 0; i < t->n; i++) {
		struct words w;

		if (t->line[i].kind != LINE_INSN || !strstr(t->line[i].text, prefix))
			continue;
		words_split(t->line[i].text, &w);
		for (unsigned k = 0; k < w.n; k++)
			if (starts_with(w.operand[k].at + strspn(w.operand[k].at, "*$"), prefix))
				return true;
	}
	return false;
}

bool text_flags_are_free(const struct text *t, int line)
{
	for (int n = 0; n < FOLLOW_MOST && line >= 0 && line < t->n; n++) {
		const struct line *l = &t->line[line];

		/* compilers assume that an asm statement changes all flags, so none is needed after
		 * it */
		if (l->kind == LINE_OPAQUE)
			return true;
		if (l->kind == LINE_INSN && l->reads_flags)
			return false;
		if (l->kind == LINE_INSN && l->sets_flags)
			return true;
		/* a jump to another function or through a table: compilers never need a flag after
		 * such a jump */
		if (l->kind == LINE_INSN && l->leaves && l->target < 0)
			return true;
		line = l->kind == LINE_INSN && l->leaves ? l->target : line + 1;
	}
	return false;
}
