/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of test_tracklog.c and test_tracklog_damage.c. */
#ifndef MEMDB_TEST_TRACKLOG_FIXTURE_H
#define MEMDB_TEST_TRACKLOG_FIXTURE_H

#include "tracklog/tracklog.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_main.h"
#include "fake_root.h"
#include "call_stack.h"
#include "tracklog_build.h"

static inline struct tl_log *open_build(const struct log_build *b)
{
	struct md_err err = { 0 };
	struct tl_log *l;

	ck_assert_msg(!tl_open_mem(b->words, log_size(b), &l, &err), "%s", err.msg);
	return l;
}

static inline struct tl_event next(struct tl_log *l)
{
	struct md_err err = { 0 };
	struct tl_event e = { 0 };

	ck_assert_int_eq(tl_next(l, &e, &err), 1);
	return e;
}

static inline void no_more(struct tl_log *l)
{
	struct md_err err = { 0 };
	struct tl_event e;

	ck_assert_int_eq(tl_next(l, &e, &err), 0);
	ck_assert_int_eq(tl_next(l, &e, &err), 0);
}

static inline int open_code(const struct log_build *b, size_t len, struct md_err *err)
{
	struct tl_log *l;
	int ret = tl_open_mem(b->words, len, &l, err);

	if (ret)
		ck_assert_ptr_null(l);
	tl_close(l);
	return ret;
}

#endif
