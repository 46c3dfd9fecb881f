/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "rawcall.h"

long text_read_file(const char *path, char *buf, size_t cap)
{
	long fd = rawcall4(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0);
	size_t len = 0;
	long n = 0;

	buf[0] = 0;
	if (fd < 0)
		return fd;
	while (len < cap - 1) {
		n = rawcall4(SYS_read, fd, (long)(buf + len), (long)(cap - 1 - len), 0);
		if (n <= 0 && n != -EINTR)
			break;
		if (n > 0)
			len += (size_t)n;
	}
	rawcall4(SYS_close, fd, 0, 0, 0);
	buf[len] = 0;
	return len ? (long)len : n;
}

const char *text_value(const char *entry, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(entry, name, n) && entry[n] == '=' ? entry + n + 1 : NULL;
}

const char *text_variable(const char *block, size_t len, const char *name)
{
	size_t n = strlen(name);

	for (size_t at = 0; at < len; at += strnlen(block + at, len - at) + 1)
		if (len - at > n && !strncmp(block + at, name, n) && block[at + n] == '=')
			return block + at + n + 1;
	return NULL;
}

static const char *option_value(const char *options, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = options; *p;) {
		if (!strncmp(p, name, n) && p[n] == '=')
			return p + n + 1;
		while (*p && *p != ',')
			p++;
		if (*p)
			p++;
	}
	return NULL;
}

uint64_t text_number(const char *text)
{
	uint64_t v = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		v = v * 10 + (uint64_t)(*text - '0');
	return v;
}

uint64_t text_option(const char *options, const char *name, uint64_t missing)
{
	const char *p = option_value(options, name);

	return p && *p >= '0' && *p <= '9' ? text_number(p) : missing;
}

int text_option_is(const char *options, const char *name, const char *value)
{
	const char *p = option_value(options, name);

	return p && !strncmp(p, value, strlen(value));
}

void text_add(char *buf, size_t cap, size_t *len, const char *s)
{
	while (*s && *len + 1 < cap)
		buf[(*len)++] = *s++;
	buf[*len] = 0;
}

void text_add_number(char *buf, size_t cap, size_t *len, uint64_t n)
{
	char digits[24];
	size_t i = sizeof(digits);

	digits[--i] = 0;
	do {
		digits[--i] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	text_add(buf, cap, len, digits + i);
}

enum { PAGE = 4096, KERNEL_SIGSET = 8 };

/* Is the page of this address readable? *page is the page that was found readable last. The first
 * argument of the call is not a valid operation, so no signal mask changes. But the kernel copies
 * the set before it checks the operation. The set is not at the page's begin: for the first page
 * that would be NULL, which means no set. */
static bool is_page_readable(uintptr_t address, uintptr_t *page)
{
	uintptr_t begin = address & -(uintptr_t)PAGE;

	if (begin != *page && rawcall4(SYS_rt_sigprocmask, -1, (long)begin + KERNEL_SIGSET, 0,
				       KERNEL_SIGSET) == -EFAULT)
		return false;
	*page = begin;
	return true;
}

static bool is_string_readable(const char *s, uintptr_t *page)
{
	for (;;) {
		size_t left = PAGE - (uintptr_t)s % PAGE;

		if (!is_page_readable((uintptr_t)s, page))
			return false;
		if (strnlen(s, left) < left)
			return true;
		s += left;
	}
}

bool text_is_readable(const char *s)
{
	uintptr_t page = 1; /* not the address of a page */

	return is_string_readable(s, &page);
}

bool text_words_are_readable(char *const *words)
{
	uintptr_t array = 1, strings = 1;

	for (; words; words++) {
		uintptr_t last = (uintptr_t)words + sizeof(*words) - 1;

		if (!is_page_readable((uintptr_t)words, &array) || !is_page_readable(last, &array))
			return false;
		if (!*words)
			break;
		if (!is_string_readable(*words, &strings))
			return false;
	}
	return true;
}
