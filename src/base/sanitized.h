/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SANITIZED is 1 if memdb is built with AddressSanitizer, otherwise 0. */
#ifndef MEMDB_BASE_SANITIZED_H
#define MEMDB_BASE_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
