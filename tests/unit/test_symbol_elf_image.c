/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests ELF images that are made in memory, of both classes and byte orders: intact, cut and
 * damaged. */
#include "symbol/cfi_table.h"
#include "symbol/elf_image.h"
#include "symbol/symtab.h"

#include <elf.h>

#include "check_main.h"

/* An ELF file under construction. put() writes a number in the file's class and byte order. */
struct build {
	uint8_t buf[4096];
	size_t len;
	bool is64, big;
};

static void put(struct build *b, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		b->buf[b->len++] = (uint8_t)(v >> 8 * (b->big ? n - 1 - i : i));
}

static void word(struct build *b, uint64_t v)
{
	put(b, v, b->is64 ? 8 : 4);
}

static void header(struct build *b, uint64_t shoff, unsigned shnum)
{
	memcpy(b->buf, ELFMAG, SELFMAG);
	b->buf[EI_CLASS] = b->is64 ? ELFCLASS64 : ELFCLASS32;
	b->buf[EI_DATA] = b->big ? ELFDATA2MSB : ELFDATA2LSB;
	b->buf[EI_VERSION] = EV_CURRENT;
	b->len = EI_NIDENT;
	put(b, ET_DYN, 2);
	put(b, EM_PPC64, 2);
	put(b, EV_CURRENT, 4);
	word(b, 0);
	word(b, b->is64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
	word(b, shoff);
	put(b, 0, 4);
	put(b, 0, 2);
	put(b, b->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), 2);
	put(b, 2, 2);
	put(b, b->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2);
	put(b, shnum, 2);
	put(b, 4, 2);
}

static void segment(struct build *b, uint32_t type, uint32_t flags, uint64_t offset, uint64_t vaddr,
		    uint64_t filesz, uint64_t memsz)
{
	put(b, type, 4);
	if (b->is64)
		put(b, flags, 4);
	word(b, offset);
	word(b, vaddr);
	word(b, 0);
	word(b, filesz);
	word(b, memsz);
	if (!b->is64)
		put(b, flags, 4);
	word(b, 4);
}

static void section(struct build *b, uint32_t name, uint32_t type, uint64_t flags, uint64_t addr,
		    uint64_t offset, uint64_t size, uint32_t link)
{
	put(b, name, 4);
	put(b, type, 4);
	word(b, flags);
	word(b, addr);
	word(b, offset);
	word(b, size);
	put(b, link, 4);
	put(b, 0, 4);
	word(b, 0);
	word(b, 0);
}

static void symbol(struct build *b, uint32_t name, uint64_t value, uint64_t size, uint8_t info,
		   uint16_t shndx)
{
	put(b, name, 4);
	if (b->is64) {
		put(b, info, 1);
		put(b, 0, 1);
		put(b, shndx, 2);
		word(b, value);
		word(b, size);
	} else {
		word(b, value);
		word(b, size);
		put(b, info, 1);
		put(b, 0, 1);
		put(b, shndx, 2);
	}
}

#define INFO(bind, type) ELF64_ST_INFO(STB_##bind, STT_##type)

static const char names[] = "\0main\0helper\0__alias\0label\0inner\0asm_code\0old@@V1\0old_v1";
enum { MAIN = 1, HELPER = 6, ALIAS = 13, LABEL = 21, INNER = 27, ASM = 33, VERSION = 42, OLD = 50 };
static const char section_names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";

enum { TEXT = 0x400, SYMBOLS = 0x600, STRINGS = 0x900, SECTIONS = 0xa00, TEXT_VADDR = 0x10400 };

/* Builds an image with these symbols:
 * 0x10400 main (global, 0x40 bytes), a local alias of it, a label inside it, and an inner symbol
 * (0x10420, 8 bytes)
 * 0x10480 helper (local, 0x10 bytes)
 * 0x104c0 asm_code, without type and size
 * 0x10500 two versions of one function */
static void build(struct build *b, bool is64, bool big)
{
	*b = (struct build){ .is64 = is64, .big = big };
	header(b, SECTIONS, 5);
	segment(b, PT_LOAD, PF_R | PF_X, TEXT, TEXT_VADDR, 0x180, 0x200);
	segment(b, PT_NOTE, PF_R, 0x300, 0, 24, 24);
	b->len = 0x300;
	put(b, 4, 4);
	put(b, 8, 4);
	put(b, NT_GNU_BUILD_ID, 4);
	memcpy(b->buf + b->len, "GNU\0\x01\x02\x03\x04\x05\x06\x07\x08", 12);
	b->len = SYMBOLS;
	symbol(b, 0, 0, 0, 0, SHN_UNDEF);
	symbol(b, ALIAS, TEXT_VADDR, 0x40, INFO(LOCAL, FUNC), 1);
	symbol(b, MAIN, TEXT_VADDR, 0x40, INFO(GLOBAL, FUNC), 1);
	symbol(b, LABEL, TEXT_VADDR + 0x10, 0, INFO(LOCAL, NOTYPE), 1);
	symbol(b, INNER, TEXT_VADDR + 0x20, 8, INFO(LOCAL, FUNC), 1);
	symbol(b, HELPER, TEXT_VADDR + 0x80, 0x10, INFO(LOCAL, FUNC), 1);
	symbol(b, ASM, TEXT_VADDR + 0xc0, 0, INFO(GLOBAL, NOTYPE), 1);
	symbol(b, VERSION, TEXT_VADDR + 0x100, 0x10, INFO(GLOBAL, FUNC), 1);
	symbol(b, OLD, TEXT_VADDR + 0x100, 0x10, INFO(GLOBAL, FUNC), 1);
	symbol(b, MAIN, TEXT_VADDR + 0x140, 4, INFO(GLOBAL, FUNC), SHN_UNDEF);
	symbol(b, MAIN, TEXT_VADDR + 0x140, 4, INFO(GLOBAL, FUNC), SHN_ABS);
	symbol(b, 0x7fffffff, TEXT_VADDR + 0x140, 4, INFO(GLOBAL, FUNC), 1);
	symbol(b, MAIN, TEXT_VADDR + 0x4000, 4, INFO(GLOBAL, FUNC), 1);
	section(b, 0, 0, 0, 0, 0, 0, 0);
	memmove(b->buf + SECTIONS, b->buf + b->len - (is64 ? 64 : 40), is64 ? 64 : 40);
	b->len -= is64 ? 64 : 40;
	size_t symbols = b->len - SYMBOLS;

	b->len = SECTIONS + (is64 ? 64 : 40);
	section(b, 1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT_VADDR, TEXT, 0x180, 0);
	section(b, 7, SHT_SYMTAB, 0, 0, SYMBOLS, symbols, 3);
	section(b, 15, SHT_STRTAB, 0, 0, STRINGS, sizeof(names), 0);
	section(b, 23, SHT_STRTAB, 0, 0, STRINGS + 0x80, sizeof(section_names), 0);
	memcpy(b->buf + STRINGS, names, sizeof(names));
	memcpy(b->buf + STRINGS + 0x80, section_names, sizeof(section_names));
}

/* Opens a copy of the first len bytes of the image and reads its symbol table. */
static bool load(const struct build *b, size_t len, struct image *im, struct symtab *t)
{
	*t = (struct symtab){ 0 };
	if (image_take(copy_exact(b->buf, len), len, im) != 0)
		return false;
	ck_assert_int_eq(symtab_add_image(t, im), 0);
	symtab_sort(t);
	return true;
}

static const char *name_at(const struct symtab *t, uint64_t vaddr)
{
	const struct symtab_entry *e = symtab_find(t, vaddr);

	return e ? e->name : "";
}

START_TEST(both_classes_and_byte_orders_are_read)
{
	struct image im;
	struct symtab t;
	struct build b;
	uint64_t v;

	build(&b, _i & 1, _i & 2);
	ck_assert(load(&b, b.len, &im, &t));
	ck_assert_uint_eq(im.id.size, 8);
	ck_assert_int_eq(memcmp(im.id.bytes, "\1\2\3\4\5\6\7\10", 8), 0);
	ck_assert(image_vaddr(&im, TEXT + 5, &v) && v == TEXT_VADDR + 5);
	/* .bss: this memory has no bytes in the file */
	ck_assert(!image_vaddr(&im, TEXT + 0x180, &v));
	ck_assert(image_offset(&im, TEXT_VADDR + 0x180, &v) && v == TEXT + 0x180);
	ck_assert(!image_vaddr(&im, TEXT - 1, &v));
	ck_assert_ptr_nonnull(image_section(&im, ".text"));
	ck_assert_ptr_null(image_section(&im, ".tex"));
	ck_assert_ptr_null(image_section(&im, ".debug_info"));
	ck_assert_str_eq(name_at(&t, TEXT_VADDR), "main");
	/* a label inside a function does not hide the function */
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0x12), "main");
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0x20), "inner");
	/* after the inner symbol, the address belongs to main again */
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0x28), "main");
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0x3f), "main");
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0x40), "");
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0x8f), "helper");
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0x90), "");
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0xc0), "asm_code");
	/* A symbol without size extends to the next symbol. */
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0xff), "asm_code");
	/* the symbol's version is not part of the name */
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0x100), "old_v1");
	/* the symbols at this address are undefined, absolute or nameless, so they are ignored */
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0x140), "");
	/* the symbol at this address is outside its section, so it is ignored */
	ck_assert_str_eq(name_at(&t, TEXT_VADDR + 0x4000), "");
	ck_assert_str_eq(name_at(&t, 0), "");
	ck_assert_str_eq(name_at(&t, UINT64_MAX), "");
	symtab_release(&t);
	image_release(&im);
}
END_TEST

START_TEST(every_truncation_is_an_image_or_none)
{
	struct image im;
	struct symtab t;
	struct build b;
	size_t images = 0, tables = 0;

	build(&b, _i & 1, _i & 2);
	for (size_t len = 0; len < b.len; len++) {
		if (!load(&b, len, &im, &t))
			continue;
		images++;
		tables += t.n > 0;
		for (uint64_t v = TEXT_VADDR - 2; v < TEXT_VADDR + 0x202; v++) {
			symtab_find(&t, v);
			image_at(&im, v);
		}
		symtab_release(&t);
		image_release(&im);
	}
	ck_assert_uint_eq(images, b.len - EI_NIDENT);
	ck_assert_uint_gt(tables, 0);
}
END_TEST

/* Replaces each byte with several extreme values. The sanitizers report invalid reads. */
START_TEST(any_damaged_byte_is_safe)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	struct image im;
	struct symtab t;
	struct build b;

	build(&b, _i & 1, _i & 2);
	for (size_t i = 0; i < b.len; i++) {
		uint8_t was = b.buf[i];

		if (i >= TEXT && i < SYMBOLS)
			continue;
		for (size_t v = 0; v < sizeof(values); v++) {
			b.buf[i] = values[v];
			if (!load(&b, b.len, &im, &t))
				continue;
			symtab_find(&t, TEXT_VADDR);
			image_section(&im, ".text");
			image_at(&im, TEXT_VADDR + 5);
			symtab_release(&t);
			image_release(&im);
		}
		b.buf[i] = was;
	}
}
END_TEST

/* Cuts a shared object of this machine, which has .eh_frame, at many places. Functions may be lost,
 * but the reader must not crash. */
START_TEST(unwind_tables_are_safe_in_a_damaged_program)
{
	struct image im, cut;
	const struct image_section *frame;
	struct cfi_table t;
	struct cfi_entry e;
	uint64_t lo, hi;
	uint32_t random = 1;

	ck_assert_int_eq(image_open(SAMPLES "/stripped", &im), 0);
	frame = image_section(&im, ".eh_frame");
	ck_assert_ptr_nonnull(frame);
	lo = im.segments[0].vaddr;
	hi = im.segments[im.nsegments - 1].vaddr;
	for (int round = 0; round < 2000; round++) {
		size_t len = round % 2 ? im.len : im.len - (size_t)round * im.len / 2000;
		uint8_t *copy = copy_exact(im.bytes, len);

		for (int i = 0; round % 2 && i < 8; i++) {
			random = random * 1664525 + 1013904223;
			copy[frame->offset + (random >> 8) % frame->size] = (uint8_t)(random >> 24);
		}
		if (image_take(copy, len, &cut) != 0)
			continue;
		cfi_table_open(&t, &cut, true);
		for (uint64_t v = lo; v < hi; v += 0x11)
			if (cfi_table_find(&t, v, &e))
				ck_assert(v >= e.lo && v < e.hi);
		cfi_table_close(&t);
		image_release(&cut);
	}
	image_release(&im);
}
END_TEST

START_TEST(many_symbols_at_one_place_are_found_fast)
{
	struct symtab t = { 0 };
	const unsigned n = 200000;

	for (unsigned i = 0; i < n; i++) /* each symbol lies inside the one before */
		ck_assert_int_eq(symtab_add(&t, "x", i, 2 * n - 2 * i, 0, true, 0), 0);
	symtab_sort(&t);
	ck_assert_uint_eq(t.n, n);
	/* a lookup that visited all outer symbols would take too long */
	for (unsigned i = 0; i < n; i++)
		symtab_find(&t, n + i);
	ck_assert_uint_eq(symtab_find(&t, n - 1)->start, n - 1);
	ck_assert_ptr_null(symtab_find(&t, 3 * n));
	symtab_release(&t);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("symbol_image");
	TCase *tc = tcase_create("images");

	tcase_set_timeout(tc, 240);
	tcase_add_loop_test(tc, both_classes_and_byte_orders_are_read, 0, 4);
	tcase_add_loop_test(tc, every_truncation_is_an_image_or_none, 0, 4);
	tcase_add_loop_test(tc, any_damaged_byte_is_safe, 0, 4);
	tcase_add_test(tc, unwind_tables_are_safe_in_a_damaged_program);
	tcase_add_test(tc, many_symbols_at_one_place_are_found_fast);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
