/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the variables of a Fortran COMMON block that have no address in DWARF. gfortran writes no
 * address for the block in a procedure that was inlined everywhere; the main program usually is
 * such a procedure.
 *
 * The block's symbol has an address and a size, and a COMMON block stores its variables one after
 * the other. So the sizes of the variables say where each one begins. If the sizes do not add up to
 * the symbol's size, there is padding or EQUIVALENCE. Then no variable of the block is reported.
 */
#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "symbol/unit.h"

enum { MAX_BLOCK_VARIABLES = 4096 };

/* Searches a symbol table for a variable called `name`. Each symbol counts as work, because a file
 * may have many symbols and many blocks. */
static bool find_in(struct debuginfo *d, Elf_Scn *section, const GElf_Shdr *head, const char *name,
		    GElf_Sym *out)
{
	Elf_Data *data = elf_getdata(section, NULL);
	const int n = data && head->sh_entsize && data->d_size / head->sh_entsize < INT32_MAX
			      ? (int)(data->d_size / head->sh_entsize)
			      : 0;

	for (int i = 0; i < n && d->work++ < UNIT_MAX_WORK && gelf_getsym(data, i, out); i++) {
		const char *s = GELF_ST_TYPE(out->st_info) == STT_OBJECT && out->st_value
					? elf_strptr(d->elf, head->sh_link, out->st_name)
					: NULL;

		if (s && !strcmp(s, name))
			return true;
	}
	return false;
}

static bool find_symbol(struct debuginfo *d, const char *name, GElf_Sym *out)
{
	Elf_Scn *section = NULL;
	GElf_Shdr head;

	while ((section = elf_nextscn(d->elf, section)))
		if (gelf_getshdr(section, &head) && head.sh_type == SHT_SYMTAB &&
		    find_in(d, section, &head, name, out))
			return true;
	return false;
}

/* Adds up the sizes of the block's variables. Returns 0 if one of them has an address in DWARF or
 * has no known size. */
static uint64_t size_of_all(struct debuginfo *d, Dwarf_Die *block)
{
	uint64_t sum = 0, size;
	Dwarf_Die die;
	int left = MAX_BLOCK_VARIABLES;

	if (dwarf_child(block, &die) != 0)
		return 0;
	do {
		if (dwarf_tag(&die) != DW_TAG_variable)
			continue;
		size = unit_size_of(&die);
		if (dwarf_hasattr(&die, DW_AT_location) || !size || !left-- ||
		    __builtin_add_overflow(sum, size, &sum))
			return 0;
	} while (unit_next_sibling(d, &die));
	return sum;
}

bool unit_common_block(struct debuginfo *d, Dwarf_Die *block, uint64_t *vaddr)
{
	const uint64_t size = size_of_all(d, block);
	Dwarf_Attribute attr;
	const char *name;
	GElf_Sym symbol;

	if (!size || d->searches == UNIT_MAX_SEARCHES ||
	    !dwarf_attr(block, DW_AT_linkage_name, &attr))
		return false;
	d->searches++;
	name = dwarf_formstring(&attr);
	if (!name || !find_symbol(d, name, &symbol) || symbol.st_size != size)
		return false;
	*vaddr = symbol.st_value;
	return true;
}
