/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A unit test program has one suite. run_suite() runs it and returns 1 if a test failed. */
#ifndef MEMDB_TESTS_CHECK_MAIN_H
#define MEMDB_TESTS_CHECK_MAIN_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/sanitized.h" /* SANITIZED: tests cannot measure memory use */

/* libcheck writes a record to a file at each assertion that holds, so that it can report the
 * last one before a crash. A test with a million assertions would spend seconds on this, so only
 * the first 10,000 assertions of a test write a record. If the test crashes later, libcheck names
 * the 10,000th as the last one. */
/* libcheck defines this macro. tests/cross/check.h, which replaces libcheck in the cross tests,
 * writes no records and does not define it. */
#ifdef CHECK_MAJOR_VERSION
static inline void mark_point_at_first(const char *file, int line)
{
	static _Atomic unsigned marked; /* atomic, because several threads may assert */

	if (marked < 10000) {
		marked++;
		_mark_point(file, line);
	}
}
#define _mark_point(file, line) mark_point_at_first(file, line)
#endif

/* Returns a malloc'ed copy of exactly len bytes, so that ASan sees a read one byte past the end. */
static inline void *copy_exact(const void *buf, size_t len)
{
	void *p = malloc(len ? len : 1);

	ck_assert_ptr_nonnull(p);
	memcpy(p, buf, len);
	return p;
}

static inline int run_suite(Suite *s)
{
	SRunner *r = srunner_create(s);
	int failed;

	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
