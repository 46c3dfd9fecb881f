/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stops an import by signals without leaving files behind. */
#ifndef MEMDB_CMD_STOP_H
#define MEMDB_CMD_STOP_H

/*
 * Unblocks SIGINT, SIGTERM, SIGHUP and SIGXCPU. From then on, each of these signals that is not
 * ignored sets the flag to which the result points. A second signal removes unfinished files and
 * ends the process at once. SIGPIPE and SIGXFSZ become errors of write(2).
 */
const volatile int *stop_on_signals(void);

/* Call it when all files are complete: from then on, each of these signals ends the process, if it
 * is not ignored. */
void stop_at_once(void);

#endif
