/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports failures: a code for the program, and a sentence for its user. A function that can fail
 * returns 0 or a positive result if it succeeds. On failure it returns a negative MD_E* and stores
 * the sentence in *err. err may be NULL. The sentence is lower case, first says what failed, quotes
 * its subject and has no full stop: "cannot open 'x.db': schema version 3, this memdb reads 4".
 */
#ifndef MEMDB_BASE_ERR_H
#define MEMDB_BASE_ERR_H

#include <stdarg.h>

enum md_code {
	MD_ENOMEM = -1,  /* out of memory */
	MD_EFORMAT = -2, /* the bytes are not in the format that they claim to have */
	MD_EIO = -3,     /* a file cannot be opened, read or written; err->sys is the errno */
	MD_ESYS = -4,    /* another system call failed; err->sys is the errno */
	MD_EUSAGE = -5,  /* the caller's options, parameters or names are wrong */
	MD_ENOTSUP = -6, /* this machine, build or file does not support what was asked for */
	MD_EDB = -7,     /* SQLite reports an error */
	MD_ENOENT = -8,  /* a file, program or name that was asked for does not exist */
	MD_ECHILD = -9,  /* a program that memdb started has failed, such as perf */
	MD_EINTR = -10,  /* the user has interrupted the operation */
};

struct md_err {
	int code; /* MD_E*; 0 means that nothing has failed */
	int sys;  /* errno of the failure; 0 if there is no errno */
	char msg[1024];
};

/* Stores `code` and the sentence in *err, unless err is NULL. Returns `code`, so that callers can
 * write `return md_fail(err, MD_EFORMAT, "…")`. */
int md_fail(struct md_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Stores the sentence "out of memory", with the memory limit of this process if it has one. Returns
 * MD_ENOMEM. */
int md_nomem(struct md_err *err);

/* Like md_fail(), but also appends ": " and the text of the current errno. For EFBIG and EMFILE,
 * also appends this process's limit on file sizes or open files, if it has one. */
int md_fail_errno(struct md_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts a prefix and ": " before the sentence in *err. Returns err->code, or MD_EUSAGE if err is
 * NULL. */
int md_wrap(struct md_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Appends ": " and what the user can do to the sentence in *err. Returns err->code, or MD_EUSAGE if
 * err is NULL. */
int md_advise(struct md_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
