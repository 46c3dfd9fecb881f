/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the options of the sampler (thread_options) from a text:
 * "period=1000,seed=1,lost=472,model=1,l1=48k:12,l2=1m:16,l3=32m:16". lost is the offset of
 * access_lost.lost in the stream. l1 to l3 are size in bytes and number of ways of each simulated
 * cache.
 */
#ifndef MEMDB_ACCESS_OPTIONS_H
#define MEMDB_ACCESS_OPTIONS_H

#include <stdbool.h>

/* Parses one NAME=VALUE. Returns false if the name is unknown, or if the period is 0 afterwards. */
bool options_read(const char *word);

/* Parses a list of NAME=VALUE that are separated by commas. Returns false if options_read() returns
 * false for one of them. */
bool options_read_all(const char *words);

#endif
