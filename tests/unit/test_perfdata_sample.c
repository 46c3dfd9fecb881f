/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that samples with each sample_type are decoded. */
#include "base/cursor.h"
#include "perfdata/perfdata.h"

#include "check_main.h"
#include "perfdata_build.h"
#include "perfdata_fill.h"

enum { ALL = PERF_SAMPLE_MAX - 1, RANDOM_TYPES = 1500 };

/* These assertions fail if this machine's headers have a sample bit that the decoder does not
 * know. */
_Static_assert(PERF_SAMPLE_MAX == 1 << 25, "a new PERF_SAMPLE_* bit: decode it in sample.c");
_Static_assert(PERF_FORMAT_MAX <= 1 << 5, "a new PERF_FORMAT_* bit: decode it in sample.c");
_Static_assert(PERF_SAMPLE_BRANCH_MAX_SHIFT <= 20, "a new branch bit may add words to samples");

/* Clears one of WEIGHT and WEIGHT_STRUCT if both are set. They use the same word, so the kernel
 * accepts only one. */
static uint64_t valid(uint64_t type)
{
	if (type & PERF_SAMPLE_WEIGHT)
		type &= ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT;
	return type;
}

static void same_words(const struct pd_file *f, const uint8_t *got, const uint8_t *want, uint64_t n)
{
	struct cursor c = cursor_make(got, n * 8, pd_swapped(f));

	for (uint64_t i = 0; i < n; i++) {
		uint64_t w;

		memcpy(&w, want + i * 8, sizeof(w));
		ck_assert_uint_eq(cursor_u64(&c), w);
	}
}

#define SAME(bit, field)                                                                   \
	ck_assert_msg(got->field == ((bit) ? want->field : 0),                             \
		      "type %#lx: " #field " %#lx not %#lx", (long)type, (long)got->field, \
		      (long)want->field)

static void same_fixed(const struct pd_sample *got, const struct pd_sample *want, uint64_t type)
{
	SAME(type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER), id);
	SAME(type & PERF_SAMPLE_IP, ip);
	SAME(type & PERF_SAMPLE_TID, pid);
	SAME(type & PERF_SAMPLE_TID, tid);
	SAME(type & PERF_SAMPLE_TIME, time);
	SAME(type & PERF_SAMPLE_ADDR, addr);
	SAME(type & PERF_SAMPLE_STREAM_ID, stream_id);
	SAME(type & PERF_SAMPLE_CPU, cpu);
	SAME(type & PERF_SAMPLE_PERIOD, period);
	SAME(type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT), weight);
	SAME(type & PERF_SAMPLE_WEIGHT_STRUCT, ins_lat);
	SAME(type & PERF_SAMPLE_WEIGHT_STRUCT, p_stage_cyc);
	SAME(type & PERF_SAMPLE_DATA_SRC, data_src);
	SAME(type & PERF_SAMPLE_TRANSACTION, transaction);
	SAME(type & PERF_SAMPLE_PHYS_ADDR, phys_addr);
	SAME(type & PERF_SAMPLE_CGROUP, cgroup);
	SAME(type & PERF_SAMPLE_DATA_PAGE_SIZE, data_page_size);
	SAME(type & PERF_SAMPLE_CODE_PAGE_SIZE, code_page_size);
	SAME(type & PERF_SAMPLE_READ, read_value);
}

static void same_arrays(const struct pd_file *f, const struct pd_sample *got,
			const struct pd_sample *want, uint64_t type)
{
	SAME(type & PERF_SAMPLE_CALLCHAIN, ncallchain);
	SAME(type & PERF_SAMPLE_BRANCH_STACK, nbranches);
	SAME(type & PERF_SAMPLE_RAW, raw_size);
	SAME(type & PERF_SAMPLE_STACK_USER, user_stack_size);
	SAME(type & PERF_SAMPLE_AUX, aux_size);
	SAME(type & PERF_SAMPLE_REGS_USER, user_regs_abi);
	SAME(type & PERF_SAMPLE_REGS_INTR, intr_regs_abi);
	same_words(f, got->callchain, want->callchain, got->ncallchain);
	same_words(f, got->branches, want->branches, got->nbranches * 3);
	if (type & PERF_SAMPLE_RAW)
		ck_assert_mem_eq(got->raw, want->raw, want->raw_size);
	if (type & PERF_SAMPLE_STACK_USER)
		ck_assert_mem_eq(got->user_stack, want->user_stack, want->user_stack_size);
	if (type & PERF_SAMPLE_AUX && want->aux_size)
		ck_assert_mem_eq(got->aux, want->aux, want->aux_size);
	if (type & PERF_SAMPLE_REGS_USER)
		same_words(f, got->user_regs, want->user_regs, 5);
	if (type & PERF_SAMPLE_REGS_INTR)
		same_words(f, got->intr_regs, want->intr_regs, 3);
}

static struct pd_file *open_built(const struct pd_build *b, uint8_t **image)
{
	struct md_err err = { 0 };
	struct pd_file *f;
	size_t len;

	*image = pd_build_image(b, &len);
	ck_assert_msg(!pd_open_mem(*image, len, &f, &err), "%s", err.msg);
	return f;
}

static void next_sample(struct pd_file *f, struct pd_raw *rec)
{
	do
		ck_assert_int_eq(pd_next(f, rec, NULL), 1);
	while (rec->type != PERF_RECORD_SAMPLE);
}

/* Writes one sample with random fields, reads it back and checks that all fields are the same. */
static void round_trip(struct perf_event_attr attr, bool pipe, bool swap, uint64_t seed)
{
	struct pd_build b;
	struct pd_sample want, got;
	struct fill fill;
	struct pd_file *f;
	struct pd_raw rec;
	uint8_t *image;
	uint64_t id = 77;

	pd_build_init(&b, pipe, swap);
	pd_build_event(&b, &attr, &id, 1);
	fill_sample(&want, &fill, id, &seed);
	pd_build_sample(&b, &attr, &want);
	f = open_built(&b, &image);
	next_sample(f, &rec);
	ck_assert_msg(!pd_sample(f, &rec, &got), "type %#lx", (long)attr.sample_type);
	ck_assert_ptr_eq(got.evsel, pd_evsel_at(f, 0));
	ck_assert_uint_eq(got.has, attr.sample_type);
	ck_assert_uint_eq(got.misc, want.misc);
	same_fixed(&got, &want, attr.sample_type);
	same_arrays(f, &got, &want, attr.sample_type);
	pd_close(f);
	free(image);
	pd_build_release(&b);
}

START_TEST(every_bit_and_pair_of_bits_is_read)
{
	for (int i = 0; i < 25; i++) {
		for (int j = 0; j < 25; j++) {
			uint64_t type = valid(UINT64_C(1) << i | UINT64_C(1) << j);

			round_trip(fill_attr(type), _i & 1, _i & 2, 1 + (uint64_t)(i * 25 + j));
		}
	}
}
END_TEST

START_TEST(random_sample_types_are_read)
{
	uint64_t state = 42 + (uint64_t)_i;

	round_trip(fill_attr(valid(ALL)), _i & 1, _i & 2, 5);
	for (int i = 0; i < RANDOM_TYPES; i++)
		round_trip(fill_attr(valid(fill_next(&state) & ALL)), _i & 1, _i & 2, state);
}
END_TEST

START_TEST(every_read_format_is_read)
{
	for (uint64_t format = 0; format < PERF_FORMAT_MAX; format++) {
		struct perf_event_attr attr = fill_attr(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ |
							PERF_SAMPLE_CALLCHAIN);

		attr.read_format = format;
		round_trip(attr, false, _i & 2, 9);
	}
}
END_TEST

START_TEST(branch_stacks_with_index_and_counters_are_read)
{
	static const uint64_t kinds[] = { 0, PERF_SAMPLE_BRANCH_HW_INDEX, 1 << 19,
					  PERF_SAMPLE_BRANCH_HW_INDEX | 1 << 19 };

	for (size_t i = 0; i < 4; i++) {
		struct perf_event_attr attr =
			fill_attr(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_WEIGHT);

		attr.branch_sample_type = kinds[i];
		round_trip(attr, false, false, 3 + i);
	}
}
END_TEST

START_TEST(samples_without_registers_or_stack_have_none)
{
	struct perf_event_attr attr =
		fill_attr(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_DATA_SRC);
	struct pd_build b;
	struct pd_sample want = { .data_src = 5 }, got;
	struct pd_file *f;
	struct pd_raw rec;
	uint8_t *image;
	uint64_t value;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &attr, NULL, 0);
	pd_build_sample(&b, &attr, &want);
	f = open_built(&b, &image);
	next_sample(f, &rec);
	ck_assert_int_eq(pd_sample(f, &rec, &got), 0);
	ck_assert_ptr_null(got.user_regs);
	ck_assert_uint_eq(got.user_regs_mask, 0);
	ck_assert_uint_eq(got.user_stack_size, 0);
	ck_assert_uint_eq(got.data_src, 5);
	ck_assert(!pd_user_reg(f, &got, 0, &value));
	pd_close(f);
	free(image);
	pd_build_release(&b);
}
END_TEST

START_TEST(a_register_is_found_by_its_number)
{
	struct perf_event_attr attr = fill_attr(PERF_SAMPLE_REGS_USER);
	uint64_t regs[3] = { 10, 20, 30 }, value;
	struct pd_build b;
	struct pd_sample want = { .user_regs_abi = 2, .user_regs = (const uint8_t *)regs }, got;
	struct pd_file *f;
	struct pd_raw rec;
	uint8_t *image;

	attr.sample_regs_user = UINT64_C(1) << 0 | UINT64_C(1) << 7 | UINT64_C(1) << 63;
	pd_build_init(&b, false, _i);
	pd_build_event(&b, &attr, NULL, 0);
	pd_build_sample(&b, &attr, &want);
	f = open_built(&b, &image);
	next_sample(f, &rec);
	ck_assert_int_eq(pd_sample(f, &rec, &got), 0);
	ck_assert(pd_user_reg(f, &got, 0, &value) && value == 10);
	ck_assert(pd_user_reg(f, &got, 7, &value) && value == 20);
	ck_assert(pd_user_reg(f, &got, 63, &value) && value == 30);
	ck_assert(!pd_user_reg(f, &got, 1, &value));
	ck_assert(!pd_user_reg(f, &got, 64, &value));
	pd_close(f);
	free(image);
	pd_build_release(&b);
}
END_TEST

/* Reads samples of two events with these sample_types. The id in a sample determines its event, and
 * the event determines how the sample is decoded. */
static void two_events(uint64_t type0, uint64_t type1, bool swap)
{
	struct perf_event_attr attr[2] = { fill_attr(type0), fill_attr(type1) };
	uint64_t ids[2][3] = { { 100, 101, 102 }, { 200, 201, 202 } }, state = 11;
	struct pd_sample want[6], got;
	struct fill fill[6];
	struct pd_build b;
	struct pd_file *f;
	struct pd_raw rec;
	uint8_t *image;

	pd_build_init(&b, false, swap);
	for (int e = 0; e < 2; e++)
		pd_build_event(&b, &attr[e], ids[e], 3);
	for (int i = 0; i < 6; i++) {
		fill_sample(&want[i], &fill[i], ids[i & 1][i / 2], &state);
		pd_build_sample(&b, &attr[i & 1], &want[i]);
	}
	f = open_built(&b, &image);
	for (int i = 0; i < 6; i++) {
		next_sample(f, &rec);
		ck_assert_int_eq(pd_sample(f, &rec, &got), 0);
		ck_assert_ptr_eq(got.evsel, pd_evsel_at(f, i & 1));
		same_fixed(&got, &want[i], attr[i & 1].sample_type);
		same_arrays(f, &got, &want[i], attr[i & 1].sample_type);
	}
	pd_close(f);
	free(image);
	pd_build_release(&b);
}

START_TEST(events_are_told_apart_by_their_ids)
{
	enum { BASE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME };

	two_events(PERF_SAMPLE_IDENTIFIER | BASE, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CALLCHAIN,
		   _i);
	two_events(PERF_SAMPLE_ID | BASE, PERF_SAMPLE_ID | BASE | PERF_SAMPLE_PERIOD, _i);
	two_events(PERF_SAMPLE_ID | BASE | PERF_SAMPLE_ADDR, PERF_SAMPLE_IDENTIFIER | BASE, _i);
	two_events(PERF_SAMPLE_ID | BASE | PERF_SAMPLE_ADDR, PERF_SAMPLE_ID | BASE, _i);
}
END_TEST

/* If a sample has an unknown id, its event is unknown. The reader then decodes only fields that
 * all events have at the same position. */
START_TEST(an_unknown_id_names_no_event)
{
	struct perf_event_attr attr[2] = {
		fill_attr(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TIME),
		fill_attr(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR)
	};
	struct pd_sample want = { .id = 5, .ip = 1234, .time = 99 }, got;
	uint64_t ids[2] = { 1, 2 };
	struct pd_build b;
	struct pd_file *f;
	struct pd_raw rec;
	uint8_t *image;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &attr[0], &ids[0], 1);
	pd_build_event(&b, &attr[1], &ids[1], 1);
	pd_build_sample(&b, &attr[0], &want);
	f = open_built(&b, &image);
	next_sample(f, &rec);
	ck_assert_int_eq(pd_sample(f, &rec, &got), 0);
	ck_assert_ptr_null(got.evsel);
	ck_assert_uint_eq(got.has, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP);
	ck_assert_uint_eq(got.ip, 1234);
	ck_assert_uint_eq(got.time, 0);
	pd_close(f);
	free(image);
	pd_build_release(&b);
}
END_TEST

/* Cuts a sample after each of its bytes. The sample counts as damaged, and only once although
 * there are two passes. */
START_TEST(a_short_sample_is_damaged)
{
	struct perf_event_attr attr = fill_attr(valid(ALL));
	uint64_t state = 8;
	struct pd_sample want, got;
	struct fill fill;
	struct pd_build b;
	struct pd_file *f;
	struct pd_raw rec, cut;
	uint8_t *image;
	size_t n;

	pd_build_init(&b, false, _i);
	pd_build_event(&b, &attr, NULL, 0);
	fill_sample(&want, &fill, 1, &state);
	pd_build_sample(&b, &attr, &want);
	f = open_built(&b, &image);
	for (int pass = 0; pass < 2; pass++) {
		next_sample(f, &rec);
		for (n = 0; n < rec.size; n++) {
			uint8_t *body = copy_exact(rec.body, n);

			cut = rec;
			cut.body = body;
			cut.size = n;
			ck_assert_msg(pd_sample(f, &cut, &got) == MD_EFORMAT, "length %zu", n);
			free(body);
		}
		ck_assert_uint_eq(pd_losses(f)->damaged_records, n);
		pd_rewind(f);
	}
	ck_assert_str_ne(pd_losses(f)->what, "");
	pd_close(f);
	free(image);
	pd_build_release(&b);
}
END_TEST

/* In these samples, a count is so large that count * element size exceeds 64 bits. */
START_TEST(huge_counts_are_damage)
{
	static const uint64_t types[] = { PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK,
					  PERF_SAMPLE_STACK_USER, PERF_SAMPLE_AUX,
					  PERF_SAMPLE_READ };
	static const uint64_t counts[] = { UINT64_MAX, UINT64_MAX / 8 + 2, UINT64_MAX / 24 + 2,
					   UINT64_C(1) << 61, 3 };

	for (size_t t = 0; t < 5; t++) {
		for (size_t n = 0; n < 5; n++) {
			struct perf_event_attr attr = fill_attr(types[t]);
			struct pd_sample got;
			struct pd_build b;
			struct pd_file *f;
			struct pd_raw rec;
			uint8_t *image;

			attr.read_format = PERF_FORMAT_GROUP;
			pd_build_init(&b, false, false);
			pd_build_event(&b, &attr, NULL, 0);
			pd_build_begin(&b, PERF_RECORD_SAMPLE, 0);
			pd_build_u64(&b, counts[n]);
			pd_build_end(&b);
			f = open_built(&b, &image);
			next_sample(f, &rec);
			ck_assert_int_eq(pd_sample(f, &rec, &got), MD_EFORMAT);
			pd_close(f);
			free(image);
			pd_build_release(&b);
		}
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("perfdata_sample");
	TCase *t = tcase_create("sample");

	tcase_set_timeout(t, 240);
	tcase_add_loop_test(t, every_bit_and_pair_of_bits_is_read, 0, 4);
	tcase_add_loop_test(t, random_sample_types_are_read, 0, 4);
	tcase_add_loop_test(t, every_read_format_is_read, 0, 4);
	tcase_add_test(t, branch_stacks_with_index_and_counters_are_read);
	tcase_add_test(t, samples_without_registers_or_stack_have_none);
	tcase_add_loop_test(t, a_register_is_found_by_its_number, 0, 2);
	tcase_add_loop_test(t, events_are_told_apart_by_their_ids, 0, 2);
	tcase_add_test(t, an_unknown_id_names_no_event);
	tcase_add_loop_test(t, a_short_sample_is_damaged, 0, 2);
	tcase_add_test(t, huge_counts_are_damage);
	suite_add_tcase(s, t);
	return run_suite(s);
}
