/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: reads arbitrary bytes as a file with DWARF. Runs the code that memdb runs in a
 * child process.
 *
 * A crash inside libdw or libelf is a bug of these libraries. In memdb such a crash ends only the
 * child process, so here it ends only the current input. Running out of memory also ends only the
 * current input.
 */
#include "memory_file.h"
#include "symbol/unit.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "base/count.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __real__exit(int code) __attribute__((noreturn));
void __wrap__exit(int code) __attribute__((noreturn));

const char *__asan_default_options(void);
/* Leaks are not checked, because an input that ends early does not free its memory. */
const char *__asan_default_options(void)
{
	return "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=512";
}

enum { MAX_ASKED = 256, MAX_RANGES = 16 };

/* Everything that is read is added to this variable, so that the compiler cannot remove the
 * reads. */
static volatile uint64_t sink;

static sigjmp_buf ended;
static volatile sig_atomic_t reading;
static struct sigaction before[NSIG];
static unsigned long faults; /* number of crashes inside libdw and libelf */

static uint64_t pc_of(const void *context)
{
	const ucontext_t *c = context;

#if defined(__x86_64__)
	return (uint64_t)c->uc_mcontext.gregs[REG_RIP];
#else
	return c->uc_mcontext.pc;
#endif
}

static bool is_theirs(uint64_t pc)
{
	Dl_info info;

	return dladdr((void *)(uintptr_t)pc, &info) && info.dli_fname &&
	       (strstr(info.dli_fname, "/libdw") || strstr(info.dli_fname, "/libelf"));
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	if (reading && is_theirs(pc_of(context))) {
		faults++;
		siglongjmp(ended, 1);
	}
	before[sig].sa_sigaction(sig, info, context);
}

/* The linker replaces _exit() by this function. In memdb, the child process ends itself with
 * _exit(); here, only the current input ends. */
void __wrap__exit(int code)
{
	if (reading)
		siglongjmp(ended, 1);
	__real__exit(code);
}

static void prepare(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE };
	struct sigaction a = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER };
	static bool done;

	for (size_t i = 0; !done && i < COUNT_OF(signals); i++)
		sigaction(signals[i], &a, &before[signals[i]]);
	done = true;
}

static void use_type(struct debuginfo *d, const struct sym_type_query *q)
{
	struct sym_type t;

	if (!debuginfo_type(d, q, &t))
		return;
	sink += strlen(t.name);
	for (uint32_t i = 0; i < t.nmembers; i++)
		sink += t.members[i].name ? strlen(t.members[i].name) : 0;
}

static int use_variable(const struct sym_variable *v, void *arg)
{
	sink += strlen(v->name) + (v->file ? strlen(v->file) : 0);
	use_type(arg, &(struct sym_type_query){ .by = SYM_BY_ENTRY, .entry = v->entry });
	return 0;
}

/* Looks up types for the code at vaddr with each function that does so. */
static void use_types(struct debuginfo *d, uint64_t vaddr)
{
	static const char *const texts[] = { "this->next",  "p",   "*out", "a[0].b",
					     "struct node", "T *", "x%y" };
	struct sym_type_query q = { .vaddr = vaddr };

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		q.text = texts[i];
		q.inlined = i % 2;
		q.by = SYM_BY_NAME;
		use_type(d, &q);
		q.by = SYM_BY_POINTER;
		use_type(d, &q);
	}
	q.by = SYM_BY_ALLOCATOR;
	use_type(d, &q);
	q.by = SYM_BY_REGISTER;
	for (q.reg = 0; q.reg < 8; q.reg++)
		use_type(d, &q);
}

static void use_lines(struct debuginfo *d, uint64_t vaddr)
{
	struct sym_line lines[SYM_MAX_INLINE];
	unsigned n = debuginfo_lines(d, vaddr, lines, SYM_MAX_INLINE);

	for (unsigned i = 0; i < n; i++) {
		sink += lines[i].function ? strlen(lines[i].function) : 0;
		sink += lines[i].file ? strlen(lines[i].file) : 0;
	}
}

static int use_local(const struct sym_local *v, void *arg)
{
	sink += strlen(v->name) + (v->file ? strlen(v->file) : 0);
	use_type(arg, &(struct sym_type_query){ .by = SYM_BY_ENTRY, .entry = v->entry });
	return 0;
}

static void use(struct debuginfo *d, size_t size)
{
	uint64_t step = size / MAX_ASKED + 1;
	char damage[200];

	for (uint64_t at = 0; at < size; at += step)
		use_lines(d, at);
	for (size_t i = 0; i < d->nranges && i < MAX_RANGES; i++)
		for (uint64_t at = 0; at < MAX_ASKED && at < d->ranges[i].hi - d->ranges[i].lo;
		     at++)
			use_lines(d, d->ranges[i].lo + at);
	for (size_t i = 0; i < d->nranges && i < MAX_RANGES; i++)
		debuginfo_locals(d, d->ranges[i].lo, use_local, d);
	for (size_t i = 0; i < d->nranges && i < MAX_RANGES; i++)
		use_types(d, d->ranges[i].lo);
	debuginfo_variables(d, use_variable, d);
	debuginfo_damage(d, damage, sizeof(damage));
	debuginfo_close(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct memory_file file;
	int fd = open(memory_file_set(&file, data, size), O_RDONLY | O_CLOEXEC);
	struct debuginfo *d;
	char damage[200];

	prepare();
	if (!sigsetjmp(ended, 0)) {
		reading = 1;
		d = debuginfo_open(fd, damage, sizeof(damage));
		if (d)
			use(d, size);
	}
	reading = 0;
	return 0;
}
