/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "buildid.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>

#include "room.h"

/* The parts of a file that are read at a time. Linkers put the program headers right after the ELF
 * header, and the notes of a program have less than 1 KiB. */
struct parts {
	union {
		Elf64_Ehdr elf;
		uint8_t bytes[4096];
	} head;
	uint8_t notes[4096];
	size_t headed, noted; /* bytes that were read */
};

static size_t read_part(int fd, uint64_t offset, void *part, size_t bytes)
{
	const long n = syscall(SYS_pread64, fd, part, bytes, offset);

	return n > 0 ? (size_t)n : 0;
}

/* Finds the build-id among the notes of a segment that were read. Each part of a note is padded to
 * `align` bytes. */
static unsigned find_build_id(const struct parts *p, size_t align, uint8_t id[BUILD_ID_MOST])
{
	const size_t pad = align - 1;
	Elf64_Nhdr note;

	for (size_t at = 0; at + sizeof(note) <= p->noted;) {
		const uint8_t *name = p->notes + at + sizeof(note);
		size_t left = p->noted - at - sizeof(note), before, all;

		memcpy(&note, p->notes + at, sizeof(note));
		before = ((sizeof(note) + (size_t)note.n_namesz + pad) & ~pad) - sizeof(note);
		all = before + (((size_t)note.n_descsz + pad) & ~pad);
		if (before > left || note.n_descsz > left - before)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU))) {
			if (note.n_descsz > BUILD_ID_MOST)
				return 0;
			memcpy(id, name + before, note.n_descsz);
			return note.n_descsz;
		}
		at += sizeof(note) + all;
	}
	return 0;
}

/* Reads the header of the file, and the notes of one segment after the other. */
static unsigned search_note(int fd, uint64_t start, struct parts *p, uint8_t id[BUILD_ID_MOST])
{
	const Elf64_Ehdr *elf = &p->head.elf;
	unsigned size = 0;
	Elf64_Phdr ph;

	p->headed = read_part(fd, start, p->head.bytes, sizeof(p->head));
	if (p->headed < sizeof(*elf) || memcmp(elf->e_ident, ELFMAG, SELFMAG) ||
	    elf->e_ident[EI_CLASS] != ELFCLASS64 || elf->e_phentsize != sizeof(ph) ||
	    elf->e_phoff > p->headed)
		return 0;
	for (size_t at = elf->e_phoff, i = 0;
	     !size && i < elf->e_phnum && at + sizeof(ph) <= p->headed; at += sizeof(ph), i++) {
		memcpy(&ph, p->head.bytes + at, sizeof(ph));
		if (ph.p_type != PT_NOTE)
			continue;
		p->noted =
			read_part(fd, start + ph.p_offset, p->notes,
				  ph.p_filesz < sizeof(p->notes) ? ph.p_filesz : sizeof(p->notes));
		size = find_build_id(p, ph.p_align == 8 ? 8 : 4, id);
	}
	return size;
}

unsigned build_id_read(uint64_t start, uint8_t id[BUILD_ID_MOST])
{
	/* a direct system call: open() is a cancellation point */
	const int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDONLY | O_CLOEXEC);
	struct parts *p = fd < 0 ? NULL : room_take(sizeof(*p));
	const unsigned size = p ? search_note(fd, start, p, id) : 0;

	room_give(p, sizeof(*p));
	if (fd >= 0)
		syscall(SYS_close, fd);
	return size;
}
