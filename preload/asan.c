/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "asan.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>

#include "rawcall.h"

enum {
	HEADERS = 16, /* program headers looked at: linkers make 8 to 14 */
	NEEDED = 24,  /* needed libraries looked at: the sanitizer's comes first */
};

static bool read_at(long fd, void *to, size_t bytes, uint64_t at)
{
	return rawcall4(SYS_pread64, fd, (long)to, (long)bytes, (long)at) == (long)bytes;
}

/* Where the file has the byte of this address; 0 where it has none. */
static uint64_t offset_of(const Elf64_Phdr *h, unsigned n, uint64_t address)
{
	for (unsigned i = 0; i < n; i++)
		if (h[i].p_type == PT_LOAD && address - h[i].p_vaddr < h[i].p_filesz)
			return h[i].p_offset + (address - h[i].p_vaddr);
	return 0;
}

static bool is_sanitizer(long fd, uint64_t at)
{
	static const char name[] = "libasan.so";
	char text[sizeof(name) - 1];

	return read_at(fd, text, sizeof(text), at) && !memcmp(text, name, sizeof(text));
}

static bool needs_sanitizer(long fd, const Elf64_Phdr *h, unsigned n, const Elf64_Phdr *dynamic)
{
	uint64_t needed[NEEDED], names = 0;
	unsigned found = 0;
	Elf64_Dyn d;

	for (uint64_t at = 0; at + sizeof(d) <= dynamic->p_filesz; at += sizeof(d)) {
		if (!read_at(fd, &d, sizeof(d), dynamic->p_offset + at) || d.d_tag == DT_NULL)
			break;
		if (d.d_tag == DT_STRTAB)
			names = offset_of(h, n, d.d_un.d_ptr);
		else if (d.d_tag == DT_NEEDED && found < NEEDED)
			needed[found++] = d.d_un.d_val;
	}
	for (unsigned i = 0; names && i < found; i++)
		if (is_sanitizer(fd, names + needed[i]))
			return true;
	return false;
}

bool asan_refuses_preload(const char *path)
{
	long fd = rawcall4(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	Elf64_Phdr headers[HEADERS];
	bool ret = false;
	Elf64_Ehdr e;
	unsigned n;

	if (fd < 0)
		return false;
	if (!read_at(fd, &e, sizeof(e), 0) || memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 ||
	    e.e_ident[EI_CLASS] != ELFCLASS64)
		goto out;
	n = e.e_phnum < HEADERS ? e.e_phnum : HEADERS;
	if (!read_at(fd, headers, n * sizeof(headers[0]), e.e_phoff))
		goto out;
	for (unsigned i = 0; i < n && !ret; i++)
		ret = headers[i].p_type == PT_DYNAMIC &&
		      needs_sanitizer(fd, headers, n, &headers[i]);
out:
	rawcall4(SYS_close, fd, 0, 0, 0);
	return ret;
}
