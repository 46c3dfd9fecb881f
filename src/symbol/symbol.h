/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code and data of one file (DSO): file offset -> symbol, source line, inlined callers, bytes of
 * the function; and its static variables. Files are untrusted: what does not make sense has no
 * answer, it is never guessed.
 *
 * "Offset" is always a file offset, as mapping records give it: ip - map.start + map.pgoff.
 */
#ifndef MEMDB_SYMBOL_SYMBOL_H
#define MEMDB_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct sym_file;

/* How much is known of a file. */
enum sym_state {
	SYM_OK,         /* opened; symbols and perhaps lines */
	SYM_MISSING,    /* no file there, or it may not be read */
	SYM_REPLACED,   /* its build-id is not that of the recording: not used */
	SYM_NOT_ELF,    /* a mapped file that holds no code: data, a device, JIT code */
	SYM_UNVERIFIED, /* opened, but nothing proves that it is the file that was mapped */
	SYM_REFUSED,    /* likewise, and something speaks against it: not used */
};

struct sym_build_id {
	uint8_t size; /* 0: not known */
	uint8_t bytes[20];
};

/* Is the host of the recording this one? */
enum sym_host { SYM_HOST_SAME, SYM_HOST_UNKNOWN, SYM_HOST_OTHER };

/*
 * Where and when a recording was made: what tells whether a file without a recorded build-id is the
 * one that was mapped. It is, on the same host with the same kernel, when it has not changed since
 * the recording began; it is not, on another host, for another type of machine, or when it was
 * changed after the recording.
 */
struct sym_origin {
	enum sym_host host;       /* SYM_HOST_SAME: the kernel is the same too */
	const char *why;          /* of SYM_HOST_UNKNOWN: a sentence */
	const char *arch;         /* as `uname -m` there; NULL unknown */
	int64_t start_ns, end_ns; /* of the recording, ns since the epoch; 0 unknown */
	bool trusted;             /* the user says that files of the right machine are right */
};

/* Is a file of EM_* `machine` the one that was mapped, whose bytes were last written, and whose
 * inode was last changed, at these times? SYM_OK, or one of the last two states with a sentence in
 * *doubt. */
enum sym_state sym_origin_check(const struct sym_origin *o, uint16_t machine, int64_t written_ns,
				int64_t changed_ns, const char **doubt);

/* Can a machine of that name (`uname -m`) run programs of EM_* `machine`? True where either is not
 * known here. */
bool sym_is_machine_of(const char *arch, uint16_t machine);

struct sym_options {
	const char *debug_dirs; /* colon-separated; NULL: /usr/lib/debug */
	const char *root; /* folder below which files are looked for first, as in the root of the
			     machine that was recorded; NULL or "": none */
	bool no_lines;    /* symbols only */
	bool debuginfod;  /* ask the servers in DEBUGINFOD_URLS for debug files: may take minutes */
	const struct sym_origin *origin; /* borrowed; NULL: files are taken as they are */
};

/* A symbol that covers an offset. Strings are owned by the file. */
struct sym_symbol {
	const char *name;     /* as in the file */
	const char *pretty;   /* demangled; the same pointer as name where it is not mangled */
	uint64_t start, size; /* file offsets; size 0 where the table has none (then it reaches to
				 the next) */
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

/* A place in the kernel that was recorded: each start of a kernel may move it. */
struct sym_kernel {
	const char *symbol; /* NULL: none is known */
	uint64_t address;
};

/* A kernel with its modules from the text of /proc/kallsyms: "offset" is the address itself. `at`
 * is where the recorded one was, or NULL. MD_EIO, MD_EFORMAT where it holds no symbols (all
 * addresses are zero: kptr_restrict) or those of a kernel at another place, MD_ENOMEM. */
int sym_kallsyms_open(const char *path, const struct sym_kernel *at, struct sym_file **out,
		      struct md_err *err);

/* The build-id of the kernel that runs here; size 0 where it tells none. */
struct sym_build_id sym_kernel_build_id(void);

/* Code that a process made at run time, from the text of its perf-PID.map: "offset" is the address
 * itself. Of several names for one address the last holds. MD_EIO, MD_ENOMEM. */
int sym_perfmap_open(const char *path, struct sym_file **out, struct md_err *err);

/* One symbol from offset 0 on, all that is known of some code. MD_ENOMEM. */
int sym_single_open(const char *name, uint64_t size, struct sym_file **out, struct md_err *err);

/* Is the file at path one that this user or root made, no link, and was it made by the time `by`
 * (seconds since the epoch; as far as the file system knows)? Else it may be somebody else's, or
 * that of a later process. */
bool sym_perfmap_is_ours(const char *path, int64_t by);

void sym_file_close(struct sym_file *f); /* NULL is fine */

enum sym_state sym_file_state(const struct sym_file *f);
/* Of SYM_UNVERIFIED and SYM_REFUSED: why, in a sentence; else NULL. */
const char *sym_file_doubt(const struct sym_file *f);
bool sym_file_has_lines(struct sym_file *f); /* DWARF line tables were found */
struct sym_build_id sym_file_build_id(const struct sym_file *f);
int64_t sym_file_mtime(const struct sym_file *f); /* seconds since the epoch; 0 unknown */

/* The function (or, for data, object) symbol that covers offset; NULL where none does. Pointers are
 * stable: equal symbols have equal pointers. */
const struct sym_symbol *sym_symbol_at(struct sym_file *f, uint64_t offset);

/* The bytes of the function that covers offset: from its start (*from_start) where its symbol, or
 * else its .eh_frame entry, is known; else from offset on. NULL where the file has no code there.
 * *at is offset's place in the bytes. Borrowed. *key is unique to the function within the file and
 * not 0. */
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
 * The source frames at offset, innermost first: out[0] is where the instruction is, each further
 * one the caller into which it was inlined. Returns how many were written (≤ max), 0 where no line
 * is known.
 */
unsigned sym_lines_at(struct sym_file *f, uint64_t offset, struct sym_line *out, unsigned max);

/*
 * Says which offsets sym_lines_at() will be asked about (any number, in any order, some twice). The
 * answers are the same; but they are worked out in batches, and while the caller does other things,
 * where a question that was not announced costs some 10 µs more.
 */
void sym_lines_prepare(struct sym_file *f, const uint64_t *offsets, size_t n);

/* What of the file's debug information could not be read, and why: a sentence that names the file,
 * or NULL. It is read at the first question for lines or variables, in another process, so that
 * what it does to the reader costs this file's lines only; what was read until then stays. Owned by
 * the file. */
const char *sym_file_problem(const struct sym_file *f);

/* A static variable. */
struct sym_variable {
	const char *name;     /* demangled */
	uint64_t vaddr, size; /* address as in the file; size in bytes, never 0 */
	const char *file;     /* where it is declared; NULL unknown */
	uint32_t line;
	bool is_tls; /* vaddr is an offset into the TLS block */
};

/* All static variables of the file, sorted by vaddr (thread-local ones, whose vaddr means something
 * else, among them), from OBJECT symbols and DWARF (which adds file and line, and, in a file
 * without symbols, the names). Of several names for one address the best is kept, and no parts of
 * variables. *n is 0 and NULL is returned where there are none. Owned by the file. */
const struct sym_variable *sym_variables(struct sym_file *f, size_t *n);

/* The address in the file of a file offset; false where no segment holds it. .bss has no file
 * offset: look its variables up by sym_load_bias(). */
bool sym_vaddr_at(struct sym_file *f, uint64_t offset, uint64_t *vaddr);

/*
 * What the loader added to every vaddr of the file: *bias such that address = vaddr + *bias, from
 * one of its mappings (start and pgoff as the mapping record has them, both multiples of the page
 * size; exec: it is executable). A mapping begins with its segment's page, which may begin with the
 * end of another segment: so this is not start - sym_vaddr_at(pgoff). An executable mapping is the
 * one to ask with: several data segments can begin in one page of the file. False where no segment
 * fits.
 */
bool sym_load_bias(struct sym_file *f, uint64_t start, uint64_t pgoff, bool exec, uint64_t *bias);

/* The addresses of the image in memory: lowest and one past the highest vaddr of all PT_LOAD
 * segments; false if none. */
bool sym_load_range(struct sym_file *f, uint64_t *lo, uint64_t *hi);

#endif
