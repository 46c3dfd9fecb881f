/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds symbols, source lines, inlined callers, code bytes and static variables of one file (DSO).
 * Files are untrusted: an invalid part yields no result, and nothing is guessed. Unless a function
 * says otherwise, an "offset" is a file offset, computed from a mapping record as ip - map.start +
 * map.pgoff.
 */
#ifndef MEMDB_SYMBOL_SYMBOL_H
#define MEMDB_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct sym_file;

/* The result of opening a file. */
enum sym_state {
	SYM_OK,         /* opened, and taken to be the file that was mapped */
	SYM_MISSING,    /* the file does not exist, or is not a readable regular file */
	SYM_REPLACED,   /* not used, because its build-id differs from the recorded one */
	SYM_NOT_ELF,    /* the file is not an ELF file, such as a file of data */
	SYM_UNVERIFIED, /* opened, but nothing proves that it is the file that was mapped */
	/* not used: no build-id was recorded, and the host, the machine type or the time of the
	 * file speaks against the file */
	SYM_REFUSED,
};

struct sym_build_id {
	uint8_t size; /* 0 means unknown */
	uint8_t bytes[20];
};

/* Was the recording made on this host? */
enum sym_host { SYM_HOST_SAME, SYM_HOST_UNKNOWN, SYM_HOST_OTHER };

/*
 * The host and time of a recording. They decide whether a file without a recorded build-id is the
 * one that was mapped. It is accepted if host and kernel are the same and the file has not changed
 * since the recording started. It is refused if the machine type differs or, without `trusted`, if
 * the host differs or the file changed after the recording. Otherwise it is used as SYM_UNVERIFIED.
 */
struct sym_origin {
	enum sym_host host;       /* SYM_HOST_SAME means that the kernel is the same too */
	const char *why;          /* why `host` is SYM_HOST_UNKNOWN, as text */
	const char *arch;         /* the recorded host's `uname -m`; NULL means unknown */
	int64_t start_ns, end_ns; /* time of the recording, ns since the epoch; 0 means unknown */
	/* --trust-files: a file of the right machine type is never refused, but used as
	 * SYM_UNVERIFIED */
	bool trusted;
};

/* Decides whether a file is the one that was mapped. `machine` is its EM_* constant; written_ns and
 * changed_ns are when its bytes and its inode last changed. Returns SYM_OK with *doubt NULL, or
 * SYM_UNVERIFIED or SYM_REFUSED with the reason in *doubt, as text. */
enum sym_state sym_origin_check(const struct sym_origin *o, uint16_t machine, int64_t written_ns,
				int64_t changed_ns, const char **doubt);

struct sym_options {
	const char *debug_dirs; /* folders separated by colons; NULL means /usr/lib/debug */
	/* folder below which files are looked for first, such as a copy of the recorded machine's
	 * root; NULL or "" means none */
	const char *root;
	bool no_lines; /* reads symbols and no DWARF */
	/* query the servers in DEBUGINFOD_URLS for debug files, which may take minutes */
	bool debuginfod;
	/* borrowed; NULL means that a file without a recorded build-id is accepted unchecked */
	const struct sym_origin *origin;
};

/* A symbol that covers an offset. The file owns the strings. */
struct sym_symbol {
	const char *name; /* name in the symbol table */
	/* demangled name; the same pointer as `name` if `name` is not mangled */
	const char *pretty;
	/* start is a file offset. size 0 means that the symbol table gives no size: the symbol ends
	 * where the next one begins */
	uint64_t start, size;
	uint64_t vaddr; /* address, as objdump and nm show it */
};

/*
 * Opens the ELF file at `path`. If `want` is a known build-id, the file must have it. If `want` is
 * NULL or unknown, o->origin decides whether the file can be the right one. Separate debug files
 * are found by build-id and .gnu_debuglink in the debug directories and next to the file and, if
 * o->debuginfod is set, on servers. A missing or wrong file is not an error: *out is then empty,
 * and sym_file_state() says why. The path "[vdso]" stands for this machine's vdso. The caller
 * closes *out. Returns 0, or MD_ENOMEM with *out NULL.
 */
int sym_file_open(const char *path, const struct sym_build_id *want, const struct sym_options *o,
		  struct sym_file **out, struct md_err *err);

/* A symbol of the recorded kernel with its address. It shows where the kernel was loaded, which
 * differs from boot to boot. */
struct sym_kernel {
	const char *symbol; /* NULL means unknown */
	uint64_t address;
};

/*
 * Opens the symbols of a kernel and its modules in a copy of /proc/kallsyms. For this file, an
 * "offset" is an address. `at` is a symbol with its address during the recording, or NULL. Returns
 * 0, MD_EIO, MD_ENOMEM, or MD_EFORMAT if there are no symbols (kptr_restrict makes all addresses 0)
 * or if the kernel was loaded at another address.
 */
int sym_kallsyms_open(const char *path, const struct sym_kernel *at, struct sym_file **out,
		      struct md_err *err);

/* Returns the build-id of the kernel that runs now; its size is 0 if the kernel has none. */
struct sym_build_id sym_kernel_build_id(void);

/* Opens the symbols of code generated at run time, in a process's perf-PID.map. For this file, an
 * "offset" is an address. If several symbols start at one address, the one on the last line counts.
 * Returns 0, MD_EIO or MD_ENOMEM. */
int sym_perfmap_open(const char *path, struct sym_file **out, struct md_err *err);

/* Makes a file that has one symbol, at offset 0 with `size` bytes. Returns 0 or MD_ENOMEM. */
int sym_single_open(const char *name, uint64_t size, struct sym_file **out, struct md_err *err);

/* Can the file at `path` be trusted? It must be a regular file with a single link, must not be a
 * symbolic link, must belong to this user or to root, and must not have been created after `by`
 * (seconds since the epoch; not checked if the file system does not store creation times).
 * Otherwise another user or a later process may have made it. */
bool sym_perfmap_is_ours(const char *path, int64_t by);

void sym_file_close(struct sym_file *f); /* f may be NULL */

enum sym_state sym_file_state(const struct sym_file *f);
/* Returns why the state is SYM_UNVERIFIED or SYM_REFUSED, as text; NULL for any other state. */
const char *sym_file_doubt(const struct sym_file *f);
bool sym_file_has_lines(struct sym_file *f); /* returns true if the file has DWARF units */
struct sym_build_id sym_file_build_id(const struct sym_file *f);
int64_t sym_file_mtime(const struct sym_file *f); /* seconds since the epoch; 0 means unknown */

/* Returns the symbol that covers the offset (a function, or an object in data), or NULL. The
 * same symbol always has the same pointer. */
const struct sym_symbol *sym_symbol_at(struct sym_file *f, uint64_t offset);

/*
 * Returns the code of the function that covers the offset, and its length in *len. If a symbol or
 * an .eh_frame entry shows the bounds of the function, and these are at most 4 MiB apart, the code
 * begins with the function and *from_start is true. Otherwise the code begins at the offset. *at is
 * the position of the offset in the code. *key identifies the start of the returned code within the
 * file and is never 0. The code is borrowed from the file. Returns NULL if the file has no code
 * there.
 */
const uint8_t *sym_code_at(struct sym_file *f, uint64_t offset, size_t *len, size_t *at,
			   bool *from_start, uint64_t *key);

/* Returns the function with this name in the symbol table, or NULL. */
const struct sym_symbol *sym_function_named(struct sym_file *f, const char *name);

/*
 * Finds the places in the code of its own file that refer to the function of `len` bytes at the
 * offset. Stores their number in *n and returns them. If the function may be reached in another way
 * (a pointer in data, another file), if there are more than SYM_MAX_USES places, if the file is not
 * for x86-64, or if earlier calls of this function have read 128 MiB of the file, stores 0.
 */
enum { SYM_MAX_USES = 64 };
struct sym_use {
	uint64_t offset; /* of the last byte of the call, the jump, or the load of the address */
	enum sym_use_kind { SYM_USE_CALL, SYM_USE_JUMP, SYM_USE_ADDRESS } kind;
};
const struct sym_use *sym_uses(struct sym_file *f, uint64_t offset, size_t len, size_t *n);

/* A source frame at an offset. The file owns the strings. */
struct sym_line {
	const char *function; /* demangled name; NULL means unknown */
	const char *file;     /* path, made absolute if possible; NULL means unknown */
	uint32_t line;        /* 0 means unknown */
	uint32_t column;
};

enum { SYM_MAX_INLINE = 64 };

/* Writes the source frames at an offset, innermost first. out[0] has the line of the instruction.
 * Each further frame is the caller into which the one before was inlined. Returns the number of
 * frames (≤ max); 0 if the debug information has neither a line nor a function there. */
unsigned sym_lines_at(struct sym_file *f, uint64_t offset, struct sym_line *out, unsigned max);

/* Announces offsets for sym_lines_at(), in any number and order; some may be repeated. The answers
 * stay the same, but are computed in batches while the caller does other work. The lookup of an
 * offset that was not announced takes about 10 µs more. */
void sym_lines_prepare(struct sym_file *f, const uint64_t *offsets, size_t n);

/*
 * Returns a text that names the file and says why debug information could not be read; NULL if it
 * could be read. Another process reads debug information at the first request for lines or
 * variables. If a file breaks that process, only this file loses its lines, and what was read
 * before is kept. The file owns the text.
 */
const char *sym_file_problem(const struct sym_file *f);

/* Identifies a variable's description in the debug information, for sym_type(). */
struct sym_entry {
	uint32_t unit; /* number of the unit, from 1; 0 means that there is no entry */
	uint64_t offset;
};

/* A static variable. */
struct sym_variable {
	const char *name;     /* demangled name */
	uint64_t vaddr, size; /* vaddr; size in bytes, never 0 */
	const char *file;     /* file of its declaration; NULL means unknown */
	uint32_t line;
	bool is_tls; /* vaddr is an offset in the TLS block */
	struct sym_entry entry;
};

/*
 * Returns all static variables of the file, sorted by vaddr, including thread-local ones (is_tls).
 * They come from OBJECT symbols and from DWARF. DWARF adds file and line and, in a file without
 * symbols, the names. If an address has several names, the best one is kept. A variable inside
 * another one is left out, unless its source file is known and that of the other one is not.
 * Returns NULL with *n 0 if there are none. The file owns the array.
 */
const struct sym_variable *sym_variables(struct sym_file *f, size_t *n);

/* A section of the file that is in memory when the program runs. */
struct sym_section {
	const char *name;     /* such as ".rodata", never "" */
	uint64_t vaddr, size; /* size in bytes, never 0 */
};

/* Returns the section that contains vaddr, or NULL. The same section always has the same pointer.
 * The file owns it. */
const struct sym_section *sym_section_at(struct sym_file *f, uint64_t vaddr);

/* A place of a local variable or parameter: in memory, relative to the frame of its function, or,
 * for a pointer, in a register. A variable with several places has a record for each. */
struct sym_local {
	const char *name;  /* name, as "function::variable" */
	const char *file;  /* file of its declaration; NULL means unknown */
	uint32_t line;     /* 0 means unknown */
	uint32_t variable; /* differs for each variable of a function */
	uint8_t base;      /* SYM_LOCAL_CFA, or DWARF's number of a register */
	int64_t offset;    /* the variable begins at the CFA or register plus this */
	uint64_t size;     /* size in bytes, never 0 */
	uint64_t lo, hi;   /* the place is valid for the code [lo, hi), in vaddrs */
	/* the variable is a pointer or a reference, and the register `base` contains its value; or
	 * `array` is set. Then size is the size of one element to which the variable points, and
	 * offset is 0 unless in_slot is set */
	bool points;
	/* the variable is an array whose length is known only at run time. Its address is in the
	 * register `base` or, with in_slot, in the word at `base` + offset */
	bool array, in_slot;
	/* the function is a parallel region, and the variable belongs to the function around it,
	 * which passes its address in a block: the address is the word at `offset` of that block.
	 * `base` is not set */
	bool passed;
	struct sym_entry entry;
};

enum { SYM_LOCAL_CFA = 255 };

/*
 * Returns the variables of the function at vaddr, and of the functions inlined into it, that are in
 * memory. The file owns the array and its strings. *n is 0 if no variables are known. The first
 * call for a vaddr queries the process that reads debug information and takes some 10 µs. Each
 * later call takes 20 ns.
 */
const struct sym_local *sym_locals(struct sym_file *f, uint64_t vaddr, size_t *n);

/* Like sym_locals(), for the pointers in registers and for arrays of variable length (`points` is
 * true). */
const struct sym_local *sym_pointers(struct sym_file *f, uint64_t vaddr, size_t *n);

/* Like sym_locals(), for the variables that the function around a parallel region passes to it
 * (`passed` is true). */
const struct sym_local *sym_passed(struct sym_file *f, uint64_t vaddr, size_t *n);

/* Gets the start of the .eh_frame entry that covers vaddr. An entry covers a function, or a part of
 * a function that the compiler moved elsewhere. Returns false if there is no such entry. */
bool sym_function_start(struct sym_file *f, uint64_t vaddr, uint64_t *start);

/* A word of a frame that is not a variable. */
struct sym_saved {
	int64_t offset;   /* the word begins at the CFA plus this */
	const char *name; /* what it contains: "return address", "saved rbx"; a constant */
};

enum { SYM_MAX_SAVED = 33 };

/* The registers and the return address that a function saves in its frame. */
struct sym_frame {
	/* the largest distance from the stack pointer to the CFA, bytes; 0 means unknown, as in a
	 * function with a frame pointer */
	uint64_t bytes;
	unsigned nsaved;
	struct sym_saved saved[SYM_MAX_SAVED]; /* in no order */
};

/* Gets what the function at vaddr saves in its frame. Returns false if its unwind rules show no
 * saved register. The first call for a function takes some 10 us, each later one 0.5 us. */
bool sym_frame(struct sym_file *f, uint64_t vaddr, struct sym_frame *out);

/* How the CFA (the stack pointer before the call) of a function is computed at one of its
 * instructions: the stack pointer or the frame pointer, plus a number of bytes. */
struct sym_cfa {
	enum { SYM_CFA_OTHER, SYM_CFA_SP, SYM_CFA_FP } by;
	uint64_t bytes; /* at most INT32_MAX */
};

/* Returns this rule for the instruction that contains vaddr; SYM_CFA_OTHER if there is no rule, or
 * one of another form. */
struct sym_cfa sym_cfa_at(struct sym_file *f, uint64_t vaddr);

/* Gets the vaddr of a file offset. Returns false if no segment contains it. .bss has no file
 * offset, so its variables need sym_load_bias(). */
bool sym_vaddr_at(struct sym_file *f, uint64_t offset, uint64_t *vaddr);

/* A mapping of a file: the bytes [start, start + bytes) of memory are those of the file from
 * `pgoff` on. start and pgoff are multiples of the page size. */
struct sym_mapped {
	uint64_t start, bytes, pgoff;
	bool exec;
};

/*
 * Gets the load bias: the address of a byte in memory is its vaddr + *bias. It is computed from a
 * mapping of the file. A mapping begins with the first page of a segment. That page may also
 * contain the end of another segment, so the bias is not start - sym_vaddr_at(pgoff). An executable
 * mapping is better, because several data segments may begin in one page of the file. A mapping may
 * contain several segments: an emulator maps code without the right to execute it, and the kernel
 * merges such mappings. Returns false if the mapping contains no segment with its right to execute.
 */
bool sym_load_bias(struct sym_file *f, const struct sym_mapped *m, uint64_t *bias);

/* Gets the place of the block in which each thread has the program's own thread-local variables:
 * *at is the distance from the thread pointer to the block, *bytes its size, both in bytes. The
 * blocks of libraries are elsewhere. Returns false if the file has no thread-local variables, or if
 * it is for an unknown machine. */
bool sym_program_tls(struct sym_file *f, int64_t *at, uint64_t *bytes);

/* Gets the range of the image in memory: the lowest vaddr of all PT_LOAD segments, and one past the
 * highest. Returns false if there are no such segments. */
bool sym_load_range(struct sym_file *f, uint64_t *lo, uint64_t *hi);

/* Does an executable PT_LOAD segment have bytes at the vaddrs [lo, hi)? */
bool sym_has_code(struct sym_file *f, uint64_t lo, uint64_t hi);

#endif
