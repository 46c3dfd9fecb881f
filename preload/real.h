/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the functions that the hooks replace: the next definitions in the loader's search order, as
 * dlsym(RTLD_NEXT) would return them. dlsym itself is not used: it allocates, sets the program's
 * dlerror() and takes the loader's lock.
 */
#ifndef MEMDB_PRELOAD_REAL_H
#define MEMDB_PRELOAD_REAL_H

#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "likely.h"

struct real {
	void *(*malloc)(size_t);
	bool layered; /* an object other than glibc defines a heap function that `real` contains:
		       * another allocator, or musl */
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	void *(*memalign)(size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
	size_t (*malloc_usable_size)(void *);
	void *(*mmap)(void *, size_t, int, int, int, off_t);
	int (*mprotect)(void *, size_t, int);
	int (*munmap)(void *, size_t);
	void *(*mremap)(void *, size_t, size_t, int, void *);
	int (*brk)(void *);
	void *(*sbrk)(intptr_t);
	void *(*shmat)(int, const void *, int);
	int (*shmdt)(const void *);
	int (*madvise)(void *, size_t, int);
	int (*sched_setaffinity)(pid_t, size_t, const cpu_set_t *);
	int (*pthread_setaffinity_np)(pthread_t, size_t, const cpu_set_t *);
	int (*pthread_setname_np)(pthread_t, const char *);
	int (*pthread_getcpuclockid)(pthread_t, clockid_t *);
	int (*pthread_key_create)(pthread_key_t *, void (*)(void *));
	int (*pthread_setspecific)(pthread_key_t, const void *);
	/* not called: the hook calls realloc(); deepbind.c compares its address */
	void *(*reallocarray)(void *, size_t, size_t);
	void *(*dlopen)(const char *, int);
	int (*dlclose)(void *);
	pid_t (*fork)(void);
	void (*exit_)(int);
	void (*exit_c99)(int);
	int (*execve)(const char *, char *const[], char *const[]);
	int (*execvpe)(const char *, char *const[], char *const[]);
	int (*fexecve)(int, char *const[], char *const[]);
	int (*execveat)(int, const char *, char *const[], char *const[], int);
	int (*posix_spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *,
			   const posix_spawnattr_t *, char *const[], char *const[]);
	int (*posix_spawnp)(pid_t *, const char *, const posix_spawn_file_actions_t *,
			    const posix_spawnattr_t *, char *const[], char *const[]);
	int (*mlockall)(int);
	int (*setrlimit64)(int, const void *);
	int (*prlimit64)(pid_t, int, const void *, void *);
	int (*chroot)(const char *);
	int (*unshare)(int);
	int (*setuid)(uid_t);
	int (*seteuid)(uid_t);
	int (*setreuid)(uid_t, uid_t);
	int (*setresuid)(uid_t, uid_t, uid_t);
	long (*syscall)(long, long, long, long, long, long, long);
	int (*prctl)(int, unsigned long, unsigned long, unsigned long, unsigned long);
};

extern struct real real __attribute__((visibility("hidden")));

/* Fills in `real`. Returns false if there is no malloc, or if the loader has not relocated this
 * library yet. The second case occurs when an IFUNC resolver of another object allocates. After
 * false, boot_alloc() must be used. */
bool real_init(void);

/* Returns the path from which this library was loaded, or NULL. */
const char *real_own_path(void);

/* Returns the address of a symbol in the objects that follow this library in the loader's list, or
 * NULL. */
void *real_find(const char *name);

/* Returns the address of a symbol in any object, or NULL. Needed for objects that precede this
 * library in the list, such as the vDSO. */
void *real_find_anywhere(const char *name);

/* Does the program itself define malloc? Then its calls, and those of its libraries, reach this
 * library only if its malloc passes them on. */
bool real_program_has_heap(void);

/* Allocates a zeroed block in a static buffer, for calls before real_init() succeeds. The memory of
 * such blocks is never reused. Returns NULL when the buffer is full, or if `align` is above 16 and
 * not a power of two. */
void *boot_alloc(size_t align, size_t size);
size_t boot_size(const void *p); /* returns the size with which boot_alloc() was called */

enum { BOOT_BYTES = 64 << 10 };
extern unsigned char boot_memory[BOOT_BYTES] __attribute__((visibility("hidden")));

static inline bool boot_owns(const void *p)
{
	return (uintptr_t)p - (uintptr_t)boot_memory < BOOT_BYTES;
}

/* Are the real functions known? Finds them if necessary. Every hook calls this first. */
static inline __attribute__((always_inline)) bool real_ready(void)
{
	return likely(real.malloc != NULL) || real_init();
}

#endif
