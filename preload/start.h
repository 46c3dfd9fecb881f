/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts variables next to each other in a few pages, to save page faults: the variables that every
 * image writes at its start. The first access to a page causes a page fault, which costs 0.5 µs, or
 * 2 µs if the recorder records page faults.
 */
#ifndef MEMDB_PRELOAD_START_H
#define MEMDB_PRELOAD_START_H

#define START_STATE __attribute__((section("start_state")))

/* The linker defines these for a section with this name. */
extern char __start_start_state[] __attribute__((visibility("hidden")));
extern char __stop_start_state[] __attribute__((visibility("hidden")));

#endif
