/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads untrusted bytes with bounds checks. A read past the end sets `failed`, moves to the end and
 * yields zeros, so a sequence of reads needs only one check at its end. Nothing here allocates.
 */
#ifndef MEMDB_BASE_CURSOR_H
#define MEMDB_BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *p;   /* next byte */
	const uint8_t *end; /* one past the last byte */
	bool swap;          /* the bytes are in the opposite byte order to this machine's */
	bool failed;        /* a read has gone past the end; stays set */
};

static inline struct cursor cursor_make(const void *buf, size_t len, bool swap)
{
	const uint8_t *p = buf;

	return (struct cursor){ .p = p, .end = p + len, .swap = swap };
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->p);
}

/* Returns the next n bytes and moves past them. If there are fewer, returns NULL and sets
 * `failed`. */
static inline const void *cursor_bytes(struct cursor *c, uint64_t n)
{
	const uint8_t *p = c->p;

	if (n > cursor_left(c)) {
		c->failed = true;
		c->p = c->end;
		return NULL;
	}
	c->p += n;
	return p;
}

static inline void cursor_skip(struct cursor *c, uint64_t n)
{
	(void)cursor_bytes(c, n);
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 1);

	return p ? *p : 0;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	const void *p = cursor_bytes(c, 2);
	uint16_t v = 0;

	if (p)
		memcpy(&v, p, 2);
	return c->swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	const void *p = cursor_bytes(c, 4);
	uint32_t v = 0;

	if (p)
		memcpy(&v, p, 4);
	return c->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	const void *p = cursor_bytes(c, 8);
	uint64_t v = 0;

	if (p)
		memcpy(&v, p, 8);
	return c->swap ? __builtin_bswap64(v) : v;
}

/* Returns a cursor on the bytes [off, off + len) of the buffer that c reads; the buffer begins at
 * `base`. If the bytes are not all inside the buffer, the new cursor is empty and its `failed` is
 * set. */
static inline struct cursor cursor_range(const struct cursor *c, const void *base, uint64_t off,
					 uint64_t len)
{
	const uint8_t *b = base;
	uint64_t size = (uint64_t)(c->end - b);
	struct cursor r = { .p = c->end, .end = c->end, .swap = c->swap };

	if (off > size || len > size - off) {
		r.failed = true;
		return r;
	}
	r.p = b + off;
	r.end = r.p + len;
	return r;
}

/* Returns the NUL-terminated string in the next n bytes, borrowed, and moves past all n. If
 * there are fewer than n bytes, or no NUL among them, returns "" and sets `failed`. */
static inline const char *cursor_string(struct cursor *c, uint64_t n)
{
	const char *s = cursor_bytes(c, n);

	if (!s)
		return "";
	if (!memchr(s, 0, n)) {
		c->failed = true;
		return "";
	}
	return s;
}

#endif
