/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cfi_cache.h"

#include "rawcall.h"
#include "stack_range.h"
#include "start.h"

#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

/* One cached rule. key = address ^ rule ^ a number that cfi_cache_forget() changes. key and rule
 * are read separately, so a reader may see the key of one rule with another rule. Then key ^ rule
 * does not match the wanted address, and the reader treats the entry as missing. */
struct entry {
	_Atomic uint64_t key;
	_Atomic uint64_t rule;
};

enum { WAYS = 4, SET_BITS = 13, SETS = 1 << SET_BITS };

/* With fewer than FEW cached rules, only 1 << FEW_BITS sets are used; with fewer than SOME rules, 1
 * << SOME_BITS sets. */
enum { FEW = 128, FEW_BITS = 6, SOME = 1 << 9, SOME_BITS = 8 };

/* 512 KiB of .bss; a set is one cache line. While there are few rules, only the first sets are
 * used, so that a small program touches few pages. When more sets come into use, a rule may belong
 * in a different set than before; then it is not found, and is computed again. */
static struct entry table[SETS][WAYS] __attribute__((aligned(64)));
atomic_uint cfi_cache_forgotten START_STATE;
static atomic_uint next_way START_STATE;
static atomic_uint remembered START_STATE;

static unsigned set_bits(void)
{
	unsigned n = atomic_load_explicit(&remembered, memory_order_relaxed);

	return n < FEW ? FEW_BITS : n < SOME ? SOME_BITS : SET_BITS;
}

typedef int find_object_fn(void *pc, struct found_object *out);

static find_object_fn *_Atomic find_object START_STATE;
static atomic_bool ready START_STATE;

void cfi_cache_init(void *dl_find_object)
{
	atomic_store(&find_object, (find_object_fn *)dl_find_object);
	atomic_store(&ready, true);
}

void cfi_cache_forget(void)
{
	atomic_fetch_add(&cfi_cache_forgotten, 1);
}

/* Finds the loadable segment that contains the .eh_frame_hdr at address hdr, and fills in *t.
 * Returns false if there is no such segment. */
static bool image_from_phdrs(struct unwind_table *t, const ElfW(Phdr) * phdrs, size_t n,
			     uint64_t bias, uint64_t hdr)
{
	for (size_t i = 0; i < n; i++) {
		const ElfW(Phdr) *p = &phdrs[i];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_R) || hdr - bias < p->p_vaddr ||
		    hdr - bias - p->p_vaddr >= p->p_filesz)
			continue;
		t->image.address = bias + p->p_vaddr;
		t->image.bytes = (const uint8_t *)(uintptr_t)t->image.address;
		t->image.size = p->p_filesz;
		t->hdr = hdr - t->image.address;
		return true;
	}
	return false;
}

/* Argument of visit_object(), which stops at the object that contains pc. */
struct search {
	uint64_t pc;
	struct unwind_table *table;
	bool found;
};

static int visit_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *s = data;
	uint64_t hdr = 0;
	bool inside = false;

	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD)
			inside |= s->pc - info->dlpi_addr - p->p_vaddr < p->p_memsz;
		else if (p->p_type == PT_GNU_EH_FRAME)
			hdr = info->dlpi_addr + p->p_vaddr;
	}
	if (!inside)
		return 0;
	s->found = hdr && image_from_phdrs(s->table, info->dlpi_phdr, info->dlpi_phnum,
					   info->dlpi_addr, hdr);
	return 1;
}

static bool search_objects(struct unwind_table *t, uint64_t pc)
{
	struct search s = { .pc = pc, .table = t };

	dl_iterate_phdr(visit_object, &s);
	return s.found;
}

/* Returns the program headers of an object whose mapping begins with the ELF header; NULL if they
 * are not in the same page as the header. */
static const ElfW(Phdr) * phdrs_at(const void *start, const void *end, size_t *n)
{
	const ElfW(Ehdr) *ehdr = start;
	uint64_t bytes;

	if ((uintptr_t)end - (uintptr_t)start < 4096 || memcmp(ehdr->e_ident, ELFMAG, SELFMAG) ||
	    ehdr->e_phentsize != sizeof(ElfW(Phdr)))
		return NULL;
	bytes = (uint64_t)ehdr->e_phnum * sizeof(ElfW(Phdr));
	if (ehdr->e_phoff % 8 || ehdr->e_phoff > 4096 || bytes > 4096 - ehdr->e_phoff)
		return NULL;
	*n = ehdr->e_phnum;
	return (const ElfW(Phdr) *)(const void *)((const char *)start + ehdr->e_phoff);
}

/* Finds the object that contains the code at pc, and its unwind table. Returns false if there is no
 * table. */
static bool find_table(struct cfi_object *known, find_object_fn *find, uint64_t pc)
{
	struct unwind_table *t = &known->table;
	struct found_object *o = &known->object;
	const ElfW(Phdr) * phdrs;
	size_t n;

	if (find((void *)(uintptr_t)pc, o) || !o->eh_frame || !o->map)
		return false;
	phdrs = phdrs_at(o->map_start, o->map_end, &n);
	if (!phdrs)
		return search_objects(t, pc);
	return image_from_phdrs(t, phdrs, n, o->map->l_addr, (uint64_t)(uintptr_t)o->eh_frame);
}

static bool is_in(const struct found_object *o, uint64_t pc)
{
	return pc >= (uint64_t)(uintptr_t)o->map_start && pc < (uint64_t)(uintptr_t)o->map_end;
}

/* Returns CFI_PROGRAM, CFI_LIBC or CFI_OTHER. Only the program has no name. */
static int kind_of(const struct found_object *o)
{
	if (!o->map->l_prev && !*o->map->l_name)
		return CFI_PROGRAM;
	return is_in(o, (uint64_t)(uintptr_t)dl_iterate_phdr) ? CFI_LIBC : CFI_OTHER;
}

/* Remembers the object if it is never unmapped. */
static void keep_object(struct cfi_learning *l, const struct cfi_object *found)
{
	const int kind = kind_of(&found->object);

	if (kind == CFI_OTHER)
		return;
	l->objects[kind] = *found;
	/* if longjmp leaves a signal handler that interrupts this, nothing is known */
	atomic_signal_fence(memory_order_seq_cst);
	l->objects[kind].is_known = true;
}

/* Returns the unwind table of the object that contains the code at pc; NULL if there is none. First
 * looks at the objects that are never unmapped: in a forked child, each page of the loader and of
 * an object's header that is read causes a page fault. */
static __attribute__((noinline)) const struct unwind_table *table_at(struct cfi_learning *l,
								     uint64_t pc)
{
	find_object_fn *find = atomic_load_explicit(&find_object, memory_order_relaxed);
	struct cfi_object *found = &l->objects[CFI_OTHER];

	for (unsigned i = 0; i < CFI_OTHER; i++)
		if (l->objects[i].is_known && is_in(&l->objects[i].object, pc))
			return &l->objects[i].table;
	if (!find)
		return search_objects(&found->table, pc) ? &found->table : NULL;
	if (!find_table(found, find, pc))
		return NULL;
	keep_object(l, found);
	return &found->table;
}

static uint64_t word_of(struct cfi_rule rule)
{
	uint64_t w;

	memcpy(&w, &rule, sizeof(w));
	return w;
}

static struct cfi_rule rule_from(uint64_t word)
{
	struct cfi_rule r;

	memcpy(&r, &word, sizeof(r));
	return r;
}

static void remember_rule(struct entry *set, uint64_t key, uint64_t rule)
{
	struct entry *e = NULL;

	for (unsigned i = 0; i < WAYS && !e; i++) {
		if (!atomic_load_explicit(&set[i].key, memory_order_relaxed))
			e = &set[i];
	}
	if (!e)
		e = &set[atomic_fetch_add_explicit(&next_way, 1, memory_order_relaxed) % WAYS];
	if (set_bits() != SET_BITS &&
	    atomic_fetch_add_explicit(&remembered, 1, memory_order_relaxed) == SOME - 1)
		rawcall_populate(table, sizeof(table));
	atomic_store_explicit(&e->rule, rule, memory_order_relaxed);
	atomic_store_explicit(&e->key, key ^ rule, memory_order_relaxed);
}

#if defined(__aarch64__)
static const struct cfi_machine *const machine = &cfi_aarch64;

/* The code to which the kernel lets signal handlers return has no CFI, or CFI that skips the
 * interrupted function. Unwinders recognize this code by its two instructions. The frame consists
 * of a siginfo of 128 bytes and a ucontext. In the ucontext, the registers begin at offset 184: x0
 * to x30, sp, pc. */
static bool is_signal_return(uint64_t ra, struct cfi_rule *rule)
{
	const uint32_t *code = (const uint32_t *)(uintptr_t)ra;
	enum { REGISTERS = 128 + 184 };

	if (ra % 4 || !range_page_readable(ra) || !range_page_readable(ra + 4) ||
	    code[0] != 0xd2801168 /* the instruction is not mov x8, #rt_sigreturn */ ||
	    code[1] != 0xd4000001 /* the instruction is not svc #0 */)
		return false;
	*rule = (struct cfi_rule){ .kind = CFI_FRAME,
				   .base = CFI_SP,
				   .signal = 1,
				   .off = REGISTERS + 31 * 8,
				   .deref = 1,
				   .ra_at_base = 1,
				   .regs_at_base = 1,
				   .fp = REGISTERS / 8 + 29,
				   .aux = REGISTERS / 8 + 30 };
	return true;
}
#else
static const struct cfi_machine *const machine = &cfi_x86_64;

static bool is_signal_return(uint64_t ra, struct cfi_rule *rule)
{
	return false; /* signal handlers return to code of the C library, which has CFI */
}
#endif

static uint64_t key_of(uint64_t ra)
{
	return ra ^ ((uint64_t)cfi_cache_generation() * 0x9e3779b97f4a7c15u);
}

static struct entry *set_of(uint64_t key)
{
	return table[key * 0x9e3779b97f4a7c15u >> (64 - set_bits())];
}

struct cfi_rule cfi_cache_learn(uint64_t ra, struct cfi_learning *l)
{
	struct cfi_rule rule = { .kind = CFI_NONE };
	const struct unwind_table *t;
	uint64_t key = key_of(ra);

	if (!atomic_load_explicit(&ready, memory_order_acquire) || is_signal_return(ra, &rule))
		return rule;
	t = table_at(l, ra - 1);
	if (!t)
		return rule;
	rule = cfi_find(machine, &t->image, t->hdr, ra, &l->reading);
	remember_rule(set_of(key), key, word_of(rule));
	return rule;
}

bool cfi_cache_rule(uint64_t ra, struct cfi_rule *rule)
{
	uint64_t key = key_of(ra);
	struct entry *set = set_of(key);

	for (unsigned i = 0; i < WAYS; i++) {
		uint64_t word = atomic_load_explicit(&set[i].rule, memory_order_relaxed);

		if ((atomic_load_explicit(&set[i].key, memory_order_relaxed) ^ word) == key) {
			*rule = rule_from(word);
			return true;
		}
	}
	return false;
}
