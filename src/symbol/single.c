/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a struct sym_file that consists of one symbol and has no code. It represents a function
 * that the kernel generated. */
#include <stdlib.h>
#include <string.h>

#include "symbol/file.h"

int sym_single_open(const char *name, uint64_t size, struct sym_file **out, struct md_err *err)
{
	struct sym_file *f = calloc(1, sizeof(*f));

	*out = NULL;
	if (!f)
		goto nomem;
	f->absolute = true;
	f->symtab_loaded = true;
	f->text = strdup(name);
	if (!f->text || symtab_add(&f->symtab, f->text, 0, size, size, true, 0))
		goto nomem;
	symtab_sort(&f->symtab);
	*out = f;
	return 0;
nomem:
	sym_file_close(f); /* f may be NULL */
	return md_nomem(err);
}
