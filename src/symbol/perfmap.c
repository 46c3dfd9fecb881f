/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the names of code that was generated at run time, in lines of the form "start size name"
 * with hexadecimal numbers.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/index.h"
#include "symbol/file.h"
#include "symbol/text_symbols.h"

struct jit_symbol {
	uint64_t start, size;
	const char *name;
	uint32_t order; /* position of its line in the file */
};

struct jit_symbols {
	struct jit_symbol *at;
	uint32_t n, cap;
};

/* Adds the symbol of one line. Invalid lines are skipped. A name may contain spaces:
 * "LazyCompile:*run /app/main.js:3:14". Returns false when out of memory. */
static bool add_line(struct jit_symbols *l, char *line)
{
	struct jit_symbol s = { .order = l->n };
	char *end;

	s.start = strtoull(line, &end, 16);
	if (end == line || *end != ' ')
		return true;
	line = end + 1;
	s.size = strtoull(line, &end, 16);
	if (end == line || *end != ' ' || !s.size || s.start + s.size < s.start)
		return true;
	s.name = end + 1;
	end[1 + strcspn(end + 1, "\r")] = '\0';
	if (!*s.name)
		return true;
	if (!VEC_ROOM(l))
		return false;
	l->at[l->n++] = s;
	return true;
}

/* Compares by address. If two symbols have the same address, the symbol on the later line comes
 * first, because its code replaced the other symbol's code. */
static int by_start(const void *a, const void *b)
{
	const struct jit_symbol *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? 1 : -1;
}

static int fill_symtab(struct symtab *t, const struct jit_symbols *l)
{
	const uint64_t none = UINT64_MAX;
	uint64_t last = none;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < l->n; i++) {
		const struct jit_symbol *s = &l->at[i];

		if (s->start != last || s->start == none)
			ret = symtab_add(t, s->name, s->start, s->size, s->start + s->size, true,
					 0);
		last = s->start;
	}
	symtab_sort(t);
	return ret;
}

bool sym_perfmap_is_ours(const char *path, int64_t by)
{
	const unsigned want = STATX_TYPE | STATX_UID | STATX_NLINK;
	struct statx st;

	if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, want | STATX_BTIME, &st) ||
	    (st.stx_mask & want) != want || !S_ISREG(st.stx_mode) || st.stx_nlink != 1)
		return false;
	if (st.stx_uid && st.stx_uid != geteuid())
		return false;
	return !(st.stx_mask & STATX_BTIME) || st.stx_btime.tv_sec <= by;
}

int sym_perfmap_open(const char *path, struct sym_file **out, struct md_err *err)
{
	struct sym_file *f = calloc(1, sizeof(*f));
	struct jit_symbols l = { 0 };
	int ret = f ? text_read(path, &f->text, err) : MD_ENOMEM;
	char *rest, *line;

	*out = NULL;
	if (ret)
		goto out;
	f->absolute = true;
	f->symtab_loaded = true;
	rest = f->text;
	while (!ret && (line = text_line(&rest)))
		ret = add_line(&l, line) ? 0 : MD_ENOMEM;
	if (!ret && l.n)
		qsort(l.at, l.n, sizeof(*l.at), by_start);
	if (!ret)
		ret = fill_symtab(&f->symtab, &l);
	if (ret)
		goto out;
	*out = f;
	f = NULL;
out:
	if (ret == MD_ENOMEM)
		text_nomem(path, err);
	free(l.at);
	sym_file_close(f);
	return ret;
}
