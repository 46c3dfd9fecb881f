/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A library with functions of its own in place of libc's: they make their system calls with
 * syscall(). */
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void _exit(int status)
{
	for (;;)
		syscall(SYS_exit_group, status);
}

int execve(const char *path, char *const argv[], char *const envp[])
{
	return (int)syscall(SYS_execve, path, argv, envp);
}

int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
	return (int)syscall(SYS_execveat, fd, path, argv, envp, flags);
}

int mlockall(int flags)
{
	return (int)syscall(SYS_mlockall, flags);
}

int setrlimit64(__rlimit_resource_t what, const struct rlimit64 *to)
{
	return (int)syscall(SYS_setrlimit, what, to);
}

int prlimit64(pid_t pid, enum __rlimit_resource what, const struct rlimit64 *to,
	      struct rlimit64 *old)
{
	return (int)syscall(SYS_prlimit64, pid, what, to, old);
}
