/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/vdso.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

int vdso_open(struct image *im)
{
	const ElfW(Ehdr) *h = (const void *)getauxval(AT_SYSINFO_EHDR);
	size_t len;
	void *copy;

	*im = (struct image){ 0 };
	if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
		return SYM_MISSING;
	/* The section headers are the last part of the vdso, so their end is the end of the vdso.
	 * They are mapped, too. */
	len = h->e_shoff + (size_t)h->e_shnum * h->e_shentsize;
	copy = malloc(len);
	if (!copy)
		return MD_ENOMEM;
	memcpy(copy, h, len);
	return image_take(copy, len, im);
}
