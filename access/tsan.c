/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces the run-time library of ThreadSanitizer. With -fsanitize=thread, compilers put a call of
 * that library before each access, and the functions here receive these calls. So programs that are
 * built in this way can be sampled without an emulator, on any architecture. The functions are
 * declared in tsan_interface.h and tsan_interface_atomic.h of compiler-rt and in sanitizer.def of
 * gcc. Without memdb, they only return. The accesses of libraries that were built in another way
 * are not seen.
 */
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "maps.h"
#include "options.h"
#include "sampler.h"

#define EXPORT __attribute__((visibility("default")))
#define BACK   ((uint64_t)__builtin_return_address(0))

static bool enabled;
/* number of libraries loaded so far (dlpi_adds) when the mappings were written last */
static unsigned long long libraries;

static int count_libraries(struct dl_phdr_info *info, size_t size, void *n)
{
	*(unsigned long long *)n = info->dlpi_adds;
	return 1;
}

/* Writes the mappings again if a library was loaded since they were written, because the importer
 * needs them to resolve samples in its code. */
static void learn_libraries(struct thread *t)
{
	unsigned long long now = 0;

	dl_iterate_phdr(count_libraries, &now);
	if (now != libraries) {
		libraries = now;
		maps_write(&t->stream, 0, MAPS_ALL);
	}
}

/* Handles an access, unless it is made by a signal handler that has interrupted the sampler in the
 * same thread. */
static void look_once(struct thread *t, const struct access *a)
{
	if (t->busy)
		return;
	t->busy = true;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	learn_libraries(t);
	sampler_look(t, a);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->busy = false;
}

__attribute__((noinline, cold)) static void look_at_access(uint64_t back, const void *address,
							   unsigned bytes, unsigned kind)
{
	/* back - 1 is in the call instruction, which stands for the access; the return address
	 * itself may be on another source line */
	const struct access a = { back - 1, (uint64_t)address, bytes, kind };

	if (!thread_stopped)
		look_once(sampler_thread(), &a);
}

/* Receives one access from one of the functions below: `back` is the return address of that
 * function. In a program that is not recorded, thread_self is NULL in every thread. */
static inline void see(uint64_t back, const void *address, unsigned bytes, unsigned kind)
{
	struct thread *t = thread_self;

	if (__builtin_expect(t && sampler_is_far(t), 1))
		sampler_skip(t, kind);
	else if (enabled)
		look_at_access(back, address, bytes, kind);
}

EXPORT void __tsan_func_entry(void *back);
EXPORT void __tsan_func_exit(void);

/* Stores a call of the instrumented function that calls this one; `back` is its return address.
 * sampler_call() wants the stack address of the return address, which is not known here. It gets
 * the address of this function's frame instead, which is also lower for an inner call. */
void __tsan_func_entry(void *back)
{
	if (enabled && !thread_stopped)
		sampler_call(sampler_thread(), (uint64_t)__builtin_frame_address(0),
			     (uint64_t)back);
}

void __tsan_func_exit(void)
{
	if (enabled && thread_self && thread_self->depth)
		thread_self->depth--;
}

EXPORT void __tsan_init(void);

void __tsan_init(void)
{
}

#define ACCESSES(bytes)                                     \
	EXPORT void __tsan_read##bytes(void *p);            \
	EXPORT void __tsan_write##bytes(void *p);           \
	EXPORT void __tsan_volatile_read##bytes(void *p);   \
	EXPORT void __tsan_volatile_write##bytes(void *p);  \
	EXPORT void __tsan_unaligned_read##bytes(void *p);  \
	EXPORT void __tsan_unaligned_write##bytes(void *p); \
	EXPORT void __tsan_read_write##bytes(void *p);      \
	void __tsan_read##bytes(void *p)                    \
	{                                                   \
		see(BACK, p, bytes, ACCESS_LOAD);           \
	}                                                   \
	void __tsan_write##bytes(void *p)                   \
	{                                                   \
		see(BACK, p, bytes, ACCESS_STORE);          \
	}                                                   \
	void __tsan_volatile_read##bytes(void *p)           \
	{                                                   \
		see(BACK, p, bytes, ACCESS_LOAD);           \
	}                                                   \
	void __tsan_volatile_write##bytes(void *p)          \
	{                                                   \
		see(BACK, p, bytes, ACCESS_STORE);          \
	}                                                   \
	void __tsan_unaligned_read##bytes(void *p)          \
	{                                                   \
		see(BACK, p, bytes, ACCESS_LOAD);           \
	}                                                   \
	void __tsan_unaligned_write##bytes(void *p)         \
	{                                                   \
		see(BACK, p, bytes, ACCESS_STORE);          \
	}                                                   \
	void __tsan_read_write##bytes(void *p)              \
	{                                                   \
		see(BACK, p, bytes, ACCESS_LOAD);           \
		see(BACK, p, bytes, ACCESS_STORE);          \
	}

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

/* Receives the access of the instruction `ip` to n bytes, such as the copy of an object, as one
 * access for each 8 bytes. */
static void see_range(uint64_t ip, const void *p, size_t n, unsigned kind)
{
	const char *at = p;

	for (; enabled && n; at += 8) {
		see(ip, at, n < 8 ? (unsigned)n : 8, kind);
		n -= n < 8 ? n : 8;
	}
}

EXPORT void __tsan_read_range(void *p, size_t n);
EXPORT void __tsan_write_range(void *p, size_t n);
EXPORT void __tsan_vptr_update(void **p, void *value);
EXPORT void __tsan_vptr_read(void **p);
EXPORT void *__tsan_memcpy(void *to, const void *from, size_t n);
EXPORT void *__tsan_memmove(void *to, const void *from, size_t n);
EXPORT void *__tsan_memset(void *to, int c, size_t n);

void __tsan_read_range(void *p, size_t n)
{
	see_range(BACK, p, n, ACCESS_LOAD);
}

void __tsan_write_range(void *p, size_t n)
{
	see_range(BACK, p, n, ACCESS_STORE);
}

void __tsan_vptr_update(void **p, void *value)
{
	see(BACK, p, sizeof(*p), ACCESS_STORE);
}

void __tsan_vptr_read(void **p)
{
	see(BACK, p, sizeof(*p), ACCESS_LOAD);
}

void *__tsan_memcpy(void *to, const void *from, size_t n)
{
	see_range(BACK, from, n, ACCESS_LOAD);
	see_range(BACK, to, n, ACCESS_STORE);
	return memcpy(to, from, n);
}

void *__tsan_memmove(void *to, const void *from, size_t n)
{
	see_range(BACK, from, n, ACCESS_LOAD);
	see_range(BACK, to, n, ACCESS_STORE);
	return memmove(to, from, n);
}

void *__tsan_memset(void *to, int c, size_t n)
{
	see_range(BACK, to, n, ACCESS_STORE);
	return memset(to, c, n);
}

/* The sanitizer's atomic functions must also perform the operation. Here they use the strictest
 * memory order, which is correct whatever the program asks for. */
#define SEQ __ATOMIC_SEQ_CST

#define FETCH(bits, type, name)                                                              \
	EXPORT type __tsan_atomic##bits##_fetch_##name(volatile type *p, type v, int order); \
	type __tsan_atomic##bits##_fetch_##name(volatile type *p, type v, int order)         \
	{                                                                                    \
		see(BACK, (void *)p, sizeof(*p), ACCESS_LOAD | ACCESS_STORE);                \
		return __atomic_fetch_##name(p, v, SEQ);                                     \
	}

#define COMPARE(bits, type, name, weak)                                                            \
	EXPORT int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected, \
								 type v, int order, int other);    \
	int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected,        \
							  type v, int order, int other)            \
	{                                                                                          \
		see(BACK, (void *)p, sizeof(*p), ACCESS_LOAD | ACCESS_STORE);                      \
		return __atomic_compare_exchange_n(p, expected, v, weak, SEQ, SEQ);                \
	}

#define ATOMICS(bits, type)                                                                      \
	EXPORT type __tsan_atomic##bits##_load(const volatile type *p, int order);               \
	EXPORT void __tsan_atomic##bits##_store(volatile type *p, type v, int order);            \
	EXPORT type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order);         \
	EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected,  \
							       type v, int order, int other);    \
	type __tsan_atomic##bits##_load(const volatile type *p, int order)                       \
	{                                                                                        \
		see(BACK, (const void *)p, sizeof(*p), ACCESS_LOAD);                             \
		return __atomic_load_n(p, SEQ);                                                  \
	}                                                                                        \
	void __tsan_atomic##bits##_store(volatile type *p, type v, int order)                    \
	{                                                                                        \
		see(BACK, (void *)p, sizeof(*p), ACCESS_STORE);                                  \
		__atomic_store_n(p, v, SEQ);                                                     \
	}                                                                                        \
	type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order)                 \
	{                                                                                        \
		see(BACK, (void *)p, sizeof(*p), ACCESS_LOAD | ACCESS_STORE);                    \
		return __atomic_exchange_n(p, v, SEQ);                                           \
	}                                                                                        \
	type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected, type v, \
							int order, int other)                    \
	{                                                                                        \
		see(BACK, (void *)p, sizeof(*p), ACCESS_LOAD | ACCESS_STORE);                    \
		__atomic_compare_exchange_n(p, &expected, v, false, SEQ, SEQ);                   \
		return expected;                                                                 \
	}                                                                                        \
	FETCH(bits, type, add)                                                                   \
	FETCH(bits, type, sub)                                                                   \
	FETCH(bits, type, and)                                                                   \
	FETCH(bits, type, or)                                                                    \
	FETCH(bits, type, xor)                                                                   \
	FETCH(bits, type, nand)                                                                  \
	COMPARE(bits, type, strong, false)                                                       \
	COMPARE(bits, type, weak, true)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

EXPORT void __tsan_atomic_thread_fence(int order);
EXPORT void __tsan_atomic_signal_fence(int order);

void __tsan_atomic_thread_fence(int order)
{
	__atomic_thread_fence(SEQ);
}

void __tsan_atomic_signal_fence(int order)
{
	__atomic_signal_fence(SEQ);
}

static void stop_sampling(void)
{
	if (enabled)
		thread_end_all();
	enabled = false;
}

EXPORT void _exit(int code);
EXPORT void _Exit(int code);

/* Writes the counts before the process ends. For exit(), a function of atexit() does that. But
 * _exit(), by which forked children usually end, does not call such functions. */
void _exit(int code)
{
	stop_sampling();
	for (;;)
		syscall(SYS_exit_group, code);
}

void _Exit(int code)
{
	_exit(code);
}

__attribute__((constructor)) static void start_sampling(void)
{
	const char *path = getenv(ACCESS_STREAM_VARIABLE), *words = getenv(ACCESS_OPTIONS_VARIABLE);
	struct thread *t;
	int here;

	if (!path || !words || !options_read_all(words) ||
	    !stream_open(path, thread_options.lost_at) || !thread_begin_all())
		return;
	t = sampler_thread();
	stream_name(&t->stream, program_invocation_short_name, true);
	learn_libraries(t);
	maps_write_stack(&t->stream, (uint64_t)&here);
	atexit(stop_sampling);
	enabled = true;
}
