/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions for strings and memory that this library needs, hidden from the program. Those of
 * libc are in pages that a forked child has not mapped yet, so before it executes a program each of
 * these pages would cost a page fault: 2 µs, or 4 µs if the recorder records page faults. The texts
 * are short, so simple loops are fast enough. */
#include <stdint.h>
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
#if defined(__x86_64__)
	void *at = to;

	__asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(n) : : "memory");
#else
	unsigned char *t = to;
	const unsigned char *f = from;

	while (n--)
		*t++ = *f++;
#endif
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if ((uintptr_t)to - (uintptr_t)from >= n)
		return memcpy(to, from, n);
	while (n--)
		t[n] = f[n];
	return to;
}

void *memset(void *to, int byte, size_t n)
{
#if defined(__x86_64__)
	void *at = to;

	__asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(byte) : "memory");
#else
	unsigned char *t = to;

	while (n--)
		*t++ = (unsigned char)byte;
#endif
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	for (; n; n--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

size_t strnlen(const char *s, size_t most)
{
	size_t n = 0;

	while (n < most && s[n])
		n++;
	return n;
}

size_t strlen(const char *s)
{
	return strnlen(s, SIZE_MAX);
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++)
		if (*a != *b || !*a)
			return (unsigned char)*a - (unsigned char)*b;
	return 0;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, SIZE_MAX);
}

char *strchr(const char *s, int c)
{
	while (*s && *s != (char)c)
		s++;
	return *s == (char)c ? (char *)(uintptr_t)s : NULL;
}

char *strrchr(const char *s, int c)
{
	const char *p = s + strlen(s);

	while (p > s && *p != (char)c)
		p--;
	return *p == (char)c ? (char *)(uintptr_t)p : NULL;
}

char *strstr(const char *s, const char *word)
{
	size_t n = strlen(word);

	while (*s && strncmp(s, word, n) != 0)
		s++;
	return *s || !n ? (char *)(uintptr_t)s : NULL;
}

size_t strcspn(const char *s, const char *stop)
{
	size_t n = 0;

	while (s[n] && !strchr(stop, s[n]))
		n++;
	return n;
}

size_t strspn(const char *s, const char *only)
{
	size_t n = 0;

	while (s[n] && strchr(only, s[n]))
		n++;
	return n;
}

char *strcpy(char *restrict to, const char *restrict from)
{
	return memcpy(to, from, strlen(from) + 1);
}

char *strcat(char *restrict to, const char *restrict from)
{
	strcpy(to + strlen(to), from);
	return to;
}
