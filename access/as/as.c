/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An assembler that compilers run in place of `as`: it puts checks before the memory accesses of a
 * compiled program (as/instrument.h), and then runs the real assembler on the changed text. gcc and
 * gfortran run it if the option -B names the folder that contains it; clang also needs
 * -fno-integrated-as. Only text that a compiler wrote is changed. Text that people wrote is passed
 * on unchanged, and so is text that is not for x86-64.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "as/instrument.h"
#include "base/count.h"

enum { CANNOT = 1 };

static _Noreturn void die(const char *what, const char *subject)
{
	fprintf(stderr, "memdb as: cannot %s '%s': %s\n", what, subject, strerror(errno));
	exit(CANNOT);
}

/* Does this option of `as` take the next argument as its value? (Otherwise the next argument is
 * another option or a file.) */
static bool takes_word(const char *option)
{
	static const char *const with[] = {
		"-o",   "-I",  "--defsym",           "-G",
		"--MD", "-MD", "--debug-prefix-map", "--listing-rhs-width"
	};

	for (size_t i = 0; i < COUNT_OF(with); i++)
		if (!strcmp(option, with[i]))
			return true;
	return false;
}

/* Returns the index in argv of the file to assemble; argc means standard input. 0 means that the
 * text must not be changed: it is not for x86-64, there are several files, nothing is assembled, or
 * some arguments are in a file and therefore unknown. */
static int find_input(int argc, char **argv)
{
	int input = argc;

	for (int i = 1; i < argc; i++) {
		/* @NAME stands for the arguments in the file NAME */
		if (*argv[i] == '@' || !strcmp(argv[i], "--32") || !strcmp(argv[i], "--x32") ||
		    !strcmp(argv[i], "--version"))
			return 0;
		if (takes_word(argv[i])) {
			i++;
		} else if (*argv[i] != '-') {
			if (input != argc)
				return 0;
			input = i;
		}
	}
	return input;
}

/* Reads an entire file. Sets *size to its number of bytes. The caller frees the result, which has
 * room for one byte more (the NUL that text_read() adds). */
static char *read_file(int fd, const char *name, size_t *size)
{
	size_t room = 1 << 20;
	char *bytes = malloc(room);
	ssize_t n = 1;

	for (*size = 0; bytes && n > 0; *size += (size_t)n) {
		if (room - *size < room / 4) {
			room *= 2;
			bytes = realloc(bytes, room);
			if (!bytes)
				break;
		}
		n = read(fd, bytes + *size, room - *size - 1);
		if (n < 0)
			die("read", name);
	}
	if (!bytes)
		die("read", name);
	return bytes;
}

/* Ends with a message: the compiler has already put calls before the accesses, so each access would
 * count twice. */
static _Noreturn void refuse_double(const char *name)
{
	fprintf(stderr,
		"memdb as: '%s' is built with -fsanitize=thread, which reports accesses as well: "
		"take the flags of memdb-checks or those of memdb-soft, not both\n",
		name);
	exit(1);
}

/* Reads the assembly text from fd. Returns the descriptor of a file in memory that contains the
 * text to assemble: with checks if a compiler wrote the text, otherwise unchanged. */
static int changed_text(int fd, const char *name)
{
	struct text t;
	size_t size;
	char *bytes = read_file(fd, name, &size), *copy = malloc(size);
	const int out = memfd_create("memdb-as", 0);
	FILE *f = out < 0 ? NULL : fdopen(dup(out), "w");

	if (!f || !copy)
		die("change", name);
	memcpy(copy, bytes, size);
	if (!text_read(&t, bytes, size))
		die("change", name);
	if (t.compiled && text_uses(&t, "__tsan_"))
		refuse_double(name);
	if (!t.compiled)
		fwrite(copy, 1, size, f);
	else if (!instrument(&t, f))
		die("change", name);
	text_release(&t);
	free(copy);
	if (fclose(f) || lseek(out, 0, SEEK_SET) < 0)
		die("change", name);
	return out;
}

/* Is the file at `path` this program itself? `self` is the status of /proc/self/exe. */
static bool is_self(const struct stat *self, const char *path)
{
	struct stat st;

	return !stat(path, &st) && st.st_dev == self->st_dev && st.st_ino == self->st_ino;
}

/* Replaces this process with the real assembler: the first `as` in PATH that is not this
 * program. */
static _Noreturn void run_real(char **argv)
{
	const char *path = getenv("PATH");
	struct stat self = { 0 };
	char as[PATH_MAX];

	if (stat("/proc/self/exe", &self))
		die("find", argv[0]);
	for (path = path ? path : "/usr/bin:/bin"; *path; path += *path == ':') {
		const size_t n = strcspn(path, ":");

		if (snprintf(as, sizeof(as), "%.*s/as", (int)n, path) < PATH_MAX &&
		    !is_self(&self, as))
			execv(as, argv);
		path += n;
	}
	die("run", "as");
}

int main(int argc, char **argv)
{
	const int input = find_input(argc, argv);
	int fd = STDIN_FILENO, text;

	if (!input)
		run_real(argv);
	if (input < argc) {
		fd = open(argv[input], O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			die("open", argv[input]);
	}
	text = changed_text(fd, input < argc ? argv[input] : "-");
	if (dup2(text, STDIN_FILENO) < 0)
		die("change", "-");
	close(text);
	/* removes the file's name from argv: without a name, `as` reads standard input */
	for (int i = input; i < argc; i++)
		argv[i] = argv[i + 1];
	run_real(argv);
}
