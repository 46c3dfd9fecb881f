/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "real.h"

#include <elf.h>
#include <link.h>
#include <stdatomic.h>

#include "base/count.h"
#include "start.h"

struct real real START_STATE;

/* The dynamic section of this library. */
extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

/* The list of all loaded objects. For debuggers, glibc exports it under the first name, musl
 * under the second. */
extern struct r_debug _r_debug __attribute__((weak));
extern struct r_debug *_dl_debug_addr __attribute__((weak));

/* The tables of one object, for a search by name. */
struct object {
	ElfW(Addr) base;
	const ElfW(Sym) * symbols;
	const char *names;
	const uint32_t *gnu_hash;
	const uint32_t *hash;
	const ElfW(Half) * versions;
};

static uint32_t gnu_hash(const char *s)
{
	uint32_t h = 5381;

	for (; *s; s++)
		h = h * 33 + (unsigned char)*s;
	return h;
}

static bool same_text(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/* Returns the address that an entry of the dynamic section with this value refers to. Most loaders
 * have added the object's base address to the value; others have left an offset. */
static const void *table_address(const struct link_map *map, ElfW(Addr) value)
{
	return (const void *)(value < map->l_addr ? value + map->l_addr : value);
}

static struct object object_of(const struct link_map *map)
{
	struct object o = { .base = map->l_addr };

	for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
		const void *p = table_address(map, d->d_un.d_ptr);

		switch (d->d_tag) {
		case DT_SYMTAB:
			o.symbols = p;
			break;
		case DT_STRTAB:
			o.names = p;
			break;
		case DT_GNU_HASH:
			o.gnu_hash = p;
			break;
		case DT_HASH:
			o.hash = p;
			break;
		case DT_VERSYM:
			o.versions = p;
			break;
		}
	}
	return o;
}

/* Is symbol i of the object a usable definition of this name, in its default version? */
static bool defines_symbol(const struct object *o, uint32_t i, const char *name)
{
	const ElfW(Sym) *s = &o->symbols[i];
	unsigned type = s->st_info & 15;

	if (s->st_shndx == SHN_UNDEF || !same_text(o->names + s->st_name, name))
		return false;
	/* this bit marks a version that is not the default one: it is kept for old programs */
	if (o->versions && (o->versions[i] & 0x8000))
		return false;
	return type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE ||
	       type == STT_GNU_IFUNC;
}

static uint32_t find_gnu(const struct object *o, const char *name)
{
	const uint32_t *h = o->gnu_hash, nbuckets = h[0], first = h[1], nbloom = h[2];
	const uint32_t *buckets = h + 4 + nbloom * (sizeof(ElfW(Addr)) / 4),
		       *chain = buckets + nbuckets;
	uint32_t hash = gnu_hash(name), i = nbuckets ? buckets[hash % nbuckets] : 0;

	for (; i >= first && i; i++) {
		if ((chain[i - first] | 1) == (hash | 1) && defines_symbol(o, i, name))
			return i;
		if (chain[i - first] & 1)
			break;
	}
	return 0;
}

static uint32_t find_all(const struct object *o, const char *name)
{
	/* the second word of the table is the number of symbols */
	for (uint32_t i = 1; i < o->hash[1]; i++)
		if (defines_symbol(o, i, name))
			return i;
	return 0;
}

static void *find_in(const struct object *o, const char *name)
{
	const ElfW(Sym) * s;
	uint32_t i = 0;
	void *p;

	if (!o->symbols || !o->names)
		return NULL;
	if (o->gnu_hash)
		i = find_gnu(o, name);
	else if (o->hash)
		i = find_all(o, name);
	if (!i)
		return NULL;
	s = &o->symbols[i];
	p = (void *)(o->base + s->st_value);
	if ((s->st_info & 15) == STT_GNU_IFUNC)
		p = ((void *(*)(void))p)();
	return p;
}

static const struct link_map *first_map(void)
{
	if (&_r_debug)
		return _r_debug.r_map;
	return &_dl_debug_addr && _dl_debug_addr ? _dl_debug_addr->r_map : NULL;
}

static const struct link_map *own_map(void)
{
	const struct link_map *map = first_map();

	while (map && map->l_ld != _DYNAMIC)
		map = map->l_next;
	return map;
}

const char *real_own_path(void)
{
	const struct link_map *map = own_map();

	return map ? map->l_name : NULL;
}

static void *find_from(const struct link_map *map, const char *name)
{
	void *p = NULL;

	for (; map && !p; map = map->l_next) {
		struct object o = object_of(map);

		p = find_in(&o, name);
	}
	return p;
}

void *real_find(const char *name)
{
	const struct link_map *map = own_map();

	return map ? find_from(map->l_next, name) : NULL;
}

void *real_find_anywhere(const char *name)
{
	return find_from(first_map(), name);
}

bool real_program_has_heap(void)
{
	const struct link_map *program = first_map();
	struct object o;

	if (!program || program->l_ld == _DYNAMIC)
		return false;
	o = object_of(program);
	return find_in(&o, "malloc");
}

/* The loader sets this to the address of `real` when it relocates this library. A different value
 * means that the library is not relocated yet. */
static void *volatile relocated = &real;

static const struct {
	const char *name;
	size_t offset;
} wanted[] = {
#define WANT(member)                                   \
	{                                              \
#member, offsetof(struct real, member) \
	}
#define WANT_AS(name, member)                       \
	{                                           \
		name, offsetof(struct real, member) \
	}
	WANT(calloc),
	WANT(realloc),
	WANT(free),
	WANT(memalign),
	WANT(posix_memalign),
	WANT(aligned_alloc),
	WANT(valloc),
	WANT(pvalloc),
	WANT(malloc_usable_size),
	WANT(mmap),
	WANT(munmap),
	WANT(mprotect),
	WANT(mremap),
	WANT(brk),
	WANT(sbrk),
	WANT(shmat),
	WANT(shmdt),
	WANT(madvise),
	WANT(sched_setaffinity),
	WANT(pthread_setaffinity_np),
	WANT(pthread_setname_np),
	WANT(pthread_getcpuclockid),
	WANT(pthread_key_create),
	WANT(pthread_setspecific),
	WANT(reallocarray),
	WANT(dlopen),
	WANT(dlclose),
	WANT(fork),
	WANT_AS("_exit", exit_),
	WANT_AS("_Exit", exit_c99),
	WANT(execve),
	WANT(execvpe),
	WANT(fexecve),
	WANT(execveat),
	WANT(posix_spawn),
	WANT(posix_spawnp),
	WANT(mlockall),
	WANT(setrlimit64),
	WANT_AS("setrlimit", setrlimit64), /* musl has only this name */
	WANT(prlimit64),
	WANT_AS("prlimit", prlimit64),
	WANT(chroot),
	WANT(unshare),
	WANT(setuid),
	WANT(seteuid),
	WANT(setreuid),
	WANT(setresuid),
	WANT(syscall),
	WANT(prctl),
	WANT(malloc), /* must be last, because it marks the table as complete */
};

enum { WANTED = COUNT_OF(wanted) };

static bool is_heap_function(size_t i)
{
	return wanted[i].offset <= offsetof(struct real, pvalloc);
}

/* Stores in `real` the functions that this object defines, unless an earlier object has defined
 * them. Stores malloc in *last instead, because real.malloc must be set last. Sets real.layered if
 * one of the stored functions is a heap function and the object is not glibc. */
static void find_missing(const struct object *o, void **last)
{
	bool is_libc = find_in(o, "gnu_get_libc_version");

	for (size_t i = 0; i < WANTED; i++) {
		void **to = (void **)((char *)&real + wanted[i].offset), *p;

		to = i == WANTED - 1 ? last : to;
		if (*to)
			continue;
		p = find_in(o, wanted[i].name);
		if (p && is_heap_function(i) && !is_libc)
			real.layered = true;
		if (p)
			__atomic_store_n(to, p, __ATOMIC_RELEASE);
	}
}

bool real_init(void)
{
	const struct link_map *map;
	void *last = NULL;

	if (relocated != &real)
		return false;
	map = own_map();
	for (map = map ? map->l_next : NULL; map; map = map->l_next) {
		struct object o = object_of(map);

		find_missing(&o, &last);
	}
	if (last)
		__atomic_store_n((void **)&real.malloc, last, __ATOMIC_RELEASE);
	return last;
}

/* The buffer of boot_alloc(). The 8 bytes before each block contain the size of the block. */
_Alignas(4096) unsigned char boot_memory[BOOT_BYTES];
static size_t boot_used;

void *boot_alloc(size_t align, size_t size)
{
	size_t old = __atomic_load_n(&boot_used, __ATOMIC_RELAXED), at;

	if (align < 16)
		align = 16;
	if (size > BOOT_BYTES || align > BOOT_BYTES || (align & (align - 1)))
		return NULL;
	do {
		at = (old + 16 + align - 1) & ~(align - 1);
		if (at > BOOT_BYTES || size > BOOT_BYTES - at)
			return NULL;
	} while (!__atomic_compare_exchange_n(&boot_used, &old, at + size, false, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	*(size_t *)(boot_memory + at - sizeof(size_t)) = size;
	return boot_memory + at;
}

size_t boot_size(const void *p)
{
	return *(const size_t *)((const unsigned char *)p - sizeof(size_t));
}
