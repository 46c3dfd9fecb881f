/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stops an import by signals without leaving files behind. */
#ifndef MEMDB_CMD_STOP_H
#define MEMDB_CMD_STOP_H

/*
 * Makes SIGINT, SIGTERM, SIGHUP and SIGXCPU, unless ignored, set the returned flag, and unblocks
 * them. A second signal removes unfinished files and ends the process at once. Turns SIGPIPE and
 * SIGXFSZ into errors of write(2).
 */
const volatile int *stop_on_signals(void);

#endif
