/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifdef __x86_64__
#include "as/vdso.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

struct vdso vdso;

/* Stores the address of the function `name`, which is `at`, if it is one of those that are wanted.
 */
static void keep_function(const char *name, const void *at)
{
	if (!strcmp(name, "__vdso_clock_gettime"))
		*(const void **)&vdso.gettime = at;
	else if (!strcmp(name, "__vdso_getcpu"))
		*(const void **)&vdso.getcpu = at;
}

/* Reads a table of symbols. The kernel has mapped the entire file, so its section headers can be
 * read, too; its addresses count from the start of the file. */
static void read_symbols(const char *image, const Elf64_Shdr *sections, const Elf64_Shdr *table)
{
	const Elf64_Sym *symbols = (const Elf64_Sym *)(image + table->sh_offset);
	const char *names = image + sections[table->sh_link].sh_offset;

	for (size_t i = 0; i < table->sh_size / sizeof(symbols[0]); i++)
		if (symbols[i].st_shndx != SHN_UNDEF)
			keep_function(names + symbols[i].st_name, image + symbols[i].st_value);
}

void vdso_find(void)
{
	const char *image = (const char *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)image;
	const Elf64_Shdr *sections;

	if (!image || !head->e_shoff || head->e_shentsize != sizeof(sections[0]))
		return;
	sections = (const Elf64_Shdr *)(image + head->e_shoff);
	for (unsigned i = 0; i < head->e_shnum; i++)
		if (sections[i].sh_type == SHT_DYNSYM)
			read_symbols(image, sections, &sections[i]);
}
#endif
