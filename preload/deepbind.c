/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An object that is loaded with RTLD_DEEPBIND finds libc's allocator before the tracker's
 * functions. After such an object has been loaded, its references to allocation functions, and
 * those of the objects loaded with it, are redirected to the tracker, unless one of these objects
 * defines an allocator. Allocations in its constructors are not recorded.
 *
 * dlopen() must see its true caller, because run paths and namespaces depend on the caller. So the
 * hook jumps to dlopen() without a frame of its own. A call with RTLD_DEEPBIND and a path that
 * contains a slash is the exception: there the caller does not matter, so deep_open() makes the
 * call itself and redirects the references afterwards.
 */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "rawcall.h"
#include "real.h"
#include "tracker.h"

#if defined(__x86_64__)

#include <sys/mman.h>

/* One loaded object, valid while the loader's list is locked. */
struct loaded {
	ElfW(Addr) base;
	const ElfW(Sym) * symbols;
	const char *names;
	ElfW(Addr) relro, relro_end; /* page-aligned; 0 means that there is no such range */
};

/* Argument of on_object(), which visits the loaded objects. Objects before number `first` are
 * skipped; `at` is the number of the current object. */
struct search {
	size_t first, at;
	/* whether one of the objects defines an allocator of its own: then no object is changed */
	bool own_allocator;
	bool patch;
};

static const struct {
	const char *name;
	size_t real;
	void *ours;
} heap[] = {
#define HEAP(fn)                                                      \
	{                                                             \
#fn, offsetof(struct real, fn), (void *)(uintptr_t)fn \
	}
	HEAP(malloc),         HEAP(calloc),        HEAP(realloc), HEAP(free),    HEAP(memalign),
	HEAP(posix_memalign), HEAP(aligned_alloc), HEAP(valloc),  HEAP(pvalloc), HEAP(reallocarray),
};

/* `value` is from a slot of the object's GOT. Is the slot for the real function heap[i]? Then
 * `value` is the function's address or, if the slot is not bound yet, an address in the object's
 * own code, which binds the slot at the first call. The object's size is not known here, so each
 * address up to 64 MiB after its base counts as its own. */
static bool is_bound_to(const struct loaded *o, ElfW(Addr) value, size_t i)
{
	void *real_fn = NULL;

	memcpy(&real_fn, (const char *)&real + heap[i].real, sizeof(real_fn));
	return value == (ElfW(Addr))real_fn || (value >= o->base && value < o->base + (64 << 20));
}

static void patch_slot(const struct loaded *o, const ElfW(Rela) * r)
{
	const ElfW(Sym) *s = &o->symbols[ELF64_R_SYM(r->r_info)];
	ElfW(Addr) *slot = (ElfW(Addr) *)(o->base + r->r_offset);
	unsigned type = ELF64_R_TYPE(r->r_info);

	if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) || s->st_shndx != SHN_UNDEF)
		return;
	for (size_t i = 0; i < COUNT_OF(heap); i++)
		if (!strcmp(o->names + s->st_name, heap[i].name) && is_bound_to(o, *slot, i))
			__atomic_store_n(slot, (ElfW(Addr))heap[i].ours, __ATOMIC_RELEASE);
}

static void patch_table(const struct loaded *o, const ElfW(Rela) * r, size_t bytes)
{
	for (size_t i = 0; r && i < bytes / sizeof(*r); i++)
		patch_slot(o, &r[i]);
}

static bool defines_malloc(const struct loaded *o, const uint32_t *gnu_hash)
{
	uint32_t first = gnu_hash[1], nbuckets = gnu_hash[0];
	const uint32_t *buckets = gnu_hash + 4 + gnu_hash[2] * 2, *chain = buckets + nbuckets;

	for (uint32_t i = 0; i < nbuckets; i++)
		for (uint32_t n = buckets[i]; n >= first && n; n++) {
			if (!strcmp(o->names + o->symbols[n].st_name, "malloc"))
				return true;
			if (chain[n - first] & 1)
				break;
		}
	return false;
}

static void visit_object(struct search *s, struct loaded *o, const ElfW(Dyn) * d)
{
	const ElfW(Rela) *plt = NULL, *rela = NULL;
	size_t plt_bytes = 0, rela_bytes = 0, relro = o->relro_end - o->relro;
	const uint32_t *hash = NULL;

	for (; d->d_tag != DT_NULL; d++) {
		ElfW(Addr) p = d->d_un.d_ptr < o->base ? d->d_un.d_ptr + o->base : d->d_un.d_ptr;

		if (d->d_tag == DT_SYMTAB)
			o->symbols = (const ElfW(Sym) *)p;
		else if (d->d_tag == DT_STRTAB)
			o->names = (const char *)p;
		else if (d->d_tag == DT_GNU_HASH)
			hash = (const uint32_t *)p;
		else if (d->d_tag == DT_JMPREL)
			plt = (const ElfW(Rela) *)p;
		else if (d->d_tag == DT_PLTRELSZ)
			plt_bytes = d->d_un.d_val;
		else if (d->d_tag == DT_RELA)
			rela = (const ElfW(Rela) *)p;
		else if (d->d_tag == DT_RELASZ)
			rela_bytes = d->d_un.d_val;
	}
	if (!o->symbols || !o->names)
		return;
	if (!s->patch) {
		s->own_allocator = s->own_allocator || !hash || defines_malloc(o, hash);
		return;
	}
	if (relro && rawcall4(SYS_mprotect, (long)o->relro, (long)relro, PROT_READ | PROT_WRITE, 0))
		return;
	patch_table(o, plt, plt_bytes);
	patch_table(o, rela, rela_bytes);
	if (relro)
		rawcall4(SYS_mprotect, (long)o->relro, (long)relro, PROT_READ, 0);
}

static int on_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct loaded o = { .base = info->dlpi_addr };
	const ElfW(Dyn) *dynamic = NULL;
	struct search *s = arg;

	if (s->at++ < s->first)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_DYNAMIC)
			dynamic = (const ElfW(Dyn) *)(o.base + p->p_vaddr);
		if (p->p_type == PT_GNU_RELRO) {
			o.relro = (o.base + p->p_vaddr) & ~(ElfW(Addr))4095;
			o.relro_end = (o.base + p->p_vaddr + p->p_memsz) & ~(ElfW(Addr))4095;
		}
	}
	if (dynamic)
		visit_object(s, &o, dynamic);
	return 0;
}

static int count_object(struct dl_phdr_info *info, size_t size, void *arg)
{
	++*(size_t *)arg;
	return 0;
}

/* Decides for a call of dlopen(): true if deep_open() must make it, false if the hook jumps to the
 * real function. */
__attribute__((used)) static bool deep_wanted(const char *file, int flags)
{
	return !real_ready() || !real.dlopen ||
	       ((flags & RTLD_DEEPBIND) && file && strchr(file, '/') && image.header);
}

__attribute__((used)) static void *deep_open(const char *file, int flags)
{
	struct search s = { 0 };
	void *handle;

	if (!real_ready() || !real.dlopen)
		return NULL;
	dl_iterate_phdr(count_object, &s.first);
	handle = real.dlopen(file, flags);
	if (!handle || rawcall_sealed)
		return handle;
	dl_iterate_phdr(on_object, &s);
	if (s.own_allocator)
		return handle;
	s.patch = true;
	s.at = 0;
	dl_iterate_phdr(on_object, &s);
	return handle;
}

EXPORT __attribute__((naked)) void *dlopen(const char *file, int flags)
{
	__asm__("push %%rdi\n\t"
		"push %%rsi\n\t"
		"sub $8, %%rsp\n\t"
		"call deep_wanted\n\t"
		"add $8, %%rsp\n\t"
		"pop %%rsi\n\t"
		"pop %%rdi\n\t"
		"test %%al, %%al\n\t"
		"jnz deep_open\n\t"
		"jmp *real+%c0(%%rip)"
		:
		: "i"(offsetof(struct real, dlopen)));
}

#endif
