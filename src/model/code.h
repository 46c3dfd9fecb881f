/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code: which files were mapped (DSOs), which code addresses in them were met (locations), which
 * symbols cover these, and the tree of call paths over them. Each is an array whose element i has
 * id i + 1; ids are those of the database.
 */
#ifndef MEMDB_MODEL_CODE_H
#define MEMDB_MODEL_CODE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/index.h"
#include "decode/decode.h"
#include "symbol/symbol.h"

enum dso_kind {
	DSO_FILE,   /* an ELF file, or a file that was mapped as data */
	DSO_KERNEL, /* the kernel, and modules that no mapping names: offsets are addresses */
	DSO_VDSO,
	DSO_ANONYMOUS, /* memory without a file: "//anon", "[heap]", "[stack]" */
	DSO_MODULE,    /* of the kernel; offsets are addresses */
	DSO_JIT,       /* "/tmp/perf-PID.map": code made at run time; offsets are addresses */
	DSO_KSYMBOL,   /* code that the kernel made at run time: of one symbol, its name */
};

struct dso {
	const char *path;       /* as the recording names it */
	const char *short_name; /* its last component */
	enum dso_kind kind;
	bool is_heap, is_anonymous;    /* "[heap]"; "//anon" */
	bool is_tracker;               /* libmemdb-track.so */
	struct sym_build_id build_id;  /* of the recording; size 0 unknown */
	struct sym_file *file;         /* opened at the first question; NULL before */
	const char *doubt;             /* why nothing proves that file is what ran; NULL: proven */
	bool has_range;                /* lo and hi are known */
	uint64_t lo, hi;               /* addresses of the image, as in the file */
	uint64_t *variables_to_object; /* by index of sym_variables(): an object's id; NULL until
					  one is met */
	uint32_t data_object;          /* object of the rest of its data */
};

struct location {
	uint32_t dso;    /* id */
	uint32_t symbol; /* id, 0 none */
	uint64_t offset; /* in the file; an address in DSO_KERNEL, DSO_MODULE, DSO_JIT and where no
			    mapping is known (dso 0) */
	uint32_t recipe, own_recipe; /* position + 1 in recipes, 0: not asked for yet */
};

struct symbol {
	uint32_t dso;
	const struct sym_symbol *sym;
};

enum call_kind { CALL_ROOT, CALL_TRUNCATED, CALL_USER, CALL_KERNEL, CALL_GUEST };

/* A node of the tree: `location` called from `parent`. Where the frame is a caller, its location is
 * that of the last byte of the call, not of the return address, so that function and line are those
 * of the call. */
struct call_path {
	uint32_t parent, location;
	uint32_t depth;
	uint32_t folded; /* what code_fold() says, 0 not asked yet */
	enum call_kind kind;
};

/* The two first nodes: all whole paths start at CALL_PATH_ROOT, those whose outer part is unknown
 * at CALL_PATH_TRUNCATED. */
enum { CALL_PATH_ROOT = 1, CALL_PATH_TRUNCATED = 2 };

struct code {
	struct strings names;
	struct sym_options sym_options;
	struct code_stand_in {
		const char *path;    /* NULL none */
		const char *doubt;   /* why nothing proves that it is of the recorded kernel */
	} kallsyms, vdso;            /* files that stand for [kernel.kallsyms] and [vdso] */
	struct sym_kernel kernel_at; /* where the kernel was, as its mapping tells */
	const char *kernel_problem;  /* why it has no symbols; NULL: it has, or was not asked */
	const char *jit;             /* the folder with perf-PID.map of processes; NULL none */
	int64_t jit_by; /* anybody can write there: a map must be ours, and have been there by
			   then (seconds since the epoch); 0: the folder is ours */
	struct decoder *decoder; /* NULL: of an architecture we do not decode */
	struct {
		struct dso *at;
		uint32_t n, cap;
	} dsos;
	struct {
		struct location *at;
		uint32_t n, cap;
	} locations;
	struct {
		struct symbol *at;
		uint32_t n, cap;
	} symbols;
	struct {
		struct call_path *at;
		uint32_t n, cap;
	} call_paths;
	uint32_t full_paths;  /* from so many call paths on, new ones are shortened */
	uint64_t short_paths; /* times that one lost its callers */
	struct {
		struct dec_recipe *at;
		uint32_t n, cap;
	} recipes;
	struct {
		uint32_t *at; /* the paths that code_fold() is at */
		uint32_t n, cap;
	} fold;
	struct index dso_index, location_index, symbol_index, call_path_index;
	uint32_t kernel_dso;
	uint64_t symbol_ns; /* spent on opening files and finding symbols */
	bool nomem;         /* an allocation failed: what was asked then has id 0 */
};

/* MD_ENOMEM. The options' strings are borrowed. */
int code_init(struct code *c, const struct sym_options *o, struct md_err *err);
void code_release(struct code *c);

/* The DSO mapped under this path; build_id may be NULL. 0 when out of memory. */
uint32_t code_dso(struct code *c, const char *path, const struct sym_build_id *build_id);
uint32_t code_kernel(struct code *c);

/* The kernel's mapping, "[kernel.kallsyms]_text", tells where this symbol was. */
void code_kernel_at(struct code *c, uint32_t dso, uint64_t address);

/* Code of that name and size that the kernel made at run time; 0 where the name is another DSO's.
 */
uint32_t code_ksymbol(struct code *c, const char *name, uint32_t size);

/* The names of code that the process of this pid made at run time; 0 where it told none. */
uint32_t code_jit(struct code *c, uint32_t pid);

/* The file of a DSO, opened if need be; NULL when out of memory. */
struct sym_file *code_file(struct code *c, uint32_t dso);

/* The location at an offset of a DSO, with its symbol. dso 0: an address without a mapping. */
uint32_t code_location(struct code *c, uint32_t dso, uint64_t offset);

/* The symbol's name as people know it, or NULL. */
const char *code_symbol_name(const struct code *c, uint32_t symbol);

/* The bytes of the function that a location is in, or from the location on where that is not known.
 */
struct code_bytes {
	const uint8_t *code; /* as long as the code */
	size_t len, at;      /* bytes; the location is at code[at] */
	bool from_start;     /* code is that of a function */
	uint64_t key;        /* of it */
};
/* False where there are none: file missing, replaced, code made at run time. */
bool code_bytes(struct code *c, uint32_t location, struct code_bytes *out);

/* How to compute the data address at a location; never NULL but when out of memory. */
const struct dec_recipe *code_recipe(struct code *c, uint32_t location);

/* Likewise, of the instructions at the location and behind it alone, whatever ran before. */
const struct dec_recipe *code_instruction(struct code *c, uint32_t location);

/*
 * The node for `location` called from `parent`. A program may have any number of different paths.
 * Beyond code.full_paths a new one of more than SHORT_PATH frames loses its callers: what is called
 * from `location` then begins at CALL_PATH_TRUNCATED, so that the innermost frames stay.
 */
enum { FULL_PATHS = 4 << 20, SHORT_PATH = 8 };
uint32_t code_call_path(struct code *c, uint32_t parent, uint32_t location, enum call_kind kind);

/*
 * The path without what lies between two calls of one function: recursion of any depth, direct or
 * by way of others, is one path, in which each function is called by who called it first and calls
 * what it called last. Cycles of more than FOLD_FRAMES functions are kept. 0 when out of memory.
 */
enum { FOLD_FRAMES = 256 };
uint32_t code_fold(struct code *c, uint32_t path);

/* Is this the name of a function in which a thread begins: _start, main's caller, the thread's
 * start? */
bool code_is_thread_start(const char *symbol);

#endif
