/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/kernel_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "record/capture.h"

enum {
	/* bytes of kallsyms in which an address is searched. One line is not enough: some of the
	 * first symbols have the address 0 even if the kernel shows addresses */
	LOOKED_AT = 4096,
	FIRST_BYTES = 8 << 20,
};

struct kernel_symbols {
	pthread_t thread;
	bool has_thread;
	char *text; /* NULL means that nothing was read */
	size_t len;
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
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	char text[LOOKED_AT];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));

	if (fd >= 0)
		close(fd);
	return n > 0 && shows_addresses(text, (size_t)n);
}

/* Makes sure that there is room for one more byte. */
static bool has_room(struct kernel_symbols *k, size_t *capacity)
{
	char *text;

	if (k->len < *capacity)
		return true;
	text = realloc(k->text, *capacity ? 2 * *capacity : FIRST_BYTES);
	if (!text)
		return false;
	k->text = text;
	*capacity = *capacity ? 2 * *capacity : FIRST_BYTES;
	return true;
}

/* The thread's function: reads all of kallsyms, if it shows addresses. */
static void *read_symbols(void *arg)
{
	struct kernel_symbols *k = arg;
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	size_t capacity = 0;
	ssize_t n = -1;

	while (fd >= 0 && has_room(k, &capacity) &&
	       (n = read(fd, k->text + k->len, capacity - k->len)) > 0) {
		k->len += (size_t)n;
		if (k->len == (size_t)n && !shows_addresses(k->text, k->len))
			break;
	}
	if (fd >= 0)
		close(fd);
	if (n) { /* not the end of the file */
		free(k->text);
		k->text = NULL;
	}
	return NULL;
}

/* Starts the thread. It blocks all signals, so that only the main thread gets them. Without a
 * thread, kernel_symbols_finish() reads. */
struct kernel_symbols *kernel_symbols_start(void)
{
	struct kernel_symbols *k = calloc(1, sizeof(*k));
	sigset_t all, old;

	if (!k)
		return NULL;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	k->has_thread = !pthread_create(&k->thread, NULL, read_symbols, k);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return k;
}

/* Writes a file of the capture. A file that is not complete is removed. */
static void write_file(const struct capture *c, const char *name, const void *bytes, size_t size)
{
	int fd = capture_open(c, name, O_WRONLY | O_EXCL);
	size_t done = 0;
	ssize_t n = 1;

	if (fd < 0)
		return;
	while (done < size && (n = write(fd, (const char *)bytes + done, size - done)) > 0)
		done += (size_t)n;
	if (done < size)
		unlinkat(c->fd, name, 0);
	close(fd);
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

	if (eh && !memcmp(eh->e_ident, ELFMAG, SELFMAG) && eh->e_ident[EI_CLASS] == ELFCLASS64)
		write_file(c, "vdso.so", eh, vdso_size(eh));
}

void kernel_symbols_finish(struct kernel_symbols *k, const struct capture *c)
{
	if (!k)
		return;
	if (k->has_thread)
		pthread_join(k->thread, NULL);
	else if (c)
		read_symbols(k);
	if (c && k->text)
		write_file(c, "kallsyms", k->text, k->len);
	if (c)
		copy_vdso(c);
	free(k->text);
	free(k);
}
