/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/count.h"

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH

#define DATA(field)  (uint32_t) offsetof(struct seccomp_data, field)
#define LOAD(field)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, DATA(field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSE       RETURN(SECCOMP_RET_ERRNO | EPERM)
#define X32_CALLS    0x40000000 /* the numbers of x32 system calls have this bit */
/* Refuses the system call with the number __NR_call. */
#define FORBID(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), REFUSE
/* Refuses a system call that opens a file, if the flags in argument n permit writing. */
#define FORBID_TO_WRITE(call, n)                                                                   \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD(args[n]),                     \
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ACCMODE | O_CREAT | O_TRUNC, 0, 1), REFUSE, \
		LOAD(nr)

/*
 * The first part of the filter. It refuses system calls that reading debug information never needs.
 * A list of permitted calls would be worse: it would differ between versions of the C library, and
 * one missing call would lose the lines of all files.
 */
static const struct sock_filter forbidden[] = {
	LOAD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
	REFUSE,
	LOAD(nr),
#ifdef __x86_64__
	BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
	REFUSE,
	FORBID(fork),
	FORBID(vfork),
	FORBID(creat),
	FORBID(unlink),
	FORBID(rename),
	FORBID(mkdir),
	FORBID(link),
	FORBID(symlink),
	FORBID(chmod),
	FORBID(chown),
	FORBID_TO_WRITE(open, 1),
#endif
	FORBID(clone),
	FORBID(clone3),
	FORBID(execve),
	FORBID(execveat),
	FORBID(socket),
	FORBID(connect),
	FORBID(bind),
	FORBID(ptrace),
	FORBID(process_vm_readv),
	FORBID(process_vm_writev),
	FORBID(kill),
	FORBID(tkill),
	FORBID(rt_sigqueueinfo),
	FORBID(pidfd_send_signal),
	FORBID(unlinkat),
	FORBID(renameat),
	FORBID(renameat2),
	FORBID(mkdirat),
	FORBID(linkat),
	FORBID(symlinkat),
	FORBID(fchmodat),
	FORBID(fchownat),
	FORBID(truncate),
	FORBID(openat2),
	FORBID(io_uring_setup),
	FORBID_TO_WRITE(openat, 2),
};

void confine_calls(void)
{
	/* permits tgkill() only on this process itself, because abort() uses it */
	const struct sock_filter tail[] = {
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 3),
		LOAD(args[0]),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 1, 0),
		REFUSE,
		RETURN(SECCOMP_RET_ALLOW),
	};
	struct sock_filter program[COUNT_OF(forbidden) + COUNT_OF(tail)];
	const struct sock_fprog p = { .len = COUNT_OF(program), .filter = program };

	memcpy(program, forbidden, sizeof(forbidden));
	memcpy(program + COUNT_OF(forbidden), tail, sizeof(tail));
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p, 0, 0);
}

#else

void confine_calls(void)
{
}

#endif
