/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/stop.h"

#include <signal.h>
#include <stddef.h>

#include "base/count.h"
#include "base/tempfile.h"

static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGXCPU };
static volatile int stop;

static void on_signal(int sig)
{
	if (stop) {
		tempfile_remove_all();
		signal(sig, SIG_DFL);
		/* the signal arrives, and ends the process, after this handler has returned */
		raise(sig);
	}
	stop = sig;
}

/* Makes `handler` the action of each signal that is not ignored. */
static void handle_signals(void (*handler)(int))
{
	struct sigaction a = { .sa_handler = handler }, old;

	for (size_t i = 0; i < COUNT_OF(sigs); i++)
		if (!sigaction(sigs[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(sigs[i], &a, NULL);
}

const volatile int *stop_on_signals(void)
{
	sigset_t set;

	handle_signals(on_signal);
	sigemptyset(&set);
	for (size_t i = 0; i < COUNT_OF(sigs); i++)
		sigaddset(&set, sigs[i]);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return &stop;
}

void stop_at_once(void)
{
	handle_signals(SIG_DFL);
}
