/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/err.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

int md_fail(struct md_err *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	err->code = code;
	err->sys = 0;
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return code;
}

/* Appends this process's limit on `resource` to the sentence, unless it is infinite. Called for
 * failures that the limit may have caused: the text of the errno (such as "File too large") does
 * not say that there is a limit, nor how high it is. */
static void append_limit(struct md_err *err, int resource, unsigned bytes, const char *unit,
			 char option)
{
	const size_t n = strlen(err->msg);
	struct rlimit r;

	if (!getrlimit((__rlimit_resource_t)resource, &r) && r.rlim_cur != RLIM_INFINITY)
		snprintf(err->msg + n, sizeof(err->msg) - n,
			 ": the limit is %" PRIu64 "%s (ulimit -%c), raise it",
			 (uint64_t)r.rlim_cur / bytes, unit, option);
}

int md_nomem(struct md_err *err)
{
	md_fail(err, MD_ENOMEM, "out of memory");
	if (err)
		append_limit(err, RLIMIT_AS, 1024, " KiB", 'v');
	return MD_ENOMEM;
}

/* Appends ": " and the text of an errno to the sentence. */
static void append_errno(struct md_err *err, int sys)
{
	const size_t n = strlen(err->msg);

	snprintf(err->msg + n, sizeof(err->msg) - n, ": %s", strerror(sys));
	if (sys == EFBIG)
		append_limit(err, RLIMIT_FSIZE, 1024, " KiB", 'f');
	else if (sys == EMFILE)
		append_limit(err, RLIMIT_NOFILE, 1, "", 'n');
}

int md_fail_errno(struct md_err *err, int code, const char *fmt, ...)
{
	int sys = errno;
	va_list ap;

	if (!err)
		return code;
	err->code = code;
	err->sys = sys;
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	append_errno(err, sys);
	return code;
}

int md_wrap(struct md_err *err, const char *fmt, ...)
{
	char old[sizeof(err->msg)];
	va_list ap;
	size_t n;

	if (!err)
		return MD_EUSAGE;
	memcpy(old, err->msg, sizeof(old));
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	n = strlen(err->msg);
	snprintf(err->msg + n, sizeof(err->msg) - n, ": %s", old);
	return err->code;
}

int md_advise(struct md_err *err, const char *fmt, ...)
{
	va_list ap;
	size_t n;

	if (!err)
		return MD_EUSAGE;
	n = strlen(err->msg);
	n += (size_t)snprintf(err->msg + n, sizeof(err->msg) - n, ": ");
	if (n < sizeof(err->msg)) {
		va_start(ap, fmt);
		vsnprintf(err->msg + n, sizeof(err->msg) - n, fmt, ap);
		va_end(ap);
	}
	return err->code;
}
