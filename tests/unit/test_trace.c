/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the options that select tracepoints, on fake /sys trees. tests/e2e tests that the kernel
 * accepts the events. */
#include "base/count.h"
#include "record/trace.h"

#include "check_main.h"
#include "fake_root.h"

static struct fake_root root;
static struct machine m;

static void setup(void)
{
	fake_root_make(&root);
	machine_read(&m, root.dir);
}

static void teardown(void)
{
	fake_root_remove(&root);
}

START_TEST(groups_are_read)
{
	static const struct {
		const char *list;
		unsigned groups;
	} good[] = { { "sched", 1 },
		     { "faults,sched", 1 | 4 },
		     { "sched,migrate,faults", 7 },
		     { "migrate,migrate", 2 } };
	static const char *const bad[] = {
		"", ",", "sched,", ",sched", "sched,,faults", "sche", "schedule", "sched faults"
	};
	struct md_err err;
	unsigned groups;

	for (size_t i = 0; i < COUNT_OF(good); i++) {
		ck_assert_int_eq(trace_parse(good[i].list, &groups, &err), 0);
		ck_assert_uint_eq(groups, good[i].groups);
	}
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		ck_assert_msg(trace_parse(bad[i], &groups, &err) == MD_EUSAGE, "'%s'", bad[i]);
}
END_TEST

START_TEST(without_tracefs_the_mount_is_told)
{
	struct trace_plan plan = { 0 };
	struct md_err err = { 0 };

	ck_assert_int_eq(trace_plan_add(&plan, TRACE_SCHED, &m, &err), MD_ENOTSUP);
	ck_assert_ptr_nonnull(strstr(err.msg, "mount -t tracefs"));
	ck_assert_uint_eq(plan.count, 0);
}
END_TEST

START_TEST(a_tracepoint_that_is_missing_is_named)
{
	static const char *const places[] = { "/sys/kernel/tracing/events/x",
					      "/sys/kernel/debug/tracing/events/x" };
	struct trace_plan plan = { 0 };
	struct md_err err = { 0 };

	fake_root_add(&root, places[_i], "");
	ck_assert_int_eq(trace_plan_add(&plan, TRACE_FAULTS, &m, &err), MD_ENOTSUP);
	ck_assert_ptr_nonnull(strstr(err.msg, "exceptions:page_fault_user"));
	ck_assert_ptr_nonnull(strstr(err.msg, "this kernel has none"));
	ck_assert_uint_eq(plan.count, 0);
}
END_TEST

START_TEST(a_number_that_is_none_is_refused)
{
	struct trace_plan plan = { 0 };
	struct md_err err = { 0 };

	fake_root_add(&root, "/sys/kernel/tracing/events/migrate/mm_migrate_pages/id", "-7");
	ck_assert_int_eq(trace_plan_add(&plan, TRACE_MIGRATE, &m, &err), MD_ENOTSUP);
	ck_assert_ptr_nonnull(strstr(err.msg, "migrate:mm_migrate_pages"));
	ck_assert_uint_eq(plan.count, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("trace");
	TCase *t = tcase_create("trace");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, groups_are_read);
	tcase_add_test(t, without_tracefs_the_mount_is_told);
	tcase_add_loop_test(t, a_tracepoint_that_is_missing_is_named, 0, 2);
	tcase_add_test(t, a_number_that_is_none_is_refused);
	suite_add_tcase(s, t);
	return run_suite(s);
}
