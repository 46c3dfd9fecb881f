/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the program to record, and checks whether the tracker can be loaded into it. It checks as
 * much as possible before the program runs, so that the user gets an explanation instead of an
 * empty table. */
#include "record/target.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/loader.h"
#include "base/runtime.h"
#include "record/script.h"
#include "track_format.h"

/* Each text completes the sentence "allocations are not tracked: …". */
const char *target_untracked_text(enum target_untracked u)
{
	switch (u) {
	case TARGET_STATIC:
		return "it is statically linked";
	case TARGET_PRIVILEGED:
		return "it is setuid, setgid or has file capabilities";
	case TARGET_OTHER_ABI:
		return "it is built for another machine or word size";
	case TARGET_OTHER_LIBC:
		return "its C library is neither glibc nor musl";
	case TARGET_SANITIZER:
		return "it needs AddressSanitizer's library, which bears no other before it";
	case TARGET_LISTS:
		return "the loader is to print a list, in which the tracker would be, too";
	case TARGET_TRACKED:
		break;
	}
	return "";
}

/* Returns true also for programs that ignore LD_PRELOAD, because the programs that they start may
 * not ignore it. */
bool target_bears_preload(enum target_untracked u)
{
	return u == TARGET_TRACKED || u == TARGET_STATIC || u == TARGET_PRIVILEGED;
}

/* Returns 0, or the errno that execve() would set. */
static int cannot_execute(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return errno;
	if (!S_ISREG(st.st_mode))
		return EACCES;
	return access(path, X_OK) ? errno : 0;
}

/* Searches PATH as execvp() does: for the first file that can be executed. If there is none,
 * returns EACCES if a file of this name was refused, otherwise ENOENT. */
static int search_path(const char *name, char *out, size_t len)
{
	const char *p = getenv("PATH");
	int refused = ENOENT;

	if (!p)
		p = "/bin:/usr/bin";
	for (;; p++) {
		int n = (int)strcspn(p, ":");
		int ret;

		if ((size_t)snprintf(out, len, "%.*s%s%s", n, p, n ? "/" : "./", name) < len) {
			ret = cannot_execute(out);
			if (!ret)
				return 0;
			if (ret == EACCES)
				refused = EACCES;
		}
		p += n;
		if (!*p)
			return refused;
	}
}

/* Gets the interpreter of a script. Returns false if the file is not a script or names none. */
static bool read_interpreter(const char *path, char *out, size_t len)
{
	const char *name = NULL, *argument;
	char head[SCRIPT_HEAD + 1];

	if (script_read_head(path, head))
		name = script_interpreter(head, &argument);
	return name && *name && (size_t)snprintf(out, len, "%s", name) < len;
}

/* Returns the file that the kernel executes: the program, or the interpreter of a script. For
 * `#!/usr/bin/env NAME` this is env, not NAME. This is good enough: if env is dynamically linked,
 * NAME usually is, too. */
static const char *final_program(struct target *t)
{
	const char *path = t->path;
	char next[PATH_MAX];

	for (int i = 0; i < SCRIPTS_MOST && read_interpreter(path, next, sizeof(next)); i++) {
		memcpy(t->interpreter, next, sizeof(next));
		path = t->interpreter;
	}
	return path;
}

/* Finds the program header PT_INTERP. Returns false if there is none. */
static bool find_interp(Elf *elf, GElf_Phdr *ph)
{
	size_t n = 0;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, ph) && ph->p_type == PT_INTERP)
			return true;
	return false;
}

/* Does the path name a loader that the tracker supports? */
static bool is_known_loader(const char *path)
{
	const char *slash = strrchr(path, '/');

	return runtime_is_loader(slash ? slash + 1 : path);
}

/* Does the tracker support the loader that the file asks for? Returns true also if the loader's
 * path cannot be read. preload/fit.c makes the same test for every program that a tracked program
 * starts. */
static bool has_known_loader(int fd, const GElf_Phdr *interp)
{
	char path[256] = "";
	size_t len = interp->p_filesz < sizeof(path) ? interp->p_filesz : sizeof(path) - 1;

	return pread(fd, path, len, (off_t)interp->p_offset) != (ssize_t)len ||
	       is_known_loader(path);
}

/* Does this dynamic section list a needed library whose name starts with `name`? (The rest may be a
 * version, as in "libtsan.so.2".) */
static bool needs_in(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *name)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	const char *needed;
	GElf_Dyn dyn;

	for (size_t i = 0; data && i < n && gelf_getdyn(data, (int)i, &dyn); i++) {
		needed = dyn.d_tag == DT_NEEDED ? elf_strptr(elf, sh->sh_link, dyn.d_un.d_val)
						: NULL;
		if (needed && !strncmp(needed, name, strlen(name)))
			return true;
	}
	return false;
}

static bool needs_library(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)) && gelf_getshdr(scn, &sh))
		if (sh.sh_type == SHT_DYNAMIC && needs_in(elf, scn, &sh, name))
			return true;
	return false;
}

/* Does the symbol table contain this name? A stripped file has no symbol table. */
static bool has_symbol(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	GElf_Sym sym;

	while ((scn = elf_nextscn(elf, scn)) && gelf_getshdr(scn, &sh)) {
		data = sh.sh_type == SHT_SYMTAB ? elf_getdata(scn, NULL) : NULL;
		for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
			const char *found = elf_strptr(elf, sh.sh_link, sym.st_name);

			if (found && !strcmp(found, name))
				return true;
		}
	}
	return false;
}

/* Returns the ELF machine of this build; EM_NONE means that no program can be tracked. */
static int own_machine(void)
{
#if defined(__x86_64__)
	return EM_X86_64;
#elif defined(__aarch64__)
	return EM_AARCH64;
#else
	return EM_NONE;
#endif
}

/* Sets t->untracked to the first reason that applies. The executed file may be a dynamic loader,
 * with the real program as its argument. Like a static program, it names no loader of its own; but
 * it does load the tracker into the real program. */
static void look_at_elf(struct target *t, const char *path, int fd)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	GElf_Phdr interp;
	GElf_Ehdr eh;

	if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &eh)) {
		t->is_elf = true;
		t->soft =
			needs_library(elf, "libmemdb-soft.so") || has_symbol(elf, "memdb_soft_far");
		t->tsan = needs_library(elf, "libtsan.so");
		if (eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_machine != own_machine())
			t->untracked = TARGET_OTHER_ABI;
		else if (!find_interp(elf, &interp))
			t->untracked = is_known_loader(path) ? TARGET_TRACKED : TARGET_STATIC;
		else if (!has_known_loader(fd, &interp))
			t->untracked = TARGET_OTHER_LIBC;
		else if (needs_library(elf, TRACK_SANITIZER))
			t->untracked = TARGET_SANITIZER;
	}
	elf_end(elf);
}

/* Does a process get other rights by executing this file? If root executes a setuid-root program,
 * the rights do not change. */
static bool gains_rights(const struct stat *st, int fd)
{
	if ((st->st_mode & S_ISUID) && st->st_uid != getuid())
		return true;
	if ((st->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && st->st_gid != getgid())
		return true;
	return getuid() && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

/* Checks the file that the kernel executes. Checks for setuid even if the file is not an ELF
 * file. */
static void look_at_file(struct target *t, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) /* the file is executable but not readable, so nothing else can be checked */
		return;
	elf_version(EV_CURRENT);
	look_at_elf(t, path, fd);
	t->gains_rights = !fstat(fd, &st) && gains_rights(&st, fd);
	close(fd);
}

int target_find(const char *name, struct target *t, struct md_err *err)
{
	int ret;

	memset(t, 0, sizeof(*t));
	if (!*name)
		return md_fail(err, MD_ENOENT, "the program's name is empty");
	if (strchr(name, '/')) {
		ret = strlen(name) < sizeof(t->path) ? 0 : ENAMETOOLONG;
		if (!ret)
			ret = cannot_execute(strcpy(t->path, name));
	} else {
		ret = search_path(name, t->path, sizeof(t->path));
	}
	if (ret == ENOENT || ret == ENOTDIR)
		return md_fail(err, MD_ENOENT, "there is no program '%s'%s%s", name,
			       strchr(name, '/') ? ": check its path, or build it first"
						 : " in PATH; for one in this folder, write ./",
			       strchr(name, '/') ? "" : name);
	if (ret) {
		struct stat st;

		if (!stat(t->path, &st) && S_ISDIR(st.st_mode))
			ret = EISDIR;
		errno = ret;
		return md_fail_errno(err, MD_EIO, "cannot execute '%s'", name);
	}
	look_at_file(t, final_program(t));
	return 0;
}

void target_look_behind_loader(struct target *t, char *const *argv)
{
	const char *program;
	bool lists;
	int fd;

	if (t->interpreter[0] || t->untracked || !is_known_loader(t->path))
		return;
	program = loader_program(argv, &lists);
	fd = program ? open(program, O_RDONLY | O_CLOEXEC) : -1;
	if (fd >= 0) {
		/* no test of rights: the kernel executes the loader, so the program gains none */
		look_at_elf(t, program, fd);
		close(fd);
	}
	if (lists)
		t->untracked = TARGET_LISTS;
}
