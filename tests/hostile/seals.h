/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for programs that forbid themselves system calls with seccomp. */
#ifndef MEMDB_TESTS_SEALS_H
#define MEMDB_TESTS_SEALS_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "hostile.h"

#define LOAD_NR BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define ALLOW(nr) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL(nr)                                       \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define ALLOW_OTHERS BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL_OTHERS  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define PROGRAM(rules)                                     \
	{                                                  \
		sizeof(rules) / sizeof((rules)[0]), rules, \
	}

static inline void give_up_rights(void)
{
	must(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
}

/* Calls run() in a child, which must exit normally. */
static inline void in_child(void (*run)(void))
{
	pid_t pid = fork();

	if (!pid) {
		run();
		_exit(0);
	}
	wait_for(pid);
}

static inline void say(const char *word)
{
	must(write(1, word, strlen(word)) == (ssize_t)strlen(word), "write");
}

#endif
