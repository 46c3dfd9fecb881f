/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code and data of one file (DSO): file offset -> symbol, source line, inlined callers, bytes of
 * the function; and its static variables. Files are untrusted: invalid parts yield no answer, never
 * a guess. "Offset" always means a file offset, computed from a mapping record: ip - map.start +
 * map.pgoff.
 */
#ifndef MEMDB_SYMBOL_SYMBOL_H
#define MEMDB_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct sym_file;

/* The state of a file. */
enum sym_state {
	SYM_OK,         /* opened; symbols and perhaps lines */
	SYM_MISSING,    /* the file does not exist or is not readable */
	SYM_REPLACED,   /* its build-id differs from the recorded one: not used */
	SYM_NOT_ELF,    /* a mapped file that holds no code: data, a device, JIT code */
	SYM_UNVERIFIED, /* opened, but nothing proves that this is the mapped file */
	SYM_REFUSED,    /* nothing proves it and something contradicts it: not used */
};

struct sym_build_id {
	uint8_t size; /* 0: unknown */
	uint8_t bytes[20];
};

/* Was the recording made on this host? */
enum sym_host { SYM_HOST_SAME, SYM_HOST_UNKNOWN, SYM_HOST_OTHER };

/*
 * Where and when a recording was made. This decides if a file without a recorded build-id is the
 * mapped one. It is, on the same host with the same kernel, if it has not changed since the
 * recording started. It is not, on another host, for another machine type, or if it was changed
 * after the recording.
 */
struct sym_origin {
	enum sym_host host;       /* SYM_HOST_SAME: the kernel is the same too */
	const char *why;          /* reason for SYM_HOST_UNKNOWN, a sentence */
	const char *arch;         /* as `uname -m` there; NULL unknown */
	int64_t start_ns, end_ns; /* time of the recording, ns since the epoch; 0 unknown */
	bool trusted;             /* --trust-files: files of the right machine type are accepted */
};

/* Is this file the mapped one? `machine` is its EM_*, the times are the last changes of its
 * bytes and of its inode. Returns SYM_OK, or one of the last two states with a sentence in
 * *doubt. */
enum sym_state sym_origin_check(const struct sym_origin *o, uint16_t machine, int64_t written_ns,
				int64_t changed_ns, const char **doubt);

/* Can a machine of that name (`uname -m`) run programs of EM_* `machine`? True if either is
 * unknown here. */
bool sym_is_machine_of(const char *arch, uint16_t machine);

struct sym_options {
	const char *debug_dirs; /* colon-separated; NULL: /usr/lib/debug */
	const char *root; /* folder searched first, like the root of the recorded machine; NULL
			   * or "": none */
	bool no_lines;    /* symbols only */
	bool debuginfod;  /* ask the servers in DEBUGINFOD_URLS for debug files: may take minutes */
	const struct sym_origin *origin; /* borrowed; NULL: files are accepted without this check */
};

/* A symbol that covers an offset. Strings are owned by the file. */
struct sym_symbol {
	const char *name;     /* as in the file */
	const char *pretty;   /* demangled; the same pointer as name if that is not mangled */
	uint64_t start, size; /* file offsets; size 0: not in the table, the symbol reaches to
			       * the next one */
	uint64_t vaddr;       /* address as objdump and nm show it */
};

/*
 * Opens the ELF file at path, which must have build-id *want where that is known; else (want may be
 * NULL) the options' origin says whether it can be the right one. Separate debug information is
 * found by build-id and .gnu_debuglink below the debug directories, and by debuginfod where the
 * options say so. Always gives a file in *out, if only an empty one whose sym_file_state() says
 * why: a missing file is no error. The path "[vdso]" stands for this machine's own. MD_ENOMEM with
 * *out NULL.
 */
int sym_file_open(const char *path, const struct sym_build_id *want, const struct sym_options *o,
		  struct sym_file **out, struct md_err *err);

/* A symbol of the recorded kernel: each boot may load the kernel at another address. */
struct sym_kernel {
	const char *symbol; /* NULL: none is known */
	uint64_t address;
};

/* A kernel with its modules from the text of /proc/kallsyms: "offset" is the address itself. `at`
 * is where the recorded one was, or NULL. MD_EIO, MD_EFORMAT where it holds no symbols (all
 * addresses are zero: kptr_restrict) or those of a kernel at another place, MD_ENOMEM. */
int sym_kallsyms_open(const char *path, const struct sym_kernel *at, struct sym_file **out,
		      struct md_err *err);

/* The build-id of the running kernel; size 0 if it has none. */
struct sym_build_id sym_kernel_build_id(void);

/* Code that a process generated at run time, from the text of its perf-PID.map: "offset" is the
 * address itself. Of several names for one address the last is valid. MD_EIO, MD_ENOMEM. */
int sym_perfmap_open(const char *path, struct sym_file **out, struct md_err *err);

/* A file with one symbol, from offset 0 on. MD_ENOMEM. */
int sym_single_open(const char *name, uint64_t size, struct sym_file **out, struct md_err *err);

/* Was the file at path, not a link, made by this user or root, and before the time `by` (seconds
 * since the epoch; as far as the file system tells)? Otherwise it may belong to another user or
 * a later process. */
bool sym_perfmap_is_ours(const char *path, int64_t by);

void sym_file_close(struct sym_file *f); /* NULL is fine */

enum sym_state sym_file_state(const struct sym_file *f);
/* The reason for SYM_UNVERIFIED or SYM_REFUSED, a sentence; else NULL. */
const char *sym_file_doubt(const struct sym_file *f);
bool sym_file_has_lines(struct sym_file *f); /* DWARF line tables were found */
struct sym_build_id sym_file_build_id(const struct sym_file *f);
int64_t sym_file_mtime(const struct sym_file *f); /* seconds since the epoch; 0 unknown */

/* The function symbol (for data: the object symbol) that covers offset, or NULL. Pointers are
 * stable: equal symbols have equal pointers. */
const struct sym_symbol *sym_symbol_at(struct sym_file *f, uint64_t offset);

/*
 * The bytes of the function that covers offset: from the function's start (*from_start) if its
 * symbol or its .eh_frame entry is known, else from offset on. NULL if the file has no code there.
 * *at is the position of offset in the bytes. Borrowed. *key identifies the function within the
 * file and is not 0.
 */
const uint8_t *sym_code_at(struct sym_file *f, uint64_t offset, size_t *len, size_t *at,
			   bool *from_start, uint64_t *key);

/* One frame of source at a code offset. Strings are owned by the file. */
struct sym_line {
	const char *function; /* demangled; NULL unknown */
	const char *file;     /* full path as the compiler wrote it; NULL unknown */
	uint32_t line;        /* 0 unknown */
	uint32_t column;
};

enum { SYM_MAX_INLINE = 64 };

/*
 * The source frames at offset, innermost first: out[0] is the instruction's own line, each further
 * frame the caller into which the previous one was inlined. Returns the number of frames written (≤
 * max), 0 if no line is known.
 */
unsigned sym_lines_at(struct sym_file *f, uint64_t offset, struct sym_line *out, unsigned max);

/*
 * Announces offsets for sym_lines_at() (any number, in any order, some twice). The answers are the
 * same, but they are computed in batches, while the caller does other work. An unannounced lookup
 * takes about 10 µs more.
 */
void sym_lines_prepare(struct sym_file *f, const uint64_t *offsets, size_t n);

/* Which debug information could not be read, and why: a sentence that names the file, or NULL.
 * Another process reads it at the first request for lines or variables. If it breaks that
 * process, only this file loses lines, and what was read before is kept. Owned by the file. */
const char *sym_file_problem(const struct sym_file *f);

/* Where debug information describes a variable; for sym_type(). */
struct sym_entry {
	uint32_t unit; /* 0: nowhere */
	uint64_t offset;
};

/* A static variable. */
struct sym_variable {
	const char *name;     /* demangled */
	uint64_t vaddr, size; /* address as in the file; size in bytes, never 0 */
	const char *file;     /* file of the declaration; NULL unknown */
	uint32_t line;
	bool is_tls; /* vaddr is an offset into the TLS block */
	struct sym_entry entry;
};

/*
 * All static variables of the file, sorted by vaddr, including thread-local ones, whose vaddr has
 * another meaning. They come from OBJECT symbols and from DWARF, which adds file and line and, in a
 * file without symbols, the names. Of several names for one address the best is kept; parts of
 * variables are left out. NULL with *n 0 if there are none. Owned by the file.
 */
const struct sym_variable *sym_variables(struct sym_file *f, size_t *n);

/* A place of a local variable or parameter in the frame of its function. A variable with several
 * has a record for each. */
struct sym_local {
	const char *name;  /* "function::variable" */
	const char *file;  /* where it is declared; NULL unknown */
	uint32_t line;     /* 0 unknown */
	uint32_t variable; /* distinguishes the variables of a function */
	uint8_t base;      /* SYM_LOCAL_CFA, or the DWARF number of a register … */
	int64_t offset;    /* … from which this leads to the first byte */
	uint64_t size;     /* bytes, never 0 */
	uint64_t lo, hi;   /* vaddrs [lo, hi) of the code that has it there */
	struct sym_entry entry;
};

enum { SYM_LOCAL_CFA = 255 };

/*
 * The variables in memory of the function whose code starts at vaddr, inlined functions' included.
 * The array and its strings are owned by the file. *n is 0 where none are known. The first question
 * about a function is a message to the process that reads debug information, some 10 µs; each
 * further one costs 20 ns.
 */
const struct sym_local *sym_locals(struct sym_file *f, uint64_t vaddr, size_t *n);

/* The vaddr at which the function (or the part of one) starts that covers vaddr, by .eh_frame. */
bool sym_function_start(struct sym_file *f, uint64_t vaddr, uint64_t *start);

/* Gets the vaddr of a file offset. False if no segment holds it. .bss has no file offset: look
 * its variables up by sym_load_bias(). */
bool sym_vaddr_at(struct sym_file *f, uint64_t offset, uint64_t *vaddr);

/*
 * The load bias: address = vaddr + *bias. Computed from one of the file's mappings (start and pgoff
 * as in the mapping record, both multiples of the page size; exec: it is executable). A mapping
 * starts with its segment's page, which may contain the end of another segment, so the bias is not
 * start - sym_vaddr_at(pgoff). Use an executable mapping: several data segments may start in one
 * page of the file. False if no segment fits.
 */
bool sym_load_bias(struct sym_file *f, uint64_t start, uint64_t pgoff, bool exec, uint64_t *bias);

/* The extent of the image in memory: lowest and one past the highest vaddr of all PT_LOAD
 * segments. False if there are none. */
bool sym_load_range(struct sym_file *f, uint64_t *lo, uint64_t *hi);

#endif
