/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses thread_options from text: "period=1000,seed=1,lost=472,model=1,l1=48k:12,l2=1m:16,
 * l3=32m:16" (lost: a place in the stream; caches: bytes and ways).
 */
#ifndef MEMDB_ACCESS_OPTIONS_H
#define MEMDB_ACCESS_OPTIONS_H

#include <stdbool.h>

/* Parses one NAME=VALUE. False if the name is unknown or the period is 0. */
bool options_read(const char *word);

/* Parses a list that is separated by commas. */
bool options_read_all(const char *words);

#endif
