/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the parts of the exact sampler that work without an emulator. */
#include "buildid.h"
#include "cache.h"
#include "gap.h"
#include "holders.h"
#include "x86_operand.h"
#include "pages.h"

#include "check_main.h"

#include <elf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/count.h"

static enum operand operand(const char *bytes, size_t n)
{
	return operand_of((const uint8_t *)bytes, n);
}

START_TEST(operands_are_told_apart)
{
	ck_assert_int_eq(operand("\x8b\x07", 2), OPERAND_WHOLE);         /* mov (%rdi),%eax */
	ck_assert_int_eq(operand("\x48\x8b\x07", 3), OPERAND_WHOLE);     /* mov (%rdi),%rax */
	ck_assert_int_eq(operand("\xe8\0\0\0\0", 5), OPERAND_CALL);      /* call */
	ck_assert_int_eq(operand("\xff\x10", 2), OPERAND_CALL);          /* call *(%rax) */
	ck_assert_int_eq(operand("\x41\xff\xd4", 3), OPERAND_CALL);      /* call *%r12 */
	ck_assert_int_eq(operand("\xff\x30", 2), OPERAND_WHOLE);         /* push (%rax) */
	ck_assert_int_eq(operand("\xc3", 1), OPERAND_RETURN);            /* ret */
	ck_assert_int_eq(operand("\xf3\xc3", 2), OPERAND_RETURN);        /* rep ret */
	ck_assert_int_eq(operand("\x0f\x10\x07", 3), OPERAND_PARTS);     /* movups */
	ck_assert_int_eq(operand("\xf2\x0f\x10\x07", 4), OPERAND_WHOLE); /* movsd */
	ck_assert_int_eq(operand("\xf2\x0f\x12\x07", 4), OPERAND_PARTS); /* movddup */
	ck_assert_int_eq(operand("\xf3\x0f\x5a\x07", 4), OPERAND_WHOLE); /* cvtss2sd */
	ck_assert_int_eq(operand("\xf3\x0f\x5b\x07", 4), OPERAND_PARTS); /* cvttps2dq */
	ck_assert_int_eq(operand("\xc5\xfc\x10\x07", 4), OPERAND_PARTS); /* vmovups */
	ck_assert_int_eq(operand("\xc4\xe2\x6d\x92\x04\x87", 6), OPERAND_WHOLE); /* vgatherdps */
	ck_assert_int_eq(operand("\xdb\x2f", 2), OPERAND_PARTS);                 /* fldt */
	ck_assert_int_eq(operand("\x0f\xb6\x07", 3), OPERAND_WHOLE);             /* movzbl */
	ck_assert_int_eq(operand("\x48\x0f\xc7\x0f", 4), OPERAND_PARTS);         /* cmpxchg16b */
	ck_assert_int_eq(operand("\xf0\x48\x0f\xb1\x0f", 5), OPERAND_WHOLE);     /* lock cmpxchg */
	/* only prefixes, no opcode */
	ck_assert_int_eq(operand("\x66\x66", 2), OPERAND_WHOLE);
}
END_TEST

START_TEST(calls_by_the_linkage_table_are_found)
{
	const uint8_t call[] = { 0xe8, 0xfb, 0xff, 0xff, 0xff };
	const uint8_t lazy[PLT_BYTES] = { 0xff, 0x25, 0, 0, 0, 0, 0x68 };
	const uint8_t with_cet[PLT_BYTES] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25 };
	const uint8_t code[PLT_BYTES] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x55 };

	ck_assert_uint_eq(operand_call_target(call, sizeof(call), 1000), 1000);
	ck_assert_uint_eq(operand_call_target(call, 2, 1000), 0);
	ck_assert_uint_eq(operand_call_target(lazy, 6, 1000), 0);
	ck_assert(operand_is_plt(lazy));
	ck_assert(operand_is_plt(with_cet));
	ck_assert(!operand_is_plt(code));
}
END_TEST

START_TEST(each_page_has_one_first_access)
{
	const uint64_t page = 1 << PAGE_BITS, at = UINT64_C(0x7f1234567000);

	ck_assert(pages_first(at + 8));
	ck_assert(!pages_first(at + 4095));
	ck_assert(pages_first(at + page));
	pages_forget(at, 1); /* one byte in the range is enough to forget its page */
	ck_assert(pages_first(at));
	ck_assert(!pages_first(at + page));
	/* pages_first() is always false for an address outside user space */
	ck_assert(!pages_first(UINT64_C(1) << 47));
}
END_TEST

START_TEST(pages_are_forgotten_across_the_parts_of_the_table)
{
	const uint64_t page = 1 << PAGE_BITS, from = (UINT64_C(5) << 30) - 100 * page;

	for (int i = 0; i < 200; i++)
		ck_assert(pages_first(from + i * page));
	pages_forget(from + page, 198 * page);
	for (int i = 0; i < 200; i++)
		ck_assert_int_eq(pages_first(from + i * page), i > 0 && i < 199);
	pages_forget(0, UINT64_MAX);
	ck_assert(pages_first(from));
}
END_TEST

START_TEST(pages_move_with_what_was_accessed)
{
	const uint64_t page = 1 << PAGE_BITS, from = UINT64_C(9) << 30, to = UINT64_C(11) << 30;

	ck_assert(pages_first(from + page));
	pages_move(from, to, 3 * page);
	ck_assert(pages_first(to));
	ck_assert(!pages_first(to + page));
	ck_assert(pages_first(from + page));
}
END_TEST

START_TEST(the_line_used_longest_ago_leaves_the_cache)
{
	struct cache c;

	/* two sets of two ways */
	ck_assert(cache_make(&c, &(struct cache_shape){ 4 << CACHE_LINE_BITS, 2 }));
	ck_assert(!cache_use(&c, 8));
	ck_assert(!cache_use(&c, 10));
	ck_assert(cache_use(&c, 8));
	ck_assert(!cache_use(&c, 12)); /* evicts 10, the least recently used line of its set */
	ck_assert(cache_use(&c, 8));
	ck_assert(!cache_use(&c, 10));
	ck_assert(!cache_use(&c, 9)); /* belongs to the other set */
	ck_assert(cache_use(&c, 9));
	cache_release(&c);
}
END_TEST

START_TEST(a_line_moves_when_another_thread_has_changed_it)
{
	const uint64_t line = UINT64_C(0x7f1234567000) >> CACHE_LINE_BITS;

	ck_assert(!holders_use(0, line, true)); /* there is no table, so no holder is known */
	ck_assert(holders_begin());
	ck_assert(!holders_use(0, line, true));
	ck_assert(!holders_use(0, line, false));
	ck_assert(holders_use(1, line, false)); /* reads what thread 0 has written */
	ck_assert(!holders_use(1, line, false));
	ck_assert(!holders_use(0, line, false)); /* both threads hold the line now */
	ck_assert(holders_use(0, line, true));   /* takes the line from thread 1 */
	ck_assert(!holders_use(0, line, true));
	ck_assert(holders_use(1, line, true));
	ck_assert(holders_use(0, line, false));
	/* lines that are only read do not move */
	ck_assert(!holders_use(0, line + 1, false));
	ck_assert(!holders_use(1, line + 1, false));
	ck_assert(!holders_use(2, line + 1, false));
	/* a different line with the same place in the table replaces this line */
	ck_assert(!holders_use(1, line + (1 << 20), true));
	ck_assert(!holders_use(1, line, false));
	holders_end();
	ck_assert(!holders_use(0, line, true));
}
END_TEST

/* An ELF file with two segments of notes. The first segment has notes in parts of 8 bytes. */
struct noted {
	Elf64_Ehdr elf;
	Elf64_Phdr segments[2];
	struct {
		Elf64_Nhdr head;
		char name[4], content[16];
	} property;
	struct {
		Elf64_Nhdr head;
		char name[8], content[4];
	} version;
	struct {
		Elf64_Nhdr head;
		char name[4];
		uint8_t id[24];
	} build;
};

static const struct noted noted = {
	.elf = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64 },
		 .e_phoff = offsetof(struct noted, segments),
		 .e_phentsize = sizeof(Elf64_Phdr),
		 .e_phnum = 2 },
	.segments = { { .p_type = PT_NOTE,
			.p_offset = offsetof(struct noted, property),
			.p_filesz = sizeof(noted.property),
			.p_align = 8 },
		      { .p_type = PT_NOTE,
			.p_offset = offsetof(struct noted, version),
			.p_filesz = sizeof(noted.version) + sizeof(noted.build),
			.p_align = 4 } },
	.property = { { 4, 16, NT_GNU_PROPERTY_TYPE_0 }, "GNU", "" },
	.version = { { 6, 4, NT_GNU_BUILD_ID }, "other", "no" },
	.build = { { 4, 20, NT_GNU_BUILD_ID }, "GNU", { 1, 2, 3, [19] = 20 } },
};

/* Returns the size of the build-id that is read from the first `bytes` bytes of *n. No memory
 * follows them. */
static unsigned build_id_size(const struct noted *n, size_t bytes, uint8_t id[BUILD_ID_MOST])
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned size;

	ck_assert(pages != MAP_FAILED);
	munmap(pages + 4096, 4096);
	memcpy(pages + 4096 - bytes, n, bytes);
	size = build_id_read((uint64_t)(pages + 4096 - bytes), id);
	munmap(pages, 4096);
	return size;
}

enum { GAPS = 1000000, GAP_MOST = 64 };

/* Compares how often each distance was drawn with a geometric distribution. The state of the random
 * numbers is fixed, so the result is, too: chance alone would exceed the limit in one of 10^5
 * states. */
START_TEST(distances_between_samples_have_a_geometric_distribution)
{
	static const uint64_t periods[] = { 2, 3, 10, 1000 };

	for (size_t p = 0; p < COUNT_OF(periods); p++) {
		const double once = 1 / (double)periods[p];
		/* each cell but the last one has `width` distances */
		const uint64_t width = (periods[p] + 9) / 10;
		unsigned drawn[GAP_MOST + 1] = { 0 }, cells = 0;
		uint64_t random = 12345;
		double chi2 = 0, left = 1;

		gap_begin(periods[p]);
		for (int i = 0; i < GAPS; i++) {
			const uint64_t cell = (gap_next(&random) - 1) / width;

			drawn[cell < GAP_MOST ? cell : GAP_MOST]++;
		}
		for (unsigned k = 0; k <= GAP_MOST; k++) {
			const double after = k < GAP_MOST ? left * pow(1 - once, (double)width) : 0;
			const double expected = GAPS * (left - after);

			if (expected >= 10) {
				chi2 += (drawn[k] - expected) * (drawn[k] - expected) / expected;
				cells++;
			}
			left = after;
		}
		ck_assert_msg(chi2 < cells + 5 * sqrt(2.0 * cells) + 10,
			      "period %u: %f in %u cells", (unsigned)periods[p], chi2, cells);
	}
}
END_TEST

START_TEST(distances_are_possible_for_every_period)
{
	static const uint64_t periods[] = { 1, UINT64_C(1) << 40, UINT64_MAX };

	for (size_t p = 0; p < COUNT_OF(periods); p++) {
		uint64_t random = 1;
		double sum = 0;

		gap_begin(periods[p]);
		for (int i = 0; i < 10000; i++)
			sum += (double)gap_next(&random);
		ck_assert_double_ge(sum, 10000);
		if (periods[p] == UINT64_C(1) << 40)
			ck_assert_double_eq_tol(sum / 10000 / 0x1p40, 1, 0.05);
	}
}
END_TEST

START_TEST(the_build_id_is_found_among_the_notes)
{
	uint8_t id[BUILD_ID_MOST];

	ck_assert_uint_eq(build_id_size(&noted, sizeof(noted), id), 20);
	ck_assert_mem_eq(id, noted.build.id, 20);
}
END_TEST

START_TEST(damaged_files_have_no_build_id)
{
	const uint32_t sizes[] = { 0, 4, 8, 20, 21, 0x7fffffff, 0xfffffffc, 0xffffffff };
	uint8_t id[BUILD_ID_MOST];
	struct noted n;

	for (size_t bytes = 0; bytes < sizeof(n); bytes++)
		ck_assert_uint_eq(build_id_size(&noted, bytes, id),
				  bytes < offsetof(struct noted, build.id[20]) ? 0 : 20);
	for (size_t i = 0; i < COUNT_OF(sizes); i++)
		for (size_t j = 0; j < COUNT_OF(sizes); j++) {
			n = noted;
			n.build.head.n_namesz = sizes[i];
			n.build.head.n_descsz = sizes[j];
			ck_assert_uint_eq(build_id_size(&n, sizeof(n), id),
					  sizes[i] != 4 || sizes[j] > 20 ? 0 : sizes[j]);
			n = noted;
			n.property.head.n_namesz = n.version.head.n_namesz = sizes[i];
			n.property.head.n_descsz = n.version.head.n_descsz = sizes[j];
			build_id_size(&n, sizeof(n), id); /* must not read outside the file */
		}
	n = noted;
	n.elf.e_phoff = sizeof(n) + 1;
	ck_assert_uint_eq(build_id_size(&n, sizeof(n), id), 0);
	n = noted;
	n.elf.e_phnum = 0xffff;
	n.segments[1].p_offset = UINT64_MAX;
	ck_assert_uint_eq(build_id_size(&n, sizeof(n), id), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("access");
	TCase *t = tcase_create("access");

	tcase_add_test(t, operands_are_told_apart);
	tcase_add_test(t, calls_by_the_linkage_table_are_found);
	tcase_add_test(t, each_page_has_one_first_access);
	tcase_add_test(t, pages_are_forgotten_across_the_parts_of_the_table);
	tcase_add_test(t, pages_move_with_what_was_accessed);
	tcase_add_test(t, the_line_used_longest_ago_leaves_the_cache);
	tcase_add_test(t, a_line_moves_when_another_thread_has_changed_it);
	tcase_add_test(t, distances_between_samples_have_a_geometric_distribution);
	tcase_add_test(t, distances_are_possible_for_every_period);
	tcase_add_test(t, the_build_id_is_found_among_the_notes);
	tcase_add_test(t, damaged_files_have_no_build_id);
	suite_add_tcase(s, t);
	return run_suite(s);
}
