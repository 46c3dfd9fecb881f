/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of libcheck that the tracker's unit tests use, in one header, for machines for which
 * libcheck is not installed. Each test runs in a process of its own. The first failed assertion
 * ends it.
 */
#ifndef MEMDB_TESTS_CROSS_CHECK_H
#define MEMDB_TESTS_CROSS_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TESTS = 100, CK_NORMAL };

typedef const void *ck_pointer;

struct test {
	const char *name;
	void (*run)(int _i);
	int from, to; /* a loop test runs for each _i in [from, to) */
};

/* A suite with its test cases and their runner, which libcheck keeps in three structs. */
struct suite {
	struct test tests[TESTS];
	int n, failed;
	unsigned timeout; /* seconds that a test may take */
};

typedef struct suite Suite;
typedef struct suite TCase;
typedef struct suite SRunner;

#define START_TEST(name)                                             \
	static void name##_run(int _i);                              \
	static const struct test name = { #name, name##_run, 0, 1 }; \
	static void name##_run(int _i)
#define END_TEST

#define ck_assert_msg(ok, ...)                                 \
	do {                                                   \
		if (!(ok)) {                                   \
			printf("%s:%d: ", __FILE__, __LINE__); \
			printf("" __VA_ARGS__);                \
			printf("\n");                          \
			fflush(stdout);                        \
			_exit(1);                              \
		}                                              \
	} while (0)
#define ck_assert(ok) ck_assert_msg(ok, "%s", #ok)
#define ck_compare(type, format, a, op, b)                                                   \
	do {                                                                                 \
		type ck_a = (type)(a), ck_b = (type)(b);                                     \
		ck_assert_msg(ck_a op ck_b, "%s is " format ", %s is " format, #a, ck_a, #b, \
			      ck_b);                                                         \
	} while (0)
#define ck_assert_int_eq(a, b)   ck_compare(intmax_t, "%jd", a, ==, b)
#define ck_assert_int_ge(a, b)   ck_compare(intmax_t, "%jd", a, >=, b)
#define ck_assert_int_le(a, b)   ck_compare(intmax_t, "%jd", a, <=, b)
#define ck_assert_int_lt(a, b)   ck_compare(intmax_t, "%jd", a, <, b)
#define ck_assert_uint_eq(a, b)  ck_compare(uintmax_t, "%ju", a, ==, b)
#define ck_assert_uint_ge(a, b)  ck_compare(uintmax_t, "%ju", a, >=, b)
#define ck_assert_uint_gt(a, b)  ck_compare(uintmax_t, "%ju", a, >, b)
#define ck_assert_uint_le(a, b)  ck_compare(uintmax_t, "%ju", a, <=, b)
#define ck_assert_uint_lt(a, b)  ck_compare(uintmax_t, "%ju", a, <, b)
#define ck_assert_ptr_eq(a, b)   ck_compare(ck_pointer, "%p", a, ==, b)
#define ck_assert_ptr_ne(a, b)   ck_compare(ck_pointer, "%p", a, !=, b)
#define ck_assert_ptr_null(p)    ck_assert(!(p))
#define ck_assert_ptr_nonnull(p) ck_assert(p)
#define ck_assert_str_eq(a, b)   ck_assert_msg(!strcmp(a, b), "%s is '%s'", #a, a)
#define ck_assert_str_ne(a, b)   ck_assert_msg(strcmp(a, b), "%s is '%s'", #a, a)

static inline struct suite *suite_create(const char *name)
{
	struct suite *s = calloc(1, sizeof(*s));

	if (!s)
		abort();
	s->timeout = 10;
	return s;
}

static struct suite *ck_suite; /* the program's only suite */

static inline struct suite *tcase_create(const char *name)
{
	return ck_suite = suite_create(name);
}

static inline void tcase_set_timeout(struct suite *s, double seconds)
{
	s->timeout = (unsigned)seconds;
}

static inline void ck_add(struct suite *s, struct test t, int from, int to)
{
	if (s->n == TESTS)
		abort();
	s->tests[s->n] = t;
	s->tests[s->n].from = from;
	s->tests[s->n++].to = to;
}

#define tcase_add_test(s, t)                ck_add(s, t, 0, 1)
#define tcase_add_loop_test(s, t, from, to) ck_add(s, t, from, to)

static inline void suite_add_tcase(struct suite *s, struct suite *t)
{
	*s = *t;
}

static inline struct suite *srunner_create(struct suite *s)
{
	return s;
}

static inline void ck_run(struct suite *s, const struct test *t, int i)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(4 * s->timeout); /* four times the timeout, because the emulator is slow */
		t->run(i);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
		printf("FAIL: %s %d (status %#x)\n", t->name, i, pid < 0 ? 0 : (unsigned)status);
		s->failed++;
	}
}

static inline void srunner_run_all(struct suite *s, int how)
{
	for (int n = 0; n < s->n; n++)
		for (int i = s->tests[n].from; i < s->tests[n].to; i++)
			ck_run(s, &s->tests[n], i);
	printf("%d tests, %d failed\n", s->n, s->failed);
}

static inline int srunner_ntests_failed(const struct suite *s)
{
	return s->failed;
}

static inline void srunner_free(struct suite *s)
{
	free(ck_suite);
	free(s);
}

#endif
