/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces the run-time library of ThreadSanitizer. With -fsanitize=thread, compilers put a call of
 * that library before each access, and the functions here receive these calls. So programs that are
 * built in this way can be sampled without an emulator, on every architecture. The functions are
 * declared in tsan_interface.h and tsan_interface_atomic.h of compiler-rt and in sanitizer.def of
 * gcc. Without memdb, they record nothing. Accesses in libraries that were built in another way are
 * not recorded. */
#include <stdbool.h>
#include <string.h>

#include "soft.h"

#define EXPORT SOFT_EXPORT
#define BACK   ((uint64_t)__builtin_return_address(0))

/* Receives one access from one of the functions below: `back` is the return address of that
 * function. The call instruction represents the access, so its address must be used; back - 1 is in
 * that instruction, while the return address itself may be on another source line. */
static inline void report_access(uint64_t back, const void *address, unsigned bytes, unsigned kind)
{
	soft_see(back - 1, address, bytes, kind);
}

EXPORT void __tsan_func_entry(void *back);
EXPORT void __tsan_func_exit(void);

static __attribute__((noinline, cold)) void enter_slowly(uint64_t slot, uint64_t back)
{
	if (soft_enabled && !thread_stopped)
		sampler_call(soft_thread(), slot, back);
}

/* Stores a call of the instrumented function that calls this one; `back` is the return address of
 * the instrumented function. sampler_call() needs the address on the stack at which the return
 * address is stored. That address is unknown here, so the address of this function's frame is
 * passed instead: like the wanted address, it is lower for inner calls. Most calls are deeper than
 * the last stored one, and so nothing has to be removed: they cost a comparison and three stores.
 */
void __tsan_func_entry(void *back)
{
	const uint64_t slot = (uint64_t)__builtin_frame_address(0);
	struct thread *t = thread_self;

	if (__builtin_expect(!t || t->depth - 1 >= CALLS_MOST - 1 ||
				     t->calls[t->depth - 1].slot <= slot,
			     0)) {
		enter_slowly(slot, (uint64_t)back);
		return;
	}
	t->calls[t->depth].slot = slot;
	t->calls[t->depth++].back = (uint64_t)back;
}

void __tsan_func_exit(void)
{
	struct thread *t = thread_self;

	if (t && t->depth)
		t->depth--;
}

EXPORT void __tsan_init(void);

/* Compilers call this in a constructor of each file, before start_sampling(): its priority is below
 * 100. */
void __tsan_init(void)
{
	soft_called = true;
}

#define ACCESSES(bytes)                                      \
	EXPORT void __tsan_read##bytes(void *p);             \
	EXPORT void __tsan_write##bytes(void *p);            \
	EXPORT void __tsan_volatile_read##bytes(void *p);    \
	EXPORT void __tsan_volatile_write##bytes(void *p);   \
	EXPORT void __tsan_unaligned_read##bytes(void *p);   \
	EXPORT void __tsan_unaligned_write##bytes(void *p);  \
	EXPORT void __tsan_read_write##bytes(void *p);       \
	void __tsan_read##bytes(void *p)                     \
	{                                                    \
		report_access(BACK, p, bytes, ACCESS_LOAD);  \
	}                                                    \
	void __tsan_write##bytes(void *p)                    \
	{                                                    \
		report_access(BACK, p, bytes, ACCESS_STORE); \
	}                                                    \
	void __tsan_volatile_read##bytes(void *p)            \
	{                                                    \
		report_access(BACK, p, bytes, ACCESS_LOAD);  \
	}                                                    \
	void __tsan_volatile_write##bytes(void *p)           \
	{                                                    \
		report_access(BACK, p, bytes, ACCESS_STORE); \
	}                                                    \
	void __tsan_unaligned_read##bytes(void *p)           \
	{                                                    \
		report_access(BACK, p, bytes, ACCESS_LOAD);  \
	}                                                    \
	void __tsan_unaligned_write##bytes(void *p)          \
	{                                                    \
		report_access(BACK, p, bytes, ACCESS_STORE); \
	}                                                    \
	void __tsan_read_write##bytes(void *p)               \
	{                                                    \
		report_access(BACK, p, bytes, ACCESS_LOAD);  \
		report_access(BACK, p, bytes, ACCESS_STORE); \
	}

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

/* Receives an access to n bytes, such as the copy of an object. `ip` is the return address, as for
 * report_access(). Handles each 8 bytes as one access. */
static void see_range(uint64_t ip, const void *p, size_t n, unsigned kind)
{
	const char *at = p;

	for (; soft_enabled && n; at += 8) {
		report_access(ip, at, n < 8 ? (unsigned)n : 8, kind);
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
	report_access(BACK, p, sizeof(*p), ACCESS_STORE);
}

void __tsan_vptr_read(void **p)
{
	report_access(BACK, p, sizeof(*p), ACCESS_LOAD);
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
 * memory order, which is correct for every order that the program may specify. */
#define SEQ __ATOMIC_SEQ_CST

#define FETCH(bits, type, name)                                                              \
	EXPORT type __tsan_atomic##bits##_fetch_##name(volatile type *p, type v, int order); \
	type __tsan_atomic##bits##_fetch_##name(volatile type *p, type v, int order)         \
	{                                                                                    \
		report_access(BACK, (void *)p, sizeof(*p), ACCESS_LOAD | ACCESS_STORE);      \
		return __atomic_fetch_##name(p, v, SEQ);                                     \
	}

#define COMPARE(bits, type, name, weak)                                                            \
	EXPORT int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected, \
								 type v, int order, int other);    \
	int __tsan_atomic##bits##_compare_exchange_##name(volatile type *p, type *expected,        \
							  type v, int order, int other)            \
	{                                                                                          \
		report_access(BACK, (void *)p, sizeof(*p), ACCESS_LOAD | ACCESS_STORE);            \
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
		report_access(BACK, (const void *)p, sizeof(*p), ACCESS_LOAD);                   \
		return __atomic_load_n(p, SEQ);                                                  \
	}                                                                                        \
	void __tsan_atomic##bits##_store(volatile type *p, type v, int order)                    \
	{                                                                                        \
		report_access(BACK, (void *)p, sizeof(*p), ACCESS_STORE);                        \
		__atomic_store_n(p, v, SEQ);                                                     \
	}                                                                                        \
	type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order)                 \
	{                                                                                        \
		report_access(BACK, (void *)p, sizeof(*p), ACCESS_LOAD | ACCESS_STORE);          \
		return __atomic_exchange_n(p, v, SEQ);                                           \
	}                                                                                        \
	type __tsan_atomic##bits##_compare_exchange_val(volatile type *p, type expected, type v, \
							int order, int other)                    \
	{                                                                                        \
		report_access(BACK, (void *)p, sizeof(*p), ACCESS_LOAD | ACCESS_STORE);          \
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
