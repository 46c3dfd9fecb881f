/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the separate debug file of a file: by build-id and by .gnu_debuglink, in the debug
 * directories and next to the file, then by build-id on debuginfod servers. If there is none, reads
 * .gnu_debugdata, a compressed symbol table inside the file.
 */
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/debuginfod.h"
#include "symbol/file.h"
#include "symbol/minidebug.h"

/*
 * What the debug file of a file must have: the build-id of that file or, if that file has none, the
 * checksum in its .gnu_debuglink.
 */
struct wanted {
	const struct sym_build_id *id;
	const char *link; /* file name in .gnu_debuglink; NULL means there is none */
	uint32_t crc;
};

/* Returns the CRC-32 of zlib, which .gnu_debuglink uses. */
static uint32_t crc32_of(const uint8_t *p, size_t n)
{
	uint32_t table[256], crc = ~0u;

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
	for (size_t i = 0; i < n; i++)
		crc = table[(crc ^ p[i]) & 0xff] ^ crc >> 8;
	return ~crc;
}

static bool agrees_with(const struct image *im, const struct wanted *w)
{
	if (w->id->size)
		return im->id.size == w->id->size &&
		       memcmp(im->id.bytes, w->id->bytes, w->id->size) == 0;
	return w->link && crc32_of(im->bytes, im->len) == w->crc;
}

/* Makes a path from fmt, and opens the file with this path in f->debug. Returns false if there is
 * no such file, if it is f itself, or if it is not the debug file that w describes. */
static bool try_path(struct sym_file *f, const struct wanted *w, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static bool try_path(struct sym_file *f, const struct wanted *w, const char *fmt, ...)
{
	va_list ap;
	char *path;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&path, fmt, ap);
	va_end(ap);
	if (n < 0)
		return false;
	if (image_open(path, &f->debug) == 0) {
		bool itself = f->debug.dev == f->image.dev && f->debug.ino == f->image.ino;

		if (!itself && agrees_with(&f->debug, w)) {
			f->debug_path = path;
			return true;
		}
		image_release(&f->debug);
	}
	free(path);
	return false;
}

static bool by_build_id(struct sym_file *f, const struct wanted *w, const char *dir)
{
	char hex[2 * sizeof(w->id->bytes) + 1] = "";

	if (w->id->size < 2)
		return false;
	for (unsigned i = 0; i < w->id->size; i++)
		snprintf(hex + 2 * i, 3, "%02x", w->id->bytes[i]);
	return try_path(f, w, "%s/.build-id/%.2s/%s.debug", dir, hex, hex + 2);
}

static bool by_link(struct sym_file *f, const struct wanted *w, const char *dir)
{
	char real[PATH_MAX], *folder;

	if (!w->link || !realpath(f->path, real))
		return false;
	folder = dirname(real);
	return try_path(f, w, "%s/%s", folder, w->link) ||
	       try_path(f, w, "%s/.debug/%s", folder, w->link) ||
	       try_path(f, w, "%s%s/%s", dir, folder, w->link);
}

static bool try_dirs(struct sym_file *f, const struct wanted *w, const char *root)
{
	const char *dirs = f->debug_dirs;
	bool found = false;

	while (!found && *dirs) {
		size_t n = strcspn(dirs, ":");
		char dir[PATH_MAX];

		if (n && snprintf(dir, sizeof(dir), "%s%.*s", root, (int)(n < INT_MAX ? n : 0),
				  dirs) < (int)sizeof(dir))
			found = by_build_id(f, w, dir) || by_link(f, w, dir);
		dirs += n + (dirs[n] == ':');
	}
	return found;
}

/* Reads .gnu_debuglink: a file name, padded to 4 bytes, and a CRC in the byte order of the file. */
static void read_link(const struct image *im, struct wanted *w)
{
	const struct image_section *s = image_section(im, ".gnu_debuglink");
	struct cursor c;
	const char *name;
	size_t n;

	if (!s)
		return;
	c = image_section_bytes(im, s);
	n = strnlen((const char *)c.p, cursor_left(&c));
	name = cursor_bytes(&c, (n + 4) & ~(size_t)3);
	w->crc = cursor_u32(&c);
	if (name && !c.failed && n && !strchr(name, '/'))
		w->link = name;
}

static void ask_servers(struct sym_file *f, const struct wanted *w)
{
	char *path = debuginfod_fetch(w->id);

	if (path)
		try_path(f, w, "%s", path);
	free(path);
}

void file_find_debug(struct sym_file *f)
{
	struct wanted w = { .id = &f->image.id };

	if (f->debug_searched || !f->image.bytes)
		return;
	f->debug_searched = true;
	read_link(&f->image, &w);
	if (!f->root[0] || !try_dirs(f, &w, f->root))
		try_dirs(f, &w, "");
	if (!f->debug.bytes && f->debuginfod)
		ask_servers(f, &w);
	if (!f->debug.bytes)
		minidebug_open(&f->image, &f->mini);
}
