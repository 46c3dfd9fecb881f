/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds symbols, source lines, inlined callers, code bytes and static variables of one file (DSO).
 * Files are untrusted: invalid parts yield no answer, never a guess. "Offset" always means a file
 * offset, computed from a mapping record: ip - map.start + map.pgoff.
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
	SYM_REPLACED,   /* build-id differs from the recorded one: not used */
	SYM_NOT_ELF,    /* a mapped file that holds no code: data, a device, JIT code */
	SYM_UNVERIFIED, /* opened, but nothing proves that this is the mapped file */
	SYM_REFUSED,    /* not proven to be the mapped file, and something contradicts it: not
			 * used */
};

struct sym_build_id {
	uint8_t size; /* 0 means unknown */
	uint8_t bytes[20];
};

/* Was the recording made on this host? */
enum sym_host { SYM_HOST_SAME, SYM_HOST_UNKNOWN, SYM_HOST_OTHER };

/*
 * The host and time of a recording. For a file without a recorded build-id they decide whether it
 * is the mapped file. It is if the host and its kernel are the same, and the file has not changed
 * since the recording started. It is not if the host or the machine type differs, or the file
 * changed after the recording.
 */
struct sym_origin {
	enum sym_host host;       /* SYM_HOST_SAME: the kernel is the same too */
	const char *why;          /* reason for SYM_HOST_UNKNOWN, a sentence */
	const char *arch;         /* `uname -m` of the recorded host; NULL means unknown */
	int64_t start_ns, end_ns; /* time of the recording, ns since the epoch; 0 means unknown */
	bool trusted;             /* --trust-files: files of the right machine type are accepted */
};

/* Decides whether this file is the mapped one. `machine` is its EM_*; the times are the last
 * changes of its bytes and of its inode. Returns SYM_OK with *doubt NULL, or SYM_UNVERIFIED or
 * SYM_REFUSED with a sentence in *doubt. */
enum sym_state sym_origin_check(const struct sym_origin *o, uint16_t machine, int64_t written_ns,
				int64_t changed_ns, const char **doubt);

/* Can a machine with this `uname -m` run programs of EM_* `machine`? True if arch is unknown. */
bool sym_is_machine_of(const char *arch, uint16_t machine);

struct sym_options {
	const char *debug_dirs; /* colon-separated; NULL means /usr/lib/debug */
	const char *root;       /* folder that is searched first, such as a copy of the recorded
				 * machine's root; NULL or "" means none */
	bool no_lines;          /* read symbols only */
	bool debuginfod; /* ask the servers in DEBUGINFOD_URLS for debug files: may take minutes */
	const struct sym_origin
		*origin; /* borrowed; NULL means files are accepted without this check */
};

/* A symbol that covers an offset. Strings are owned by the file. */
struct sym_symbol {
	const char *name;     /* as in the file */
	const char *pretty;   /* demangled; equal to name (the pointer) if name is not mangled */
	uint64_t start, size; /* file offsets; size 0 means the table has none, and the symbol ends
			       * at the next one */
	uint64_t vaddr;       /* address that objdump and nm show */
};

/*
 * Opens the ELF file at path. If the build-id *want is known, the file must have it. Otherwise
 * (want may be NULL) o->origin decides whether the file can be the right one. Separate debug
 * information is found by build-id and .gnu_debuglink in the debug directories, and by debuginfod
 * if o->debuginfod. A missing or wrong file is not an error: *out is then empty, and
 * sym_file_state() gives the reason. The path "[vdso]" stands for this machine's vdso. The caller
 * closes *out. Returns 0, or MD_ENOMEM with *out NULL.
 */
int sym_file_open(const char *path, const struct sym_build_id *want, const struct sym_options *o,
		  struct sym_file **out, struct md_err *err);

/* A symbol of the recorded kernel, because each boot may load the kernel at another address. */
struct sym_kernel {
	const char *symbol; /* NULL means unknown */
	uint64_t address;
};

/*
 * Opens the symbols of a kernel and its modules in the text of /proc/kallsyms. "Offset" is the
 * address itself. `at` is a symbol's address during the recording, or NULL. Returns 0, MD_EIO,
 * MD_ENOMEM, or MD_EFORMAT if there are no symbols (kptr_restrict makes all addresses 0) or the
 * kernel was loaded at another address.
 */
int sym_kallsyms_open(const char *path, const struct sym_kernel *at, struct sym_file **out,
		      struct md_err *err);

/* Returns the build-id of the running kernel; size 0 if it has none. */
struct sym_build_id sym_kernel_build_id(void);

/* Opens the symbols of code generated at run time, in the text of a process's perf-PID.map.
 * "Offset" is the address itself. Of several names for one address the last is valid. Returns 0,
 * MD_EIO or MD_ENOMEM. */
int sym_perfmap_open(const char *path, struct sym_file **out, struct md_err *err);

/* Makes a file with one symbol at offset 0, of `size` bytes. Returns 0 or MD_ENOMEM. */
int sym_single_open(const char *name, uint64_t size, struct sym_file **out, struct md_err *err);

/* Was the file at path made by this user or root, before the time `by` (seconds since the epoch;
 * not checked if the file system does not store it), and is it no link? Otherwise it may belong to
 * another user or a later process. */
bool sym_perfmap_is_ours(const char *path, int64_t by);

void sym_file_close(struct sym_file *f); /* NULL is fine */

enum sym_state sym_file_state(const struct sym_file *f);
/* Returns the reason for SYM_UNVERIFIED or SYM_REFUSED, a sentence; else NULL. */
const char *sym_file_doubt(const struct sym_file *f);
bool sym_file_has_lines(struct sym_file *f); /* true: there are DWARF units */
struct sym_build_id sym_file_build_id(const struct sym_file *f);
int64_t sym_file_mtime(const struct sym_file *f); /* seconds since the epoch; 0 means unknown */

/* Returns the function symbol (for data: the object symbol) that covers offset, or NULL. Pointers
 * are stable: the same symbol always has the same pointer. */
const struct sym_symbol *sym_symbol_at(struct sym_file *f, uint64_t offset);

/*
 * Returns the bytes of the function that covers offset. They start at the function's start
 * (*from_start) if its symbol or its .eh_frame entry is known, else at offset. *at is the position
 * of offset in the bytes. *key identifies the function within the file and is not 0. The bytes are
 * borrowed from the file. Returns NULL if the file has no code there.
 */
const uint8_t *sym_code_at(struct sym_file *f, uint64_t offset, size_t *len, size_t *at,
			   bool *from_start, uint64_t *key);

/* A frame of source at a code offset. Strings are owned by the file. */
struct sym_line {
	const char *function; /* demangled; NULL means unknown */
	const char *file;     /* full path as the compiler wrote it; NULL means unknown */
	uint32_t line;        /* 0 means unknown */
	uint32_t column;
};

enum { SYM_MAX_INLINE = 64 };

/* Writes the source frames at offset, innermost first: out[0] is the line of the instruction, and
 * each further frame is the caller into which the previous one was inlined. Returns the number of
 * frames written (≤ max), or 0 if no line is known. */
unsigned sym_lines_at(struct sym_file *f, uint64_t offset, struct sym_line *out, unsigned max);

/* Announces offsets for sym_lines_at() (any number, any order, repeated ones too). The answers are
 * the same, but they are computed in batches, while the caller does other work. An unannounced
 * lookup takes about 10 µs more. */
void sym_lines_prepare(struct sym_file *f, const uint64_t *offsets, size_t n);

/*
 * Returns a sentence that names the file and says why debug information could not be read, or NULL.
 * Another process reads it at the first request for lines or variables. If a file breaks that
 * process, only this file loses its lines, and what was read before is kept. The file owns the
 * sentence.
 */
const char *sym_file_problem(const struct sym_file *f);

/* The position of a variable's description in the debug information; for sym_type(). */
struct sym_entry {
	uint32_t unit; /* 0 means there is none */
	uint64_t offset;
};

/* A static variable. */
struct sym_variable {
	const char *name;     /* demangled */
	uint64_t vaddr, size; /* vaddr; bytes, never 0 */
	const char *file;     /* file of the declaration; NULL means unknown */
	uint32_t line;
	bool is_tls; /* vaddr is an offset into the TLS block */
	struct sym_entry entry;
};

/*
 * Returns all static variables of the file, sorted by vaddr, including thread-local ones (is_tls).
 * They come from OBJECT symbols and from DWARF. DWARF adds file and line and, in a file without
 * symbols, the names. If an address has several names, the best is kept; variables inside other
 * variables are left out. Returns NULL with *n 0 if there are none. The file owns the array.
 */
const struct sym_variable *sym_variables(struct sym_file *f, size_t *n);

/* A place of a local variable or parameter in the frame of its function. A variable with several
 * places has a record for each. */
struct sym_local {
	const char *name;  /* "function::variable" */
	const char *file;  /* file of the declaration; NULL means unknown */
	uint32_t line;     /* 0 means unknown */
	uint32_t variable; /* distinguishes the variables of a function */
	uint8_t base;      /* SYM_LOCAL_CFA, or the DWARF number of a register */
	int64_t offset;    /* the first byte is at the CFA or register + offset */
	uint64_t size;     /* bytes, never 0 */
	uint64_t lo, hi;   /* vaddrs [lo, hi) of the code for which this place is valid */
	struct sym_entry entry;
};

enum { SYM_LOCAL_CFA = 255 };

/*
 * Returns the variables in memory of the function at vaddr, including those of inlined functions.
 * The file owns the array and its strings. *n is 0 if none are known. The first call for a vaddr
 * asks the process that reads debug information and takes some 10 µs. Each later one takes 20 ns.
 */
const struct sym_local *sym_locals(struct sym_file *f, uint64_t vaddr, size_t *n);

/* Gets the start of the .eh_frame entry (a function or a part of one) that covers vaddr. Returns
 * false if there is none. */
bool sym_function_start(struct sym_file *f, uint64_t vaddr, uint64_t *start);

/* Gets the vaddr of a file offset. Returns false if no segment holds it. .bss has no file offset:
 * use sym_load_bias() for its variables. */
bool sym_vaddr_at(struct sym_file *f, uint64_t offset, uint64_t *vaddr);

/*
 * Gets the load bias: address = vaddr + *bias. It is computed from one of the file's mappings
 * (start and pgoff as in the mapping record, both multiples of the page size; exec: the mapping is
 * executable). A mapping starts with its segment's page, which may contain the end of another
 * segment, so the bias is not start - sym_vaddr_at(pgoff). Use an executable mapping, because
 * several data segments may start in one page of the file. Returns false if no segment fits.
 */
bool sym_load_bias(struct sym_file *f, uint64_t start, uint64_t pgoff, bool exec, uint64_t *bias);

/* Gets the extent of the image in memory: the lowest and one past the highest vaddr of all PT_LOAD
 * segments. Returns false if there are none. */
bool sym_load_range(struct sym_file *f, uint64_t *lo, uint64_t *hi);

#endif
