/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that end an import without leaving files behind. */
#ifndef MEMDB_CMD_STOP_H
#define MEMDB_CMD_STOP_H

/*
 * From now on SIGINT, SIGTERM, SIGHUP and SIGXCPU, unless ignored, set the returned flag; a second
 * one removes unfinished files and ends the process at once. Unblocks them. Turns SIGPIPE and
 * SIGXFSZ into errors of write(2).
 */
const volatile int *stop_on_signals(void);

#endif
