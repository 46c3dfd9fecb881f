/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/file.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/demangle.h"
#include "symbol/plt.h"
#include "symbol/vdso.h"

/* Are the build-id of a file and the recorded one the same? Older perf pads a short build-id
 * with zeros to 20 bytes and does not record its length. */
static bool same_build_id(const struct sym_build_id *file, const struct sym_build_id *want)
{
	static const uint8_t zeros[sizeof(want->bytes)];
	size_t n = file->size;

	if (!n || n > want->size || want->size > sizeof(want->bytes))
		return false;
	return memcmp(file->bytes, want->bytes, n) == 0 &&
	       memcmp(want->bytes + n, zeros, want->size - n) == 0;
}

/* Decides whether the opened file is the one that was mapped: by the build-id `want` if it is
 * known, otherwise by o->origin. */
static enum sym_state verify_origin(struct sym_file *f, const struct sym_build_id *want,
				    const struct sym_options *o)
{
	const struct image *im = &f->image;

	if (want && want->size)
		return same_build_id(&im->id, want) ? SYM_OK : SYM_REPLACED;
	if (!o || !o->origin)
		return SYM_OK;
	return sym_origin_check(o->origin, im->machine, im->written_ns, im->changed_ns, &f->doubt);
}

static int open_image(struct sym_file *f, const char *path, const struct sym_build_id *want,
		      const struct sym_options *o)
{
	bool vdso = strcmp(path, "[vdso]") == 0;
	int ret = vdso ? vdso_open(&f->image) : image_open(f->path, &f->image);

	if (ret < 0)
		return ret;
	f->state = (enum sym_state)ret;
	if (f->state == SYM_OK)
		f->state = verify_origin(f, want, o);
	if (f->state == SYM_REPLACED || f->state == SYM_REFUSED)
		image_release(&f->image);
	return 0;
}

/* Returns `root` if the path exists below it; otherwise "", so that the file is looked for at
 * `path` itself, on this machine. */
static const char *root_of(const char *root, const char *path)
{
	char *below;
	bool there = asprintf(&below, "%s%s", root, path) >= 0;

	if (!there)
		return root;
	there = access(below, F_OK) == 0;
	free(below);
	return there ? root : "";
}

static int copy_options(struct sym_file *f, const char *path, const struct sym_options *o)
{
	const char *root = o && o->root ? root_of(o->root, path) : "";
	const char *dirs = o && o->debug_dirs ? o->debug_dirs : "/usr/lib/debug";
	size_t len = strlen(root) + strlen(path) + 1;

	f->no_lines = o && o->no_lines;
	f->debuginfod = o && o->debuginfod;
	f->path = malloc(len);
	f->root = strdup(root);
	f->debug_dirs = strdup(dirs);
	if (!f->path || !f->root || !f->debug_dirs)
		return MD_ENOMEM;
	memcpy(f->path, root, strlen(root));
	memcpy(f->path + strlen(root), path, strlen(path) + 1);
	return 0;
}

int sym_file_open(const char *path, const struct sym_build_id *want, const struct sym_options *o,
		  struct sym_file **out, struct md_err *err)
{
	struct sym_file *f;
	int ret = MD_ENOMEM;

	*out = NULL;
	f = calloc(1, sizeof(*f));
	if (f)
		ret = copy_options(f, path, o);
	if (!ret)
		ret = open_image(f, path, want, o);
	if (ret) {
		ret = md_nomem(err);
		md_wrap(err, "cannot read the symbols of '%s'", path);
		goto out;
	}
	*out = f;
	f = NULL;
out:
	sym_file_close(f);
	return ret;
}

void sym_file_close(struct sym_file *f)
{
	if (!f)
		return;
	cfi_close(f->cfi);
	dwarf_close(f->dwarf);
	symtab_release(&f->symtab);
	image_release(&f->image);
	image_release(&f->debug);
	image_release(&f->mini);
	arena_release(&f->arena);
	free(f->variables);
	free(f->sections.at);
	free(f->locals.at);
	index_release(&f->locals_index);
	free(f->uses.at);
	index_release(&f->uses_index);
	free(f->types.at);
	index_release(&f->types_index);
	free(f->text);
	free(f->debug_path);
	free(f->debug_dirs);
	free(f->root);
	free(f->path);
	free(f);
}

enum sym_state sym_file_state(const struct sym_file *f)
{
	return f->state;
}

struct sym_build_id sym_file_build_id(const struct sym_file *f)
{
	return f->image.id;
}

int64_t sym_file_mtime(const struct sym_file *f)
{
	return f->image.written_ns / 1000000000;
}

const char *sym_file_doubt(const struct sym_file *f)
{
	return f->doubt;
}

struct symtab *file_symtab(struct sym_file *f)
{
	if (f->symtab_loaded)
		return &f->symtab;
	f->symtab_loaded = true;
	if (!f->image.bytes)
		return &f->symtab;
	if (!symtab_is_full(&f->image))
		file_find_debug(f);
	/* if memory runs out here, the table has fewer symbols, which is not an error */
	symtab_add_image(&f->symtab, &f->image);
	if (f->debug.bytes)
		symtab_add_image(&f->symtab, &f->debug);
	if (f->mini.bytes)
		symtab_add_image(&f->symtab, &f->mini);
	plt_add(&f->symtab, &f->image, &f->arena);
	symtab_sort(&f->symtab);
	return &f->symtab;
}

static struct dwarf *open_dwarf(const char *path, const struct image *im)
{
	if (image_section(im, ".debug_info") || image_section(im, ".zdebug_info"))
		return dwarf_open(path, im);
	return NULL;
}

/* DWARF in the file itself is preferred to DWARF in a separate debug file. If the file's own DWARF
 * cannot be read and there is no other, it is kept, because dwarf_problem() says what is wrong with
 * it. */
struct dwarf *file_dwarf(struct sym_file *f)
{
	struct dwarf *separate = NULL;

	if (f->dwarf_tried || f->no_lines || !f->image.bytes)
		return f->dwarf;
	f->dwarf_tried = true;
	f->dwarf = open_dwarf(f->path, &f->image);
	if (f->dwarf && dwarf_found(f->dwarf))
		return f->dwarf;
	file_find_debug(f);
	if (f->debug.bytes)
		separate = open_dwarf(f->debug_path, &f->debug);
	if (separate) {
		dwarf_close(f->dwarf);
		f->dwarf = separate;
	}
	return f->dwarf;
}

bool sym_file_has_lines(struct sym_file *f)
{
	struct dwarf *d = file_dwarf(f);

	return d && dwarf_found(d);
}

const char *sym_file_problem(const struct sym_file *f)
{
	return f->dwarf ? dwarf_problem(f->dwarf) : NULL;
}

bool sym_vaddr_at(struct sym_file *f, uint64_t offset, uint64_t *vaddr)
{
	return image_vaddr(&f->image, offset, vaddr);
}

/* The kernel maps whole pages, so pgoff may be before the start of the segment. Finds the first
 * segment with the same execute permission that ends after pgoff and starts before the end of
 * the mapping, or of pgoff's page if that is larger. */
bool sym_load_bias(struct sym_file *f, const struct sym_mapped *m, uint64_t *bias)
{
	const uint64_t page = 65535; /* mask of the largest page size that kernels have, 64 KiB */

	for (size_t i = 0; i < f->image.nsegments; i++) {
		const struct image_segment *s = &f->image.segments[i];
		const uint64_t first = s->offset & ~page;

		if (s->exec != m->exec || (first > m->pgoff && first - m->pgoff >= m->bytes) ||
		    m->pgoff >= s->offset + s->filesz)
			continue;
		*bias = m->start - (s->vaddr - s->offset + m->pgoff);
		return true;
	}
	return false;
}

/* The block is before the thread pointer on x86. On AArch64 it is after the two words at the thread
 * pointer. */
bool sym_program_tls(struct sym_file *f, int64_t *at, uint64_t *bytes)
{
	const struct image *im = &f->image;
	const uint64_t round = im->tls_align - 1;

	*bytes = im->tls_bytes;
	if (!*bytes || (im->machine != EM_X86_64 && im->machine != EM_AARCH64))
		return false;
	*at = im->machine == EM_X86_64 ? -(int64_t)((*bytes + round) & ~round)
				       : (int64_t)((16 + round) & ~round);
	return true;
}

bool sym_load_range(struct sym_file *f, uint64_t *lo, uint64_t *hi)
{
	*lo = UINT64_MAX;
	*hi = 0;
	for (size_t i = 0; i < f->image.nsegments; i++) {
		const struct image_segment *s = &f->image.segments[i];

		if (s->vaddr < *lo)
			*lo = s->vaddr;
		if (s->vaddr + s->memsz > *hi)
			*hi = s->vaddr + s->memsz;
	}
	return *hi > *lo;
}

bool sym_has_code(struct sym_file *f, uint64_t lo, uint64_t hi)
{
	for (size_t i = 0; i < f->image.nsegments; i++) {
		const struct image_segment *s = &f->image.segments[i];

		if (s->exec && s->vaddr < hi && lo < s->vaddr + s->memsz)
			return true;
	}
	return false;
}

/* Does the symbol cover the code at vaddr? A symbol without a size has no known end, so vaddr may
 * be in a later function. This is the case if the unwind entry of vaddr starts after the symbol. */
static bool owns_address(struct sym_file *f, const struct symtab_entry *e, uint64_t vaddr)
{
	uint64_t start, end;

	if (e->sized || !e->code || !file_cfi_function(f, vaddr, &start, &end))
		return true;
	return start <= e->start;
}

static const struct sym_symbol *symbol_of_entry(struct sym_file *f, struct symtab_entry *e)
{
	struct sym_symbol *s = e->shown;

	if (s)
		return s;
	s = arena_alloc(&f->arena, sizeof(*s));
	if (!s)
		return NULL;
	s->name = e->name;
	s->pretty = demangle_name(&f->arena, e->name);
	s->vaddr = e->start;
	if (f->absolute || !image_offset(&f->image, e->start, &s->start))
		s->start = e->start;
	s->size = e->sized ? e->end - e->start : 0;
	e->shown = s;
	return s;
}

const struct sym_symbol *sym_symbol_at(struct sym_file *f, uint64_t offset)
{
	const struct symtab *t = file_symtab(f);
	struct symtab_entry *e;
	uint64_t vaddr = offset;

	if (!f->absolute && !image_vaddr(&f->image, offset, &vaddr))
		return NULL;
	e = symtab_find(t, vaddr);
	if (!e || !owns_address(f, e, vaddr))
		return NULL;
	return symbol_of_entry(f, e);
}

unsigned sym_lines_at(struct sym_file *f, uint64_t offset, struct sym_line *out, unsigned max)
{
	const struct sym_symbol *s;
	struct dwarf *d;
	unsigned n = 0;
	uint64_t vaddr;

	if (!image_vaddr(&f->image, offset, &vaddr))
		return 0;
	d = file_dwarf(f);
	if (d)
		n = dwarf_lines(d, vaddr, out, max);
	/* assembler code has lines but no functions in DWARF, so the symbol is the function */
	if (n && !out[n - 1].function) {
		s = sym_symbol_at(f, offset);
		out[n - 1].function = s ? s->pretty : NULL;
	}
	return n;
}

void sym_lines_prepare(struct sym_file *f, const uint64_t *offsets, size_t n)
{
	struct dwarf *d = file_dwarf(f);
	uint64_t *vaddrs = d ? malloc(n * sizeof(*vaddrs)) : NULL;
	size_t known = 0;

	for (size_t i = 0; vaddrs && i < n; i++)
		known += image_vaddr(&f->image, offsets[i], &vaddrs[known]);
	if (known)
		dwarf_prepare(d, vaddrs, known);
	free(vaddrs);
}
