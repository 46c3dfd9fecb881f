/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memdb doctor: prints what can be recorded on this machine, and what the user can do about the
 * rest. It tries what `memdb record` would do, so its answer is not a guess.
 */
#include <argp.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>

#include "cmd/cmd.h"
#include "record/allocator.h"
#include "record/machine.h"
#include "record/perf_tool.h"
#include "record/sampler.h"
#include "record/session.h"
#include "record/trace.h"
#include "symbol/symbol.h"

#define LITTLE_SPACE (1ull << 30) /* doctor warns if fewer bytes than this are free on the disk */

struct arguments {
	const char *program;
	const char *perf;
};

static const struct argp_option options[] = {
	{ "program", 'p', "PATH", 0, "also print what memdb can find out about this program", 1 },
	{ "perf", 'P', "PATH", 0, "the perf to check (default: the one in PATH)", 1 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	cmd_check_value(key, arg, state);
	switch (key) {
	case 'p':
		a->program = arg;
		return 0;
	case 'P':
		a->perf = arg;
		return 0;
	case ARGP_KEY_ARG:
		cmd_misused(state, "'%s' is no option: -p %s checks a program", arg, arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void print_line(const char *name, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void print_line(const char *name, const char *fmt, ...)
{
	va_list ap;

	printf("  %-12s ", name);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* Prints for each sampler whether it works. Returns the number of working samplers that use
 * perf. */
static unsigned print_samplers(const struct machine *m)
{
	const struct sampling sampling = SAMPLING_DEFAULT;
	struct sampler_plan plan;
	struct md_err err;
	unsigned n = 0;

	puts("samplers");
	for (enum sampler s = 0; s < SAMPLERS; s++) {
		const struct sampler_kind *kind = sampler_kind(s);

		if (sampler_choose(s, 0, m, &sampling, &plan, &err)) {
			print_line(sampler_name(s), "no: %s", err.msg);
			continue;
		}
		n += sampler_run(s) == RUN_PERF;
		print_line(sampler_name(s), "works: %s%s%s%s%s",
			   plan.events[plan.events[0].leads].perf,
			   plan.kernel || sampler_run(s) != RUN_PERF ? "" : " (user mode only)",
			   kind->caution ? ", " : "", kind->caution ? kind->caution : "",
			   kind->on_demand ? ", only on demand" : "");
	}
	if (!sampler_choose(SAMPLER_AUTO, 0, m, &sampling, &plan, NULL))
		print_line("auto", "takes %s", sampler_name(plan.sampler));
	return n;
}

/*
 * Prints perf's path and version, or why it cannot be used; returns whether it can be used. perf
 * need not have the kernel's version: an older or newer perf can record as well.
 */
static bool print_perf(const struct arguments *a, const struct machine *m)
{
	struct perf_tool perf;
	struct md_err err;

	if (perf_tool_find(a->perf, &perf, &err)) {
		print_line("perf", "no: %s", err.msg);
		return false;
	}
	print_line("perf", "%s, version %s%s", perf.path, perf.version,
		   perf.major == m->kernel_major && perf.minor == m->kernel_minor
			   ? ""
			   : " (the kernel is another version, which does no harm)");
	return true;
}

static void print_tracker(void)
{
	char path[PATH_MAX];
	struct md_err err;

	if (session_find_tracker(NULL, path, sizeof(path), &err))
		print_line("tracker", "no: %s", err.msg);
	else
		print_line("tracker", "%s", path);
}

static void print_paranoid(const struct machine *m)
{
	if (m->paranoid == MACHINE_UNKNOWN)
		print_line("paranoid",
			   "no kernel.perf_event_paranoid: this kernel has no perf events");
	else
		print_line("paranoid", "kernel.perf_event_paranoid is %d%s: %s", m->paranoid,
			   m->perfmon ? ", which you are above" : "",
			   machine_kernel_allowed(m) ? "user and kernel mode can be sampled"
			   : machine_user_allowed(m)
				   ? "user mode can be sampled; for kernel mode and "
				     "physical addresses `sudo "
				     "sysctl kernel.perf_event_paranoid=1`"
				   : "nothing can be sampled; `sudo sysctl "
				     "kernel.perf_event_paranoid=2`");
}

static void print_buffers(const struct machine *m)
{
	uint64_t kb =
		(uint64_t)machine_buffer_pages(m, MACHINE_BUFFER_BYTES, 2) * m->page_bytes / 1024;

	print_line("buffers", "%" PRIu64 " KiB for each of %u CPUs%s", kb, m->cpus,
		   kb >= 1024 ? ""
			      : "; bursts of page faults may lose samples: raise `ulimit -l` or "
				"kernel.perf_event_mlock_kb");
}

static void print_tracepoints(const struct machine *m)
{
	struct trace_plan plan = { 0 };
	bool all = true;
	struct md_err err;

	for (unsigned g = 0; g < TRACE_GROUPS; g++) {
		if (!trace_plan_add(&plan, (enum trace_group)g, m, &err))
			continue;
		print_line("tracepoints", "%s: %s", trace_group_name((enum trace_group)g), err.msg);
		all = false;
	}
	if (all)
		print_line("tracepoints", "can be recorded (memdb record --trace)");
}

static void print_settings(const struct machine *m)
{
	print_paranoid(m);
	if (kernel_symbols_are_shown())
		print_line("kallsyms", "kernel functions can be named");
	else
		print_line("kallsyms",
			   "kernel functions have no names for you: kernel.kptr_restrict is %d; it "
			   "takes 0 "
			   "and kernel.perf_event_paranoid 1, or root",
			   m->kptr_restrict);
	print_tracepoints(m);
	print_buffers(m);
	if (m->ptrace_scope > 0)
		print_line("ptrace",
			   "kernel.yama.ptrace_scope is %d, which hinders debuggers and not memdb",
			   m->ptrace_scope);
	if (m->max_sample_rate > 0)
		print_line("rate", "at most %d samples a second and CPU", m->max_sample_rate);
}

static void print_machine(const struct machine *m)
{
	struct utsname u = { 0 };
	struct statvfs fs;
	uint64_t left;

	uname(&u);
	print_line("kernel", "%s, %s", u.release, u.machine);
	print_line("nodes", "%u with memory%s", m->nodes,
		   m->nodes > 1
			   ? ""
			   : ": every page is local, so questions about placement have one answer");
	if (statvfs(".", &fs))
		return;
	left = (uint64_t)fs.f_bavail * fs.f_frsize;
	print_line("disk", "%.1f GB free here%s", (double)left / 1e9,
		   left < LITTLE_SPACE
			   ? "; a recording takes 10 to 100 MB a minute and more with many "
			     "page faults"
			   : "");
}

static bool has_lines(const char *path)
{
	struct sym_file *f = NULL;
	bool lines = false;

	if (!sym_file_open(path, NULL, &(struct sym_options){ 0 }, &f, NULL))
		lines = sym_file_has_lines(f);
	sym_file_close(f);
	return lines;
}

static void print_debug_information(void)
{
	Dl_info info;

	if (!dladdr((void *)malloc, &info) || !info.dli_fname)
		return;
	if (has_lines(info.dli_fname))
		print_line("libc", "%s has debug information", info.dli_fname);
	else
		print_line(
			"libc",
			"%s has no debug information: its functions have names and no source lines "
			"(Debian: apt install libc6-dbg; or set DEBUGINFOD_URLS)",
			info.dli_fname);
}

static void print_allocator(const char *path)
{
	char name[256];

	switch (allocator_of(path, name, sizeof(name))) {
	case ALLOCATOR_LIBC:
		print_line("allocator", "none of its own");
		break;
	case ALLOCATOR_LIBRARY:
		print_line("allocator", "%s, which is tracked like libc's", name);
		break;
	case ALLOCATOR_OWN:
		print_line("allocator",
			   "its own malloc, which is found before the tracker's: blocks "
			   "taken from it are "
			   "unseen, only the pages it maps are known");
		break;
	case ALLOCATOR_HIDDEN:
		print_line("allocator",
			   "its own hidden malloc: blocks taken from it are unseen, only the "
			   "pages it maps are known");
		break;
	}
}

/* Prints whether memdb can run a program, track its allocations and read its lines. Returns false
 * if the program cannot be executed. */
static bool print_program(const char *program)
{
	struct target t;
	struct md_err err;
	const char *path;

	printf("program %s\n", program);
	if (target_find(program, &t, &err)) {
		print_line("start", "no: %s", err.msg);
		return false;
	}
	print_line("start", "%s can be executed", t.path);
	path = t.interpreter[0] ? t.interpreter : t.path;
	if (t.interpreter[0])
		print_line("script", "%s runs it", path);
	if (t.untracked)
		print_line("tracking", "no: %s", target_untracked_text(t.untracked));
	else
		print_line("tracking", "its allocations can be tracked");
	if (!t.is_elf)
		return true;
	print_line("lines", has_lines(path)
				    ? "it has debug information"
				    : "no debug information: build with -g to see source lines "
				      "and variables");
	print_allocator(path);
	return true;
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.doc = "Prints what recording needs on this machine, what is missing, and "
	       "what helps.\vFor this, it opens the events of each sampler. The "
	       "exit code is 0 if perf is installed and at least one sampler "
	       "works.",
};

static int run(int argc, char **argv)
{
	struct arguments a = { 0 };
	struct machine m;
	bool good;

	cmd_parse(&argp, argc, argv, 0, &a);
	machine_read(&m, "");
	good = print_samplers(&m) > 0;
	puts("tools");
	good &= print_perf(&a, &m);
	print_tracker();
	puts("rights and limits");
	print_settings(&m);
	puts("machine");
	print_machine(&m);
	print_debug_information();
	if (a.program)
		good &= print_program(a.program);
	return good ? EXIT_OK : EXIT_FAILED;
}

const struct cmd cmd_doctor = {
	.name = "doctor",
	.summary = "say what recording needs here and what is missing",
	.argp = &argp,
	.run = run,
};
