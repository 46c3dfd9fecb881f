/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the symbols of a kernel, in lines of the form "address type name [module]". */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/file.h"
#include "symbol/text_symbols.h"

/* Maximum size of a symbol in bytes. The file contains no sizes, so a symbol ends where the next
 * one begins. */
enum { MAX_EXTENT = 1 << 20 };

/* The state while the symbols of a kernel are read. */
struct reading {
	struct symtab *t;
	/* a symbol of the recorded kernel, with its address there; may be NULL */
	const struct sym_kernel *at;
	/* set if the address of that symbol differs in the file: then the file is from a kernel
	 * that was loaded at another address than the recorded kernel */
	bool moved;
};

/* Adds the symbol in a line of the file. Lines of any other form are skipped. The line is changed.
 * Returns 0 or MD_ENOMEM. */
static int add_line(struct reading *r, char *line)
{
	struct symtab_row row = { 0 };
	char *name, *end;
	uint64_t address = strtoull(line, &end, 16);
	char type;

	if (end == line || *end != ' ' || !end[1] || end[2] != ' ' || !address)
		return 0;
	type = end[1];
	name = end + 3;
	name[strcspn(name, " \t\r")] = '\0';
	if (!name[0] || !strchr("tTwWdDbBrRvV", type))
		return 0;
	if (r->at && r->at->symbol && !strcmp(name, r->at->symbol))
		r->moved |= address != r->at->address;
	row.name = name;
	row.bind = strchr("wWvV", type) ? STB_WEAK : strchr("TDBR", type) ? STB_GLOBAL : STB_LOCAL;
	return symtab_add(r->t, name, address, 0,
			  address < UINT64_MAX - MAX_EXTENT ? address + MAX_EXTENT : UINT64_MAX,
			  strchr("tTwW", type), symtab_rank(&row));
}

static int add_lines(struct reading *r, char *text)
{
	char *line;
	int ret = 0;

	while (!ret && (line = text_line(&text)))
		ret = add_line(r, line);
	return ret;
}

int sym_kallsyms_open(const char *path, const struct sym_kernel *at, struct sym_file **out,
		      struct md_err *err)
{
	struct sym_file *f = calloc(1, sizeof(*f));
	struct reading r = { .at = at };
	int ret;

	*out = NULL;
	if (!f)
		return text_nomem(path, err);
	f->absolute = true;
	f->symtab_loaded = true;
	r.t = &f->symtab;
	ret = text_read(path, &f->text, err);
	if (ret)
		goto out;
	if (add_lines(&r, f->text)) {
		ret = text_nomem(path, err);
		goto out;
	}
	if (!f->symtab.n || r.moved) {
		ret = md_fail(err, MD_EFORMAT,
			      r.moved ? "no kernel symbols in '%s': the kernel was started again "
					"since the recording, and is elsewhere"
				      : "no kernel symbols in '%s': its addresses are hidden "
					"(kptr_restrict)",
			      path);
		goto out;
	}
	symtab_sort(&f->symtab);
	*out = f;
	f = NULL;
out:
	sym_file_close(f);
	return ret;
}

/* Reads the build-id in the notes of the running kernel. */
struct sym_build_id sym_kernel_build_id(void)
{
	struct sym_build_id id = { 0 };
	uint8_t buf[4096];
	struct cursor c;
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, buf, sizeof(buf)) : 0;

	if (fd >= 0)
		close(fd);
	c = cursor_make(buf, n > 0 ? (size_t)n : 0, false);
	while (cursor_left(&c) && !id.size) {
		uint32_t name = cursor_u32(&c), desc = cursor_u32(&c), type = cursor_u32(&c);
		const uint8_t *owner = cursor_bytes(&c, (name + (uint64_t)3) & ~(uint64_t)3);
		const uint8_t *bytes = cursor_bytes(&c, (desc + (uint64_t)3) & ~(uint64_t)3);

		if (c.failed || type != NT_GNU_BUILD_ID || name != 4 || memcmp(owner, "GNU", 4) ||
		    desc > sizeof(id.bytes))
			continue;
		memcpy(id.bytes, bytes, desc);
		id.size = (uint8_t)desc;
	}
	return id;
}
