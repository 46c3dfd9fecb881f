/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fit.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "base/loader.h"
#include "rawcall.h"
#include "text.h"
#include "track_format.h"

enum {
	HEADERS = 16, /* maximum number of program headers that are read; linkers write 8 to 14 */
	/* number of entries of the dynamic section that are read at a time; few, because the
	 * thread's stack may be small */
	ENTRIES = 8,
	/* maximum number of needed libraries that are read; AddressSanitizer's library is always
	 * among the first */
	NEEDED = 24,
	LOADER_PATH = 256, /* maximum length of the loader's path */
	SCRIPT_HEAD = 256, /* number of bytes of a script that the kernel reads to find its
			    * interpreter */
	/* maximum number of files that are examined: a script, its interpreter, which may be a
	 * script itself, and so on; the kernel has a similar limit */
	SCRIPTS = 5,
};

static bool read_at(long fd, void *to, size_t bytes, uint64_t at)
{
	return rawcall4(SYS_pread64, fd, (long)to, (long)bytes, (long)at) == (long)bytes;
}

/* Returns the offset in the file of the byte that is loaded at this address; 0 if no segment
 * contains it. */
static uint64_t offset_of(const Elf64_Phdr *h, unsigned n, uint64_t address)
{
	for (unsigned i = 0; i < n; i++)
		if (h[i].p_type == PT_LOAD && address - h[i].p_vaddr < h[i].p_filesz)
			return h[i].p_offset + (address - h[i].p_vaddr);
	return 0;
}

static bool is_sanitizer(long fd, uint64_t at)
{
	static const char name[] = TRACK_SANITIZER;
	char text[sizeof(name) - 1];

	return read_at(fd, text, sizeof(text), at) && !memcmp(text, name, sizeof(text));
}

/* Reads entries of a dynamic section from number `first` on: as many as `d` has room for, or all
 * remaining entries. */
static bool read_entries(long fd, Elf64_Dyn d[ENTRIES], const Elf64_Phdr *dynamic, uint64_t first)
{
	uint64_t at = first * sizeof(d[0]), left = dynamic->p_filesz - at;
	size_t bytes =
		left < ENTRIES * sizeof(d[0]) ? left - left % sizeof(d[0]) : ENTRIES * sizeof(d[0]);

	return read_at(fd, d, bytes, dynamic->p_offset + at);
}

static bool needs_sanitizer(long fd, const Elf64_Phdr *h, unsigned n, const Elf64_Phdr *dynamic)
{
	uint64_t needed[NEEDED], names = 0, entries = dynamic->p_filesz / sizeof(Elf64_Dyn);
	Elf64_Dyn d[ENTRIES] = { { 0 } };
	unsigned found = 0;

	for (uint64_t i = 0; i < entries; i++) {
		const Elf64_Dyn *e = &d[i % ENTRIES];

		if (i % ENTRIES == 0 && !read_entries(fd, d, dynamic, i))
			break;
		if (e->d_tag == DT_NULL)
			break;
		if (e->d_tag == DT_STRTAB)
			names = offset_of(h, n, e->d_un.d_ptr);
		else if (e->d_tag == DT_NEEDED && found < NEEDED)
			needed[found++] = e->d_un.d_val;
	}
	for (unsigned i = 0; names && i < found; i++)
		if (is_sanitizer(fd, names + needed[i]))
			return true;
	return false;
}

static bool is_known_loader(const char *path)
{
	static const char *const known[] = { TRACK_LOADERS };
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < COUNT_OF(known); i++)
		if (!strncmp(name, known[i], strlen(known[i])))
			return true;
	return false;
}

/* Is `path` a loader? Its name shows this, or if the path leads to a descriptor, the name of the
 * descriptor's file. */
static bool leads_to_loader(const char *path)
{
	char name[LOADER_PATH + 1];
	long n;

	if (is_known_loader(path) || strncmp(path, FIT_DESCRIPTORS, strlen(FIT_DESCRIPTORS)) != 0)
		return is_known_loader(path);
	n = rawcall4(SYS_readlinkat, AT_FDCWD, (long)path, (long)name, LOADER_PATH);
	name[n > 0 ? n : 0] = 0;
	return is_known_loader(name);
}

static bool needs_unknown_loader(long fd, const Elf64_Phdr *h)
{
	size_t n = h->p_filesz < LOADER_PATH ? h->p_filesz : LOADER_PATH;
	char path[LOADER_PATH + 1];

	if (!read_at(fd, path, n, h->p_offset))
		return false;
	path[n] = 0;
	return !is_known_loader(path);
}

static bool has_own_machine(const Elf64_Ehdr *e)
{
#if defined(__x86_64__)
	return e->e_ident[EI_CLASS] == ELFCLASS64 && e->e_machine == EM_X86_64;
#else
	return e->e_ident[EI_CLASS] == ELFCLASS64 && e->e_machine == EM_AARCH64;
#endif
}

static bool refuses_preload(long fd, const char *head, size_t bytes)
{
	Elf64_Phdr headers[HEADERS];
	bool ret = false;
	Elf64_Ehdr e;
	unsigned n;

	if (bytes < sizeof(e))
		return false;
	memcpy(&e, head, sizeof(e));
	/* The first 20 bytes of an ELF header have the same layout for all machines. */
	if (memcmp(e.e_ident, ELFMAG, SELFMAG) != 0)
		return false;
	if (!has_own_machine(&e))
		return true;
	n = e.e_phnum < HEADERS ? e.e_phnum : HEADERS;
	if (!read_at(fd, headers, n * sizeof(headers[0]), e.e_phoff))
		return false;
	for (unsigned i = 0; i < n && !ret; i++) {
		if (headers[i].p_type == PT_INTERP)
			ret = needs_unknown_loader(fd, &headers[i]);
		else if (headers[i].p_type == PT_DYNAMIC)
			ret = needs_sanitizer(fd, headers, n, &headers[i]);
	}
	return ret;
}

/* Returns the path of the interpreter if the file begins with "#!"; otherwise NULL. `head` is the
 * beginning of the file, as a string that is changed. */
static const char *find_interpreter(char *head)
{
	char *name;

	if (head[0] != '#' || head[1] != '!')
		return NULL;
	name = head + 2 + strspn(head + 2, " \t");
	name[strcspn(name, " \t\r\n")] = 0;
	return *name ? name : NULL;
}

static long open_to_look(const char *path)
{
	return rawcall4(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
}

/* Returns whether the file is executable and can be read. Sets *refuses to true if it is
 * executable, but the file or its interpreter cannot run with the library; otherwise to false. */
static bool look_at(const char *path, bool *refuses)
{
	char head[SCRIPT_HEAD];
	bool ret = false;

	*refuses = false;
	for (int depth = 0; path && depth < SCRIPTS; depth++) {
		long fd = open_to_look(path), n;

		if (fd < 0)
			break;
		if (rawcall4(SYS_faccessat, AT_FDCWD, (long)path, X_OK, 0))
			n = 0;
		else /* reading fails for a directory */
			n = rawcall4(SYS_pread64, fd, (long)head, sizeof(head) - 1, 0);
		if (n > 0) {
			head[n] = 0;
			ret = true;
			*refuses = refuses_preload(fd, head, (size_t)n);
		}
		/* the old `path` may point into `head`, which the read has overwritten, so it is
		 * not used again */
		path = n > 0 ? find_interpreter(head) : NULL;
		rawcall4(SYS_close, fd, 0, 0, 0);
	}
	return ret;
}

/* Is `path` a dynamic loader that will refuse the library? Either the program that it will load
 * cannot run with the library, or it will only print a list. The kernel executes only the loader,
 * so the program's own rights do not matter. */
static bool refuses_behind_loader(const char *path, char *const *argv)
{
	bool lists, ret = false;
	const char *program;
	char head[sizeof(Elf64_Ehdr)];
	long fd, n;

	if (!leads_to_loader(path) || !text_words_are_readable(argv))
		return false;
	program = loader_program(argv, &lists);
	if (lists || !program)
		return lists;
	fd = open_to_look(program);
	if (fd < 0)
		return false;
	n = rawcall4(SYS_pread64, fd, (long)head, sizeof(head), 0);
	if (n > 0)
		ret = refuses_preload(fd, head, (size_t)n);
	rawcall4(SYS_close, fd, 0, 0, 0);
	return ret;
}

bool fit_refuses_preload(const char *path, char *const *argv)
{
	bool refuses;

	look_at(path, &refuses);
	return refuses || refuses_behind_loader(path, argv);
}

bool fit_refuses_preload_in_path(const char *file, char *const *argv)
{
	const char *at = getenv("PATH"), *end;
	size_t name = strlen(file) + 1;
	char path[PATH_MAX];
	bool refuses;

	if (strchr(file, '/'))
		return fit_refuses_preload(file, argv);
	if (!at)
		at = "/bin:/usr/bin"; /* the default of libc */
	for (;; at = end + 1) {
		size_t n = strcspn(at, ":");

		end = at + n;
		if (n + 1 + name <= sizeof(path)) {
			memcpy(path, at, n);
			path[n] = '/';
			/* an empty element of PATH is the current directory */
			memcpy(path + n + (n > 0), file, name);
			if (look_at(path, &refuses))
				return refuses || refuses_behind_loader(path, argv);
		}
		if (!*end)
			return false;
	}
}
