/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread_options as text: "period=1000,seed=1,model=1,l1=48k:12,l2=1m:16,l3=32m:16" (caches: bytes
 * and ways). */
#ifndef MEMDB_ACCESS_OPTIONS_H
#define MEMDB_ACCESS_OPTIONS_H

#include <stdbool.h>

/* One NAME=VALUE; false: there is none of that name. */
bool options_read(const char *word);

/* All of a list with commas. */
bool options_read_all(const char *words);

#endif
