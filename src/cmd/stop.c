/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/stop.h"

#include <signal.h>
#include <stddef.h>

#include "base/count.h"
#include "base/tempfile.h"

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

const volatile int *stop_on_signals(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGXCPU };
	struct sigaction a = { .sa_handler = on_signal }, old;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < COUNT_OF(sigs); i++) {
		if (!sigaction(sigs[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(sigs[i], &a, NULL);
		sigaddset(&set, sigs[i]);
	}
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	return &stop;
}
