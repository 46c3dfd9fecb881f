/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/kernel_symbols.h"

#include <assert.h>
#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "kallsyms_format.h"
#include "record/capture.h"

enum {
	/* bytes of kallsyms in which an address is searched. One line is not enough: some of the
	 * first symbols have the address 0 even if the kernel shows addresses */
	LOOKED_AT = 4096,
	PIECE = 8 << 10, /* bytes; the stack of the thread may be small */
};

struct kernel_symbols {
	pthread_t thread;
	bool has_thread;
	atomic_bool stop; /* whether nobody needs the symbols any more */
	/* files in memory: all symbols, for the capture, and those that perf needs; empty if they
	 * were not read */
	int all, borders;
	/* a pipe; the thread closes ready[1], which is -1 then, when both files are complete */
	int ready[2];
	char library[PATH_MAX]; /* path of KALLSYMS_LIBRARY; "" if there is none */
};

/* Does kallsyms, which begins with these bytes, show real addresses? With kptr_restrict, all
 * addresses in it are zero, and a copy would be useless. */
static bool shows_addresses(const char *text, size_t len)
{
	bool at_line_start = true;

	for (size_t i = 0; i < len && i < LOOKED_AT; i++) {
		if (at_line_start && text[i] != '0' && text[i] != ' ')
			return true;
		at_line_start = text[i] == '\n' || (at_line_start && text[i] == '0');
	}
	return false;
}

bool kernel_symbols_are_shown(void)
{
	int fd = open(KALLSYMS_PATH, O_RDONLY | O_CLOEXEC);
	char text[LOOKED_AT];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));

	if (fd >= 0)
		close(fd);
	return n > 0 && shows_addresses(text, (size_t)n);
}

/* Frees the file's memory. */
static void make_empty(int fd)
{
	int ret = ftruncate(fd, 0);

	assert(!ret); /* it is a file in memory, and nobody has sealed it */
	(void)ret;
}

static bool write_all(int fd, const char *bytes, size_t size)
{
	ssize_t n = 1;

	for (size_t done = 0; done < size && n > 0; done += n > 0 ? (size_t)n : 0)
		n = write(fd, bytes + done, size - done);
	return n > 0;
}

/* Is the symbol in this line, which reaches up to `end`, a border of a part of the kernel? Their
 * names are _text, _etext, __entry_trampoline_start and the like. */
static bool is_border(const char *line, const char *end)
{
	const char *name = memchr(line, ' ', (size_t)(end - line));

	name = name ? memchr(name + 1, ' ', (size_t)(end - name - 1)) : NULL;
	if (!name || name[1] != '_')
		return false;
	return islower((unsigned char)name[2]) || !strncmp(name + 1, "__entry", strlen("__entry"));
}

/* Copies the lines of n bytes that perf needs. Moves the last line to the beginning of the text if
 * it is not complete. Returns its size, or -1 on failure. */
static ssize_t copy_borders(struct kernel_symbols *k, char *text, size_t n)
{
	const char *line = text, *end;

	while ((end = memchr(line, '\n', (size_t)(text + n - line)))) {
		if (is_border(line, end) && !write_all(k->borders, line, (size_t)(end + 1 - line)))
			return -1;
		line = end + 1;
	}
	n -= (size_t)(line - text);
	memmove(text, line, n);
	return (ssize_t)n;
}

/* Copies all of kallsyms, if that shows addresses. Returns whether it did. */
static bool copy_symbols(struct kernel_symbols *k, int from)
{
	char text[PIECE];
	bool is_first = true;
	ssize_t held = 0, n; /* held: bytes of the last line, which is not complete yet */

	while ((n = read(from, text + held, sizeof(text) - (size_t)held)) > 0) {
		if (atomic_load(&k->stop) || (is_first && !shows_addresses(text, (size_t)n)) ||
		    !write_all(k->all, text + held, (size_t)n))
			return false;
		held = copy_borders(k, text, (size_t)(held + n));
		if (held < 0 || held == sizeof(text))
			return false;
		is_first = false;
	}
	return !n;
}

/* The thread's function. */
static void *read_symbols(void *arg)
{
	struct kernel_symbols *k = arg;
	int from = open(KALLSYMS_PATH, O_RDONLY | O_CLOEXEC);

	if (from < 0 || !copy_symbols(k, from)) {
		make_empty(k->all);
		make_empty(k->borders);
	}
	if (from >= 0)
		close(from);
	close(k->ready[1]);
	k->ready[1] = -1;
	return NULL;
}

/* Frees all, after the thread has ended. perf still has its copy open. */
static void release(struct kernel_symbols *k)
{
	const int fds[] = { k->all, k->borders, k->ready[0], k->ready[1] };

	if (k->borders >= 0)
		make_empty(k->borders);
	for (size_t i = 0; i < COUNT_OF(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(k);
}

/* Starts the thread. It blocks all signals, so that only the main thread gets them. Without a
 * thread, reads the symbols now. */
static void start_reading(struct kernel_symbols *k)
{
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	k->has_thread = !pthread_create(&k->thread, NULL, read_symbols, k);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!k->has_thread)
		read_symbols(k);
}

struct kernel_symbols *kernel_symbols_start(const char *library)
{
	struct kernel_symbols *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->all = memfd_create("memdb-kallsyms", MFD_CLOEXEC);
	k->borders = memfd_create("memdb-borders", MFD_CLOEXEC);
	k->ready[0] = k->ready[1] = -1;
	if (k->all < 0 || k->borders < 0 || pipe2(k->ready, O_CLOEXEC)) {
		release(k);
		return NULL;
	}
	snprintf(k->library, sizeof(k->library), "%s", library ? library : "");
	start_reading(k);
	return k;
}

void kernel_symbols_share(const struct kernel_symbols *k)
{
	char value[32];

	/* a blank or a colon separates paths in LD_PRELOAD */
	if (!k || !k->library[0] || strpbrk(k->library, ": \t"))
		return;
	snprintf(value, sizeof(value), "%d,%d", k->borders, k->ready[0]);
	if (fcntl(k->borders, F_SETFD, 0) || fcntl(k->ready[0], F_SETFD, 0) ||
	    setenv(KALLSYMS_ENV, value, 1))
		return;
	setenv("LD_PRELOAD", k->library, 1);
}

/* Closes a file of the capture. Removes it if it is not complete. */
static void close_file(const struct capture *c, const char *name, int fd, bool complete)
{
	if (!complete)
		unlinkat(c->fd, name, 0);
	close(fd);
}

/* Writes the symbols into the capture, if they were read. */
static void keep_copy(const struct kernel_symbols *k, const struct capture *c)
{
	struct stat st = { 0 };
	off_t at = 0;
	ssize_t n = 1;
	int fd;

	if (fstat(k->all, &st) || !st.st_size)
		return;
	fd = capture_open(c, "kallsyms", O_WRONLY | O_EXCL);
	if (fd < 0)
		return;
	while (at < st.st_size && n > 0)
		n = sendfile(fd, k->all, &at, (size_t)(st.st_size - at));
	close_file(c, "kallsyms", fd, at == st.st_size);
}

/*
 * Returns the size of the vdso's image. The kernel builds it with the section headers at its end.
 */
static size_t vdso_size(const Elf64_Ehdr *eh)
{
	const uint8_t *base = (const uint8_t *)eh;
	const Elf64_Phdr *ph = (const Elf64_Phdr *)(base + eh->e_phoff);
	size_t end = eh->e_shoff + (size_t)eh->e_shentsize * eh->e_shnum;

	for (int i = 0; i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && ph[i].p_offset + ph[i].p_filesz > end)
			end = ph[i].p_offset + ph[i].p_filesz;
	return end;
}

/* Copies the vdso from the memory of this process: the kernel maps the same vdso into every
 * process. */
static void copy_vdso(const struct capture *c)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)getauxval(AT_SYSINFO_EHDR);
	int fd;

	if (!eh || memcmp(eh->e_ident, ELFMAG, SELFMAG) || eh->e_ident[EI_CLASS] != ELFCLASS64)
		return;
	fd = capture_open(c, "vdso.so", O_WRONLY | O_EXCL);
	if (fd >= 0)
		close_file(c, "vdso.so", fd, write_all(fd, (const char *)eh, vdso_size(eh)));
}

void kernel_symbols_finish(struct kernel_symbols *k, const struct capture *c)
{
	if (!k)
		return;
	if (!c)
		atomic_store(&k->stop, true);
	if (k->has_thread)
		pthread_join(k->thread, NULL);
	if (c)
		keep_copy(k, c);
	if (c)
		copy_vdso(c);
	release(k);
}
