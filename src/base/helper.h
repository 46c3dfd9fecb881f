/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that help the main thread of an import. The process may fork meanwhile: the child is a
 * copy of the forking thread alone, so a lock that another thread held at that moment would stay
 * taken in the child forever. Therefore a helper announces when it works, and a fork waits until no
 * helper does.
 */
#ifndef MEMDB_BASE_HELPER_H
#define MEMDB_BASE_HELPER_H

#include <pthread.h>
#include <stdbool.h>

/* Starts a thread that runs run(arg). It gets no signals but those that its own code causes.
 * Returns false if the system refuses a thread. The caller ends it with pthread_join(). */
bool helper_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

/* Called by the thread: it may take locks and allocate memory only between these two calls, which
 * should be at most some milliseconds apart. */
void helper_works(void);
void helper_rests(void);

#endif
