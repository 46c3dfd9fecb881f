/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out, before a program runs, which allocator it uses: libc, an allocator in a library, or a
 * malloc of its own. The tracker sees only calls that the dynamic linker binds to the tracker's
 * functions. So it does not see calls to a malloc that the program contains. The user gets a
 * warning before the recording starts. */
#include "record/allocator.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/runtime.h"

/* Does this symbol table define a function named malloc? */
static bool defines_malloc(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	GElf_Sym sym;

	for (size_t i = 0; data && i < n; i++) {
		const char *name;

		if (!gelf_getsym(data, (int)i, &sym))
			return false;
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (name && !strcmp(name, "malloc"))
			return true;
	}
	return false;
}

/* Searches the libraries that the file needs for a known allocator. If there is one, copies its
 * name to `name` and returns true. The file is not trusted, so the loop ends with the section even
 * if the terminating entry is missing. */
static bool needs_allocator(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, char *name, size_t len)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	GElf_Dyn dyn;

	for (size_t i = 0; data && i < n && gelf_getdyn(data, (int)i, &dyn); i++) {
		const char *needed;

		if (dyn.d_tag != DT_NEEDED)
			continue;
		needed = elf_strptr(elf, sh->sh_link, dyn.d_un.d_val);
		if (needed && runtime_is_allocator(needed)) {
			snprintf(name, len, "%s", needed);
			return true;
		}
	}
	return false;
}

/*
 * Returns how the program allocates. A malloc that is defined in .symtab and not in .dynsym is
 * ALLOCATOR_HIDDEN: the loader does not see it and cannot replace it.
 */
static enum allocator_kind allocator_of_elf(Elf *elf, char *name, size_t len)
{
	bool exported = false, defined = false, needed = false;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)) && gelf_getshdr(scn, &sh)) {
		if (sh.sh_type == SHT_DYNSYM)
			exported |= defines_malloc(elf, scn, &sh);
		else if (sh.sh_type == SHT_SYMTAB)
			defined |= defines_malloc(elf, scn, &sh);
		else if (sh.sh_type == SHT_DYNAMIC)
			needed |= needs_allocator(elf, scn, &sh, name, len);
	}
	return exported  ? ALLOCATOR_OWN
	       : defined ? ALLOCATOR_HIDDEN
	       : needed  ? ALLOCATOR_LIBRARY
			 : ALLOCATOR_LIBC;
}

/* A file that is not ELF or cannot be read counts as ALLOCATOR_LIBC. */
enum allocator_kind allocator_of(const char *path, char *name, size_t len)
{
	enum allocator_kind kind = ALLOCATOR_LIBC;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	*name = 0;
	if (fd < 0)
		return kind;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		kind = allocator_of_elf(elf, name, len);
	elf_end(elf);
	close(fd);
	return kind;
}
