/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places the state that every image writes at its start in a few pages next to each other. The
 * first touch of a page costs a fault: half a microsecond, and two microseconds if the recorder
 * records faults.
 */
#ifndef MEMDB_PRELOAD_START_H
#define MEMDB_PRELOAD_START_H

#define START_STATE __attribute__((section("start_state")))

/* The linker defines these for a section with such a name. */
extern char __start_start_state[] __attribute__((visibility("hidden")));
extern char __stop_start_state[] __attribute__((visibility("hidden")));

#endif
