/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the raw data of tracepoints are decoded according to their formats. */
#include "perfdata/tracepoint.h"

#include <stdio.h>

#include "base/count.h"
#include "check_main.h"
#include "perfdata/tracepoint_format.h"
#include "perfdata_build.h"

enum { PIPE = 1, SWAP = 2, KINDS = 4 };

#define FIELD(declaration, offset, size, sign) \
	"\tfield:" declaration ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"
#define HEAD(name, id)                                                                        \
	"name: " name "\nID: " #id "\nformat:\n" FIELD("unsigned short common_type", 0, 2, 0) \
		FIELD("unsigned char common_flags", 2, 1, 0) FIELD("int common_pid", 4, 4, 1) "\n"
#define PRINT "\nprint fmt: \"a=%d %s\", REC->a, __print_symbolic(REC->b, {0, \"x\"})\n"

/* A format with fields of every kind: 68 bytes of fields, then the arrays of variable length. */
static const char kinds[] = HEAD("kinds", 7) FIELD("s8 a", 8, 1, 1) FIELD("u8 b", 9, 1, 0)
	FIELD("short c", 10, 2, 1) FIELD("pid_t d", 12, 4, 1) FIELD("unsigned long e", 16, 8, 0)
		FIELD("const char * p", 24, 8, 0) FIELD("char text[8]", 32, 8, 1)
			FIELD("u16 list[3]", 40, 6, 0) FIELD("unsigned char mac[2]", 46, 2, 0)
				FIELD("__data_loc char[] name", 48, 4, 0)
					FIELD("__rel_loc unsigned int[] rel", 52, 4, 0)
						FIELD("struct pair pair", 56, 12, 0) PRINT;

static const char kinds_json[] = "{\"a\":-1,\"b\":255,\"c\":-2,\"d\":-3,\"e\":-16,\"p\":4096,"
				 "\"text\":\"ab\\\"c\",\"list\":[1,2,65535],\"mac\":[222,173],"
				 "\"name\":\"x\\u0001\",\"rel\":[7,4294967295],"
				 "\"pair\":\"0102030405060708090a0b0c\"}";

static const char wakeup[] = HEAD("sched_wakeup", 9) FIELD("int prio", 8, 4, 1) PRINT;

/* Appends the lowest `width` bytes of v; if swap is true, in the other byte order. */
static void add(struct pd_bytes *o, uint64_t v, unsigned width, bool swap)
{
	uint8_t b[8];

	memcpy(b, &v, 8); /* the lowest bytes come first on little-endian machines */
	for (unsigned i = 0; i < width; i++)
		pd_bytes_add(o, &b[swap ? width - 1 - i : i], 1);
}

static void kinds_raw(struct pd_bytes *o, bool swap)
{
	add(o, 7, 2, swap);
	add(o, 0, 6, swap);
	add(o, 0xff, 1, swap);
	add(o, 0xff, 1, swap);
	add(o, (uint64_t)-2, 2, swap);
	add(o, (uint64_t)-3, 4, swap);
	add(o, (uint64_t)-16, 8, swap);
	add(o, 4096, 8, swap);
	pd_bytes_add(o, "ab\"c\0zzz", 8);
	add(o, 1, 2, swap);
	add(o, 2, 2, swap);
	add(o, 65535, 2, swap);
	pd_bytes_add(o, "\xde\xad", 2);
	add(o, 3 << 16 | 68, 4, swap);
	add(o, 8 << 16 | (71 - 56), 4, swap);
	pd_bytes_add(o, "\1\2\3\4\5\6\7\10\11\12\13\14", 12);
	pd_bytes_add(o, "x\1\0", 3);
	add(o, 7, 4, swap);
	add(o, UINT32_MAX, 4, swap);
}

static const struct perf_event_attr attr = {
	.type = PERF_TYPE_TRACEPOINT,
	.size = sizeof(struct perf_event_attr),
	.config = 7,
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
};

struct recording {
	uint8_t *image;
	struct pd_file *f;
	struct tp_decoder *d;
};

/* Records one sample of each of three events, all with these raw data. Event 1 has the format
 * "kinds", event 2 the format with id 9, and event 3 has no format. */
static void record(struct recording *r, int kind, const struct pd_bytes *raw)
{
	static const struct pd_build_format formats[] = { { "test", kinds }, { "sched", wakeup } };
	struct perf_event_attr a = attr;
	struct pd_build b;
	size_t len;

	pd_build_init(&b, kind & PIPE, kind & SWAP);
	/* In the other byte order, the reader accepts header features only if there is a host
	 * name. */
	if (kind == SWAP) {
		struct pd_bytes host = { 0 };

		pd_bytes_string(&b, &host, "host");
		pd_build_feature(&b, 3, host.p, host.len);
		free(host.p);
	}
	for (uint64_t id = 1; id <= 3; id++) {
		a.config = id == 1 ? 7 : id == 2 ? 9 : 11;
		pd_build_event(&b, &a, &id, 1);
	}
	pd_build_tracing(&b, 8, formats, 2);
	for (uint64_t id = 1; id <= 3; id++) {
		struct pd_sample s = {
			.id = id, .time = id, .raw = raw->p, .raw_size = (uint32_t)raw->len
		};

		pd_build_sample(&b, &a, &s);
	}
	r->image = pd_build_image(&b, &len);
	pd_build_release(&b);
	ck_assert_int_eq(pd_open_mem(r->image, len, &r->f, NULL), 0);
	ck_assert_int_eq(tp_open(r->f, &r->d, NULL), 0);
}

static void finish(struct recording *r)
{
	tp_close(r->d);
	pd_close(r->f);
	free(r->image);
}

/* Decodes the next sample of the recording into *e. */
static int next(struct recording *r, struct tp_event *e)
{
	struct pd_sample s;
	struct pd_raw rec;

	do {
		ck_assert_int_eq(pd_next(r->f, &rec, NULL), 1);
	} while (rec.type != PERF_RECORD_SAMPLE);
	ck_assert_int_eq(pd_sample(r->f, &rec, &s), 0);
	return tp_decode(r->d, &s, e);
}

START_TEST(every_kind_of_field_is_decoded)
{
	struct pd_bytes raw = { 0 };
	struct recording r;
	struct tp_event e;

	kinds_raw(&raw, _i & SWAP);
	while (raw.len % 8 != 4)
		pd_bytes_add(&raw, "", 1); /* pads the data as the kernel does */
	record(&r, _i, &raw);
	ck_assert_int_eq(next(&r, &e), 0);
	ck_assert_str_eq(e.name, "test:kinds");
	ck_assert_str_eq(e.fields, kinds_json);
	ck_assert_int_eq(next(&r, &e), 0);
	ck_assert_str_eq(e.name, "sched:sched_wakeup");
	ck_assert_str_eq(e.fields, _i & SWAP ? "{\"prio\":-2}" : "{\"prio\":-65537}");
	ck_assert_int_eq(next(&r, &e), MD_EFORMAT);
	ck_assert_ptr_null(e.fields);
	ck_assert_str_eq(e.name, "unknown tracepoint");
	ck_assert_uint_eq(tp_losses(r.d)->no_format, 1);
	ck_assert_uint_eq(tp_losses(r.d)->damaged, 0);
	ck_assert_str_ne(tp_losses(r.d)->what, "");
	finish(&r);
	free(raw.p);
}
END_TEST

START_TEST(samples_that_are_too_short_are_counted)
{
	struct pd_bytes raw = { 0 };
	struct recording r;
	struct tp_event e;

	pd_bytes_add(&raw, "\7\0\0\0", 4);
	record(&r, 0, &raw);
	ck_assert_int_eq(next(&r, &e), MD_EFORMAT);
	ck_assert_ptr_null(e.fields);
	ck_assert_str_eq(e.name, "test:kinds");
	ck_assert_int_eq(next(&r, &e), MD_EFORMAT);
	ck_assert_uint_eq(tp_losses(r.d)->damaged, 2);
	finish(&r);
	free(raw.p);
}
END_TEST

START_TEST(a_file_without_formats_has_names_and_no_fields)
{
	struct perf_event_attr a = attr;
	struct recording r = { 0 };
	struct tp_event e;
	struct pd_build b;
	uint64_t id = 1;
	size_t len;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &a, &id, 1);
	pd_build_sample(&b, &a,
			&(struct pd_sample){
				.id = 1, .raw = (const uint8_t *)"1234", .raw_size = 4 });
	r.image = pd_build_image(&b, &len);
	pd_build_release(&b);
	ck_assert_int_eq(pd_open_mem(r.image, len, &r.f, NULL), 0);
	ck_assert_int_eq(tp_open(r.f, &r.d, NULL), 0);
	ck_assert_int_eq(next(&r, &e), MD_EFORMAT);
	ck_assert_ptr_null(e.fields);
	ck_assert_uint_eq(tp_losses(r.d)->no_format, 1);
	finish(&r);
}
END_TEST

static int parse_n(const char *text, size_t n, unsigned long_bytes, struct tp_format *f)
{
	struct pd_format o = { .system = "test", .name = "kinds", .name_len = 5, .text_size = n };
	struct md_err err = { 0 };
	char *exact = copy_exact(text, n);
	int ret;

	o.text = exact;
	ret = tp_format_parse(&o, long_bytes, f, &err);
	free(exact);
	if (ret) {
		ck_assert_str_ne(err.msg, "");
		ck_assert_uint_eq(f->count, 0);
	}
	return ret;
}

static int parse(const char *text, struct tp_format *f)
{
	return parse_n(text, strlen(text), 8, f);
}

/* Writes the fields of n bytes of raw data to *j. Returns whether the data fit the format. The copy
 * has the exact size, so that sanitizers detect a read outside. */
static bool fits(const struct tp_format *f, const void *raw, size_t n, struct json *j)
{
	uint8_t *exact = copy_exact(raw, n);
	bool good;

	json_reset(j);
	good = tp_format_write(f, exact, n, false, j);
	json_end(j);
	free(exact);
	return good;
}

START_TEST(every_truncation_of_raw_data_is_told)
{
	struct pd_bytes raw = { 0 };
	struct tp_format f;
	struct json j = { 0 };

	kinds_raw(&raw, false);
	ck_assert_int_eq(parse(kinds, &f), 0);
	ck_assert_uint_eq(f.count, 12);
	for (size_t n = 0; n < raw.len; n++)
		ck_assert_msg(!fits(&f, raw.p, n, &j), "length %zu", n);
	ck_assert(fits(&f, raw.p, raw.len, &j));
	ck_assert_str_eq(j.text, kinds_json);
	json_release(&j);
	tp_format_release(&f);
	free(raw.p);
}
END_TEST

/* Cuts a format after each of its bytes. Only the part after "print fmt:" may be missing,
 * because it is not read. */
START_TEST(every_truncation_of_a_format_is_an_error)
{
	const size_t whole = (size_t)(strstr(kinds, "print fmt:") - kinds) + strlen("print fmt:");
	struct tp_format f;

	for (size_t n = 0; n < whole; n++)
		ck_assert_msg(parse_n(kinds, n, 8, &f) == MD_EFORMAT, "length %zu", n);
	for (size_t n = whole; n <= strlen(kinds); n++) {
		ck_assert_msg(!parse_n(kinds, n, 8, &f), "length %zu", n);
		ck_assert_uint_eq(f.count, 12);
		tp_format_release(&f);
	}
}
END_TEST

#define ONE(field) HEAD("x", 1) field PRINT

START_TEST(formats_of_old_and_new_kernels)
{
	static const struct {
		const char *text, *json;
	} cases[] = {
		{ HEAD("x", 1) "\tfield:int a;\toffset:8;\tsize:4;\n" PRINT, "{\"a\":1650817144}" },
		{ ONE(FIELD("char comm[TASK_COMM_LEN]", 8, 4, 0)), "{\"comm\":\"xxeb\"}" },
		{ ONE(FIELD("unsigned long args[2]", 8, 16, 0)),
		  "{\"args\":[7090181363061848184,8680820738548563988]}" },
		{ ONE(FIELD("void *ptr", 8, 8, 0)), "{\"ptr\":7090181363061848184}" },
		{ ONE(FIELD("__data_loc cpumask_t mask", 16, 4, 0)),
		  "{\"mask\":[8680820740569200760]}" },
		{ ONE(FIELD("__data_loc struct pair pairs", 16, 4, 0)),
		  "{\"pairs\":\"7878787878787878\"}" },
		{ HEAD("x", 1) PRINT, "{}" }, /* a format that has only the common fields */
	};
	static const char raw[] = "........xxebbbeb\x14\0\x8\0xxxxxxxx";
	struct json j = { 0 };
	struct tp_format f;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		ck_assert_msg(!parse(cases[i].text, &f), "%s", cases[i].text);
		ck_assert_msg(fits(&f, raw, sizeof(raw) - 1, &j), "%s", cases[i].text);
		ck_assert_str_eq(j.text, cases[i].json);
		tp_format_release(&f);
	}
	json_release(&j);
}
END_TEST

START_TEST(hostile_formats_are_refused)
{
	static const char *const cases[] = {
		"",
		"name: x\nID: 1\n",
		"name: x\nID: 1\nformat:\n",
		/* the separate block of common fields is missing */
		"name: x\nID: 1\nformat:\n" FIELD("int a", 8, 4, 0) "print fmt: ",
		ONE("\tfield:int a;\toffset:8;\tsize:4\n"),
		ONE("\tfield:int a;\tsize:4;\toffset:8;\tsigned:1;\n"),
		ONE("\tfield special:int a;\toffset:8;\tsize:4;\tsigned:1;\n"),
		ONE("\tnothing of the kind\n"),
		ONE(FIELD("int a", -8, 4, 1)),
		ONE(FIELD("int a", 8, -4, 1)),
		ONE(FIELD("int a", 99999999999999999999, 4, 1)),
		/* the field ends after the largest possible record */
		ONE(FIELD("int a", 65535, 4, 1)),
		ONE(FIELD("char a[65536]", 8, 65536, 1)),
		ONE(FIELD("int a", 8, 4, 1) FIELD("int b", 8, 4, 1)), /* the fields overlap */
		ONE(FIELD("int a", 8, 4, 1) FIELD("char b[4000]", 0, 12, 1)),
		ONE(FIELD("__data_loc char[] a", 8, 8, 1)),
		ONE(FIELD("a", 8, 4, 1)),
		ONE(FIELD("int", 8, 4, 1)),
		ONE(FIELD("int a-b", 8, 4, 1)),
		ONE(FIELD("int a[", 8, 4, 1)),
		ONE(FIELD("int a[4", 8, 4, 1)),
		ONE(FIELD("int a]4[", 8, 4, 1)),
		ONE(FIELD("int a[4][4]", 8, 64, 1)),
		ONE(FIELD("int [4] a", 8, 16, 1)),
		ONE(FIELD("__data_loc [4] a", 8, 4, 1)),
		ONE(FIELD("int \"a", 8, 4, 1)),
		ONE(FIELD("int (*a)(int)", 8, 8, 1)),
		ONE(FIELD("int __attribute__((user)) a", 8, 8, 1)),
		ONE(FIELD("enum LOCAL_PR_FMT a", 8, 4, 1)),
		ONE(FIELD("int a\\\"", 8, 4, 1)),
		ONE(FIELD("int \xc3\xa9", 8, 4, 1)),
	};
	struct tp_format f;

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		ck_assert_msg(parse(cases[i], &f) == MD_EFORMAT, "%s", cases[i]);
	ck_assert_int_eq(parse_n(kinds, sizeof(kinds) - 1, 3, &f), MD_EFORMAT);
	ck_assert_int_eq(parse_n(kinds, sizeof(kinds) - 1, 255, &f), MD_EFORMAT);
}
END_TEST

/* Parses a format with n fields. `name` is the length of each field's name, `blanks` the number
 * of blanks that pad it. */
static int parse_long(unsigned n, int name, int blanks, struct tp_format *f)
{
	struct pd_bytes o = { 0 };
	char line[2048];
	int ret;

	pd_bytes_add(&o, HEAD("x", 1), sizeof(HEAD("x", 1)) - 1);
	for (unsigned i = 0; i < n; i++) {
		snprintf(line, sizeof(line),
			 "\tfield:u8 %*s%0*u;\toffset:%u;\tsize:1;\tsigned:0;\n", blanks, "", name,
			 i, 8 + i);
		line[10 + blanks] = 'a';
		pd_bytes_add(&o, line, strlen(line));
	}
	pd_bytes_add(&o, PRINT, sizeof(PRINT) - 1);
	ret = parse_n((const char *)o.p, o.len, 8, f);
	free(o.p);
	return ret;
}

START_TEST(number_and_length_of_fields_are_bounded)
{
	struct tp_format f;

	ck_assert_int_eq(parse_long(TP_MAX_FIELDS - 3, TP_MAX_NAME, 0, &f), 0);
	ck_assert_uint_eq(f.count, TP_MAX_FIELDS - 3);
	tp_format_release(&f);
	ck_assert_int_eq(parse_long(TP_MAX_FIELDS - 2, 8, 0, &f), MD_EFORMAT);
	ck_assert_int_eq(parse_long(1, TP_MAX_NAME + 1, 0, &f), MD_EFORMAT);
	ck_assert_int_eq(parse_long(1, 8, TP_MAX_LINE, &f), MD_EFORMAT);
	ck_assert_int_eq(parse_long(100, 8, 330, &f), MD_EFORMAT); /* exceeds TP_MAX_TEXT */
}
END_TEST

/* If two arrays share bytes, a small record could produce a long output. The decoder limits the
 * total size of the arrays to the size of the data. */
START_TEST(arrays_of_variable_length_stay_within_the_data)
{
	static const char two[] =
		ONE(FIELD("__data_loc char[] a", 8, 4, 0) FIELD("__data_loc char[] b", 12, 4, 0));
	uint32_t raw[8] = { 0 };
	struct tp_format f;
	struct json j = { 0 };

	ck_assert_int_eq(parse(two, &f), 0);
	raw[2] = 16 << 16 | 16;
	raw[3] = 0 << 16 | 0xffff; /* the array is empty, so its offset does not matter */
	ck_assert(fits(&f, raw, sizeof(raw), &j));
	ck_assert_str_eq(j.text, "{\"a\":\"\",\"b\":\"\"}");
	raw[3] = 16 << 16 | 16;
	/* the two arrays have 32 bytes, as many as the data */
	ck_assert(fits(&f, raw, sizeof(raw), &j));
	raw[3] = 17 << 16 | 15;
	ck_assert(!fits(&f, raw, sizeof(raw), &j));
	raw[3] = 1 << 16 | 32;
	ck_assert(!fits(&f, raw, sizeof(raw), &j));
	raw[3] = 1u << 16 | 0xffff;
	ck_assert(!fits(&f, raw, sizeof(raw), &j));
	json_release(&j);
	tp_format_release(&f);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tracepoint");
	TCase *t = tcase_create("tracepoint");

	tcase_add_loop_test(t, every_kind_of_field_is_decoded, 0, KINDS);
	tcase_add_test(t, samples_that_are_too_short_are_counted);
	tcase_add_test(t, a_file_without_formats_has_names_and_no_fields);
	tcase_add_test(t, every_truncation_of_raw_data_is_told);
	tcase_add_test(t, every_truncation_of_a_format_is_an_error);
	tcase_add_test(t, formats_of_old_and_new_kernels);
	tcase_add_test(t, hostile_formats_are_refused);
	tcase_add_test(t, number_and_length_of_fields_are_bounded);
	tcase_add_test(t, arrays_of_variable_length_stay_within_the_data);
	suite_add_tcase(s, t);
	return run_suite(s);
}
