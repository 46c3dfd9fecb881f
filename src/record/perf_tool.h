/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Uses the perf program: finds it, reads its version, builds its command line and interprets its
 * log.
 */
#ifndef MEMDB_RECORD_PERF_TOOL_H
#define MEMDB_RECORD_PERF_TOOL_H

#include <limits.h>
#include <stdbool.h>

#include "base/err.h"
#include "record/machine.h"
#include "record/sampler.h"
#include "record/trace.h"
#include "base/words.h"

/* Argument of perf's --user-regs: all registers from which an instruction may compute an address.
 */
#if defined(__x86_64__)
#define USER_REGISTERS "ax,bx,cx,dx,si,di,bp,sp,ip,r8,r9,r10,r11,r12,r13,r14,r15"
#elif defined(__aarch64__)
#define USER_REGISTERS                                                                           \
	"x0,x1,x2,x3,x4,x5,x6,x7,x8,x9,x10,x11,x12,x13,x14,x15,x16,x17,x18,x19,x20,x21,x22,x23," \
	"x24,x25,x26,x27,x28,x29,lr,sp,pc"
#else
#error "which general registers has this architecture?"
#endif

struct perf_tool {
	char path[PATH_MAX];
	char version[64];      /* for example "6.1.192" */
	unsigned major, minor; /* both are 0 if the version cannot be parsed */
};

/*
 * Finds perf and reads its version. `wanted` is a path or name of perf; NULL means "perf". A
 * name without a slash is looked for in PATH. Returns 0, or
 *   MD_ENOENT  perf is not there; if `wanted` is NULL, the sentence names the package
 *   MD_EIO     `wanted` cannot be executed
 *   MD_ECHILD  perf does not run, or prints no version
 */
int perf_tool_find(const char *wanted, struct perf_tool *t, struct md_err *err);

/* Maximum time in seconds that `perf --version` may take. Only tests change it. */
extern unsigned perf_tool_version_seconds;

/* Parses "perf version 6.1.192" or "perf version 6.8-rc1.g1234". Returns false if there is no
 * number. */
bool perf_tool_parse_version(const char *line, struct perf_tool *t);

enum call_graph { CALL_GRAPH_FP, CALL_GRAPH_DWARF, CALL_GRAPH_LBR, CALL_GRAPH_NONE };

/* Returns the call graph with this name (see --call-graph); -1 if there is none. */
int call_graph_by_name(const char *name);
const char *call_graph_name(enum call_graph g);

struct perf_command {
	const struct perf_tool *tool;
	const struct machine *machine;
	const struct sampler_plan *plan;
	const struct trace_plan *trace; /* tracepoints to record; NULL means none */
	enum call_graph call_graph;
	unsigned buffer_pages; /* pages of each CPU's buffer, a power of two */
	const char *output;
};

/* Returns the desired size in bytes of perf's buffer for each CPU. The caller passes it to
 * machine_buffer_pages(). */
uint64_t perf_command_buffer_bytes(enum call_graph g);

/*
 * Adds `perf record …` up to and including "--". The caller appends the program's words and checks
 * out->failed.
 */
void perf_command_build(const struct perf_command *c, struct words *out);

/*
 * Decodes the AUX trace in DIR/perf.data into memory samples, in place. perf's messages go to
 * log_fd. On failure DIR/perf.data is unchanged. Returns 0, an error of pd_inject(), or MD_EIO.
 */
int perf_tool_inject(const struct perf_tool *t, const char *dir, int log_fd, struct md_err *err);

/* Does perf's log say that perf could not lock the memory of its buffers? */
bool perf_log_wants_smaller_buffers(const char *log);

/*
 * Writes up to three lines of perf's log to `out`, separated by "; ". Leaves out lines that do not
 * say what is wrong. Writes "" if no line is left.
 */
void perf_log_condense(const char *log, char *out, size_t len);

#endif
