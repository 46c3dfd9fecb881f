/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols of a kernel: lines of "address type name [module]". */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/file.h"
#include "symbol/text.h"

enum { MAX_EXTENT = 1 << 20 }; /* bytes that a symbol reaches to where none follows */

/* Adds one line, which it cuts into NUL-terminated words; what is none of a symbol is skipped. */
static int add_line(struct symtab *t, char *line)
{
	struct symtab_row row = { 0 };
	char *name, *end;
	uint64_t address = strtoull(line, &end, 16);
	char type;

	if (end == line || *end != ' ' || !end[1] || end[2] != ' ' || !address)
		return 0;
	type = end[1];
	name = end + 3;
	name[strcspn(name, " \t\r")] = '\0';
	if (!name[0] || !strchr("tTwWdDbBrRvV", type))
		return 0;
	row.name = name;
	row.bind = strchr("wWvV", type) ? STB_WEAK : strchr("TDBR", type) ? STB_GLOBAL : STB_LOCAL;
	return symtab_add(t, name, address, 0,
			  address < UINT64_MAX - MAX_EXTENT ? address + MAX_EXTENT : UINT64_MAX,
			  strchr("tTwW", type), symtab_rank(&row));
}

static int add_lines(struct symtab *t, char *text)
{
	char *line;
	int ret = 0;

	while (!ret && (line = text_line(&text)))
		ret = add_line(t, line);
	return ret;
}

int sym_kallsyms_open(const char *path, struct sym_file **out, struct md_err *err)
{
	struct sym_file *f = calloc(1, sizeof(*f));
	int ret;

	*out = NULL;
	if (!f)
		return md_fail(err, MD_ENOMEM, "cannot read '%s': out of memory", path);
	f->absolute = true;
	f->symtab_loaded = true;
	ret = text_read(path, &f->text, err);
	if (ret)
		goto out;
	if (add_lines(&f->symtab, f->text)) {
		ret = md_fail(err, MD_ENOMEM, "cannot read '%s': out of memory", path);
		goto out;
	}
	if (!f->symtab.n) {
		ret = md_fail(err, MD_EFORMAT,
			      "no kernel symbols in '%s': its addresses are hidden (kptr_restrict)",
			      path);
		goto out;
	}
	symtab_sort(&f->symtab);
	*out = f;
	f = NULL;
out:
	sym_file_close(f);
	return ret;
}
