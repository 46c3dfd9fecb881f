/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the table of a function's landing pads: the places where it goes on after an exception. The
 * layout is that of the Itanium C++ ABI, which gcc and clang use for all languages. */
#include "symbol/landing.h"

#include <dwarf.h>

#include "symbol/cfi.h"
#include "symbol/cfi_table.h"
#include "symbol/file.h"
#include "symbol/leb.h"

/* Does a range of calls in the table have a landing pad? True if the table is damaged. */
static bool has_landing_pad(struct cursor c)
{
	const struct cfi_table t = { .start = c.p };
	uint8_t encoding = cursor_u8(&c);
	bool lands = false;
	struct cursor calls;
	uint64_t bytes;

	if (encoding != DW_EH_PE_omit) /* the base of the landing pads */
		cfi_pointer(&t, &c, encoding);
	if (cursor_u8(&c) != DW_EH_PE_omit) /* the end of the table of types */
		leb_unsigned(&c);
	encoding = cursor_u8(&c);
	bytes = leb_unsigned(&c);
	calls = cursor_range(&c, c.p, 0, bytes);
	while (cursor_left(&calls) && !lands) {
		cfi_pointer(&t, &calls, encoding); /* start and length of the range */
		cfi_pointer(&t, &calls, encoding);
		lands = cfi_pointer(&t, &calls, encoding);
		leb_unsigned(&calls); /* what to do there */
	}
	return lands || c.failed || calls.failed;
}

bool sym_lands(struct sym_file *f, uint64_t vaddr)
{
	uint64_t table;

	return file_cfi_landing(f, vaddr, &table) && has_landing_pad(image_at(&f->image, table));
}
