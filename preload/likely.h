/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells the compiler which way a condition usually goes. */
#ifndef MEMDB_PRELOAD_LIKELY_H
#define MEMDB_PRELOAD_LIKELY_H

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#endif
