/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that was started under a filter, as in a container, installs a stricter one in a way
 * that the tracker cannot see. It must run on, and what the tracker cannot record must be counted.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 101..10000 deaths 101..10000
 * lost: 71000..80400 */
#include "bare.h"
#include "seals.h"

extern char **environ;

static struct sock_filter harmless[] = { ALLOW_OTHERS };
static struct sock_filter rules[] = {
	LOAD_NR,
	KILL(SYS_getpid),
	KILL(SYS_gettid),
	KILL(SYS_truncate),
	KILL(SYS_faccessat),
	KILL(SYS_mremap),
	KILL(SYS_rt_sigprocmask),
	KILL(SYS_fallocate),
	KILL(SYS_madvise),
	ALLOW_OTHERS,
};
static struct sock_fprog first = PROGRAM(harmless), second = PROGRAM(rules);

static void install(const struct sock_fprog *filter)
{
	if (bare_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0) ||
	    bare_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)filter))
		die("seccomp");
}

int main(int argc, char **argv)
{
	char word[] = "again", *args[] = { argv[0], word, NULL };

	if (argc == 1) {
		install(&first);
		bare_call(SYS_execve, (long)"/proc/self/exe", (long)args, (long)environ);
		die("execve");
	}
	pairs(100);
	install(&second);
	pairs(40000);
	say("sealed again\n");
	return 0;
}
