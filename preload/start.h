/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts the state that every image writes at its start into a few adjacent pages. The first touch of
 * a page costs a fault: half a microsecond, or two if the recorder records faults.
 */
#ifndef MEMDB_PRELOAD_START_H
#define MEMDB_PRELOAD_START_H

#define START_STATE __attribute__((section("start_state")))

/* The linker defines these for a section with this name. */
extern char __start_start_state[] __attribute__((visibility("hidden")));
extern char __stop_start_state[] __attribute__((visibility("hidden")));

#endif
