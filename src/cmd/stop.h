/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that end an import, which leaves nothing behind then. */
#ifndef MEMDB_CMD_STOP_H
#define MEMDB_CMD_STOP_H

/*
 * From now on SIGINT, SIGTERM, SIGHUP and SIGXCPU, unless they are ignored, set the number that is
 * returned; the second one removes unfinished files and ends the process at once. Unblocks them.
 * A reader of stderr that has gone and a file that is too large are errors of write(2), no signals.
 */
const volatile int *stop_on_signals(void);

#endif
