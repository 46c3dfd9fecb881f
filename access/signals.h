/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks the signals of a thread while the thread's data are inconsistent: a signal handler of the
 * program may call the sampler, or leave it by siglongjmp(). */
#ifndef MEMDB_ACCESS_SIGNALS_H
#define MEMDB_ACCESS_SIGNALS_H

#include <signal.h>

/* Blocks all signals of the calling thread. *before receives the signals that were blocked until
 * now. */
static inline void signals_block(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

static inline void signals_restore(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

#endif
