/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that runs from its start under a filter which refuses the calls that tell its pid. Its
 * threads, its forked child and the threads of this child are tracked.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 700 deaths 700 */
#include "bare.h"
#include "seals.h"

#define REFUSE(nr)                                     \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

extern char **environ;

static struct sock_filter rules[] = {
	LOAD_NR, REFUSE(SYS_getpid), REFUSE(SYS_getppid), REFUSE(SYS_readlinkat), ALLOW_OTHERS,
};
static struct sock_fprog filter = PROGRAM(rules);

static void *in_thread(void *arg)
{
	pairs(100);
	return NULL;
}

static void work(void)
{
	pthread_t t[2];

	pairs(100);
	start_threads(t, 2, in_thread, NULL);
	join_threads(t, 2);
}

int main(int argc, char **argv)
{
	char word[] = "again", *args[] = { argv[0], word, NULL };

	if (argc > 1) {
		pid_t pid;

		work();
		in_child(work);
		pid = vfork();
		if (!pid) {
			pairs(100);
			_exit(0);
		}
		wait_for(pid);
		say("pidless\n");
		return 0;
	}
	/* The hooks would notice the filter at exec, and leave the tracker out. */
	if (bare_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0) ||
	    bare_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&filter) ||
	    bare_call(SYS_execve, (long)"/proc/self/exe", (long)args, (long)environ))
		die("seccomp");
	return 0;
}
