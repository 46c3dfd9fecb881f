/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf_build.h"

#include <elf.h>
#include <stdio.h>

#include "check_main.h"

enum { CODE = 4096, MAX_SECTIONS = 8 };

void dwarf_build(const char *path, const struct dwarf_build_section *s, size_t n)
{
	Elf64_Ehdr h = {
		.e_ident = ELFMAG,
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(h),
		.e_ehsize = sizeof(h),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)(n + 2),
		.e_shstrndx = (Elf64_Half)(n + 1),
	};
	Elf64_Phdr code = { .p_type = PT_LOAD,
			    .p_flags = PF_R | PF_X,
			    .p_vaddr = 0x1000,
			    .p_filesz = CODE,
			    .p_memsz = CODE };
	Elf64_Shdr table[MAX_SECTIONS + 2] = { 0 };
	char names[256] = "";
	uint64_t at = CODE;
	size_t names_len = 1;
	FILE *f = fopen(path, "w");

	ck_assert(f && n <= MAX_SECTIONS);
	for (size_t i = 0; i <= n; i++) {
		const char *name = i < n ? s[i].name : ".shstrtab";

		table[i + 1] = (Elf64_Shdr){ .sh_name = (Elf64_Word)names_len,
					     .sh_type = i < n ? SHT_PROGBITS : SHT_STRTAB,
					     .sh_flags = i < n ? s[i].flags : 0,
					     .sh_offset = at,
					     .sh_addralign = 1 };
		memcpy(names + names_len, name, strlen(name) + 1);
		names_len += strlen(name) + 1;
		table[i + 1].sh_size = i < n ? s[i].len : names_len;
		at += table[i + 1].sh_size;
	}
	memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = ELFCLASS64;
	h.e_ident[EI_DATA] = ELFDATA2LSB;
	h.e_ident[EI_VERSION] = EV_CURRENT;
	h.e_shoff = (at + 7) & ~(uint64_t)7;
	fwrite(&h, sizeof(h), 1, f);
	fwrite(&code, sizeof(code), 1, f);
	fseek(f, CODE, SEEK_SET);
	for (size_t i = 0; i < n; i++)
		fwrite(s[i].bytes, 1, s[i].len, f);
	fwrite(names, 1, names_len, f);
	fseek(f, (long)h.e_shoff, SEEK_SET);
	fwrite(table, sizeof(table[0]), n + 2, f);
	ck_assert_int_eq(fclose(f), 0);
}
