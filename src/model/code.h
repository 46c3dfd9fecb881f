/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holds the code of the recorded machine: the mapped files (DSOs), the code addresses seen in them
 * (locations), the symbols that cover these, and the tree of call paths over locations. Each is an
 * array whose element i has id i + 1. The database uses the same ids.
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
	DSO_KERNEL, /* the kernel and modules without a mapping; offsets are addresses */
	DSO_VDSO,
	DSO_ANONYMOUS, /* memory without a file: "//anon", "[heap]", "[stack]" */
	DSO_MODULE,    /* a kernel module; offsets are addresses */
	DSO_JIT,       /* "/tmp/perf-PID.map": code generated at run time; offsets are addresses */
	DSO_KSYMBOL,   /* one function that the kernel generated at run time (BPF, ftrace), with its
			  name */
};

struct dso {
	const char *path;       /* as the recording names it */
	const char *short_name; /* last component of path */
	enum dso_kind kind;
	bool is_heap, is_anonymous;   /* path is "[heap]"; path begins with "//anon" */
	bool is_tracker;              /* the file is libmemdb-track.so */
	struct sym_build_id build_id; /* as recorded; size 0 means unknown */
	struct sym_file *file;        /* opened on first use; NULL before */
	/* why the file may differ from the one that ran; NULL means proven to be the same */
	const char *doubt;
	bool has_range;  /* lo and hi are valid */
	uint64_t lo, hi; /* address range of the image, as numbered in the file */
	/* object ids, by index into sym_variables(); NULL until a variable is hit */
	uint64_t *variables_to_object;
	uint32_t data_object; /* object for the file's data that no variable covers */
};

struct location {
	uint32_t dso;    /* id */
	uint32_t symbol; /* id, 0 means none */
	/* offset in the file; an address for DSO_KERNEL, DSO_MODULE, DSO_JIT and for addresses
	 * without a mapping (dso 0) */
	uint64_t offset;
	uint32_t recipe, own_recipe; /* position + 1 in recipes; 0 means not computed yet */
};

struct symbol {
	uint32_t dso;
	const struct sym_symbol *sym;
};

enum call_kind { CALL_ROOT, CALL_TRUNCATED, CALL_USER, CALL_KERNEL, CALL_GUEST };

/* A node of the tree: `location` called from `parent`. For a caller, the location is the last byte
 * of the call instruction and not the return address, so that function and line are those of the
 * call. */
struct call_path {
	uint32_t parent, location;
	uint32_t depth;
	uint32_t folded; /* the result of code_fold(); 0 means not computed yet */
	enum call_kind kind;
};

/* The first two nodes. A complete path starts at CALL_PATH_ROOT, a path whose outer part is unknown
 * at CALL_PATH_TRUNCATED. */
enum { CALL_PATH_ROOT = 1, CALL_PATH_TRUNCATED = 2 };

struct code {
	struct strings names;
	struct sym_options sym_options;
	struct code_stand_in {
		const char *path;  /* NULL means none */
		const char *doubt; /* why the file may not belong to the recorded kernel */
	} kallsyms, vdso; /* files that are read in place of [kernel.kallsyms] and [vdso] */
	struct sym_kernel kernel_at; /* where the kernel was loaded, from its mapping record */
	/* why the kernel has no symbols; NULL means it has some, or they were not needed yet */
	const char *kernel_problem;
	const char *jit; /* the folder with perf-PID.map files; NULL means none */
	int64_t jit_by;  /* seconds since the epoch, if anybody can write to the folder: then only
			    maps are read that are ours and not newer than this; 0 means the folder
			    is  ours */
	struct decoder *decoder; /* NULL means the architecture is not supported */
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
	uint32_t full_paths;  /* at this number of call paths and above, new paths are shortened */
	uint64_t short_paths; /* number of paths that lost their callers by this limit */
	struct {
		struct dec_recipe *at;
		uint32_t n, cap;
	} recipes;
	struct {
		uint32_t *at; /* the cycle-free path that code_fold() builds */
		uint32_t n, cap;
	} fold;
	struct index dso_index, location_index, symbol_index, call_path_index;
	uint32_t kernel_dso;
	uint64_t symbol_ns; /* time spent opening files and looking up symbols */
	bool nomem;         /* an allocation failed; the affected lookups returned id 0 */
};

/* Makes *c hold only the two roots of call paths. Returns 0 or MD_ENOMEM. The strings in the
 * options are borrowed. */
int code_init(struct code *c, const struct sym_options *o, struct md_err *err);
void code_release(struct code *c);

/* Finds or adds the DSO with this path. build_id may be NULL. Returns its id, 0 when out of memory.
 */
uint32_t code_dso(struct code *c, const char *path, const struct sym_build_id *build_id);
uint32_t code_kernel(struct code *c);

/* Sets the kernel's load address, from the mapping record "[kernel.kallsyms]_text". */
void code_kernel_at(struct code *c, uint32_t dso, uint64_t address);

/* Finds or adds the DSO of a function that the kernel generated at run time. Returns 0 if another
 * DSO has the name, or when out of memory. */
uint32_t code_ksymbol(struct code *c, const char *name, uint32_t size);

/* Finds or adds the DSO of the run-time generated code that process pid described in a perf map.
 * Returns 0 if there is no map that can be trusted, or when out of memory. */
uint32_t code_jit(struct code *c, uint32_t pid);

/* Returns the file of a DSO, and opens the file if necessary. NULL when out of memory. */
struct sym_file *code_file(struct code *c, uint32_t dso);

/* Finds or adds the location at an offset of a DSO, and finds its symbol. dso 0 means the address
 * has no mapping. Returns 0 when out of memory. */
uint32_t code_location(struct code *c, uint32_t dso, uint64_t offset);

/* Returns the demangled name of the symbol, NULL for symbol 0. */
const char *code_symbol_name(const struct code *c, uint32_t symbol);

/* The bytes of the function that contains a location. If the function's start is unknown, the bytes
 * begin at the location. */
struct code_bytes {
	const uint8_t *code; /* valid as long as struct code */
	size_t len, at;      /* bytes; code[at] is the location */
	bool from_start;     /* code begins at the start of a function */
	uint64_t key;        /* identifies the function */
};
/* Gets the bytes at a location. False if they are not available: the file is missing or was
 * replaced, or the code was generated at run time. */
bool code_bytes(struct code *c, uint32_t location, struct code_bytes *out);

/* Returns the recipe that computes the data address at a location. NULL only when out of memory. */
const struct dec_recipe *code_recipe(struct code *c, uint32_t location);

/* As code_recipe(), but ignores the instructions before the location. */
const struct dec_recipe *code_instruction(struct code *c, uint32_t location);

/*
 * Finds or adds the node for `location` called from `parent`. A program may have any number of
 * different paths, so this function bounds the memory: once code.full_paths exist, a new path of
 * more than SHORT_PATH frames loses its callers. Its node becomes a child of CALL_PATH_TRUNCATED.
 * Returns the node's id. Returns CALL_PATH_TRUNCATED if no more paths can be stored, 0 when out of
 * memory.
 */
enum { FULL_PATHS = 4 << 20, SHORT_PATH = 8 };
uint32_t code_call_path(struct code *c, uint32_t parent, uint32_t location, enum call_kind kind);

/*
 * Folds the recursion in a path: removes the frames between two calls of the same function, whether
 * the recursion is direct or goes through other functions. Each function keeps its first caller and
 * its last callee. Cycles of more than FOLD_FRAMES functions are kept. Returns the folded path, 0
 * when out of memory.
 */
enum { FOLD_FRAMES = 256 };
uint32_t code_fold(struct code *c, uint32_t path);

/* Does a thread begin in this function (_start, main's caller in libc, the start function of a
 * thread library)? */
bool code_is_thread_start(const char *symbol);

#endif
