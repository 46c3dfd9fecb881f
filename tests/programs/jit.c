/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jit [SECONDS [none|fork]]: generates code at run time, writes its name to /tmp/perf-PID.map
 * like a just-in-time compiler, and runs it. With `none` it writes no name. With `fork` a child
 * runs the code of its parent. It prints which process works, and from when on. The map's first
 * name for this address is that of earlier code.
 */
#include <sys/mman.h>
#include <sys/wait.h>

#include "answer.h"

typedef void (*code_fn)(long turns);

#if defined(__x86_64__)
static const uint8_t code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 }; /* dec %rdi; jnz; ret */
#elif defined(__aarch64__)
static const uint32_t code[] = { 0xf1000400, 0x54ffffe1, 0xd65f03c0 }; /* subs; b.ne; ret */
#endif

enum { BYTES = 1 << 16, AT = 4096 };

static code_fn make_code(void)
{
	uint8_t *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	memcpy(p + AT, code, sizeof(code));
	__builtin___clear_cache((char *)p + AT, (char *)p + AT + sizeof(code));
	if (mprotect(p, BYTES, PROT_READ | PROT_EXEC))
		exit(2);
	return (code_fn)(uintptr_t)(p + AT);
}

static void tell(code_fn f)
{
	char name[64];
	FILE *map;

	snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(name, "w");
	if (!map)
		exit(2);
	fprintf(map, "%lx %zx old::name\n", (unsigned long)f, sizeof(code));
	fprintf(map, "%lx %zx spin in a loop\n", (unsigned long)f, sizeof(code));
	fclose(map);
}

int main(int argc, char **argv)
{
	int64_t end = work_ns(argc, argv, 0.3);
	const char *how = argc > 2 ? argv[2] : "";
	code_fn f = make_code();
	int status = 0;
	pid_t child = 0;

	if (strcmp(how, "none"))
		tell(f);
	if (!strcmp(how, "fork")) {
		child = fork();
		if (child) {
			waitpid(child, &status, 0);
			return status != 0;
		}
	}
	tell_value("worker", getpid());
	tell_value("work_ns", now_ns());
	while (cpu_ns() < end)
		f(1000000);
	return 0;
}
