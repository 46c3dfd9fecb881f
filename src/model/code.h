/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holds the code of the recorded machine: the mapped files (DSOs), the code addresses seen in them
 * (locations), the symbols at these locations, and the tree of call paths. Each of these is an
 * array; element i has the id i + 1. The database uses the same ids.
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
	DSO_KERNEL, /* the kernel, and kernel modules without a mapping; offsets are addresses */
	DSO_VDSO,
	DSO_ANONYMOUS, /* memory without a file: "//anon", "[heap]", "[stack]" */
	DSO_MODULE,    /* a kernel module; offsets are addresses */
	/* a file /tmp/perf-PID.map that describes code generated at run time; offsets are
	 * addresses */
	DSO_JIT,
	DSO_KSYMBOL, /* one function that the kernel generated at run time (BPF, ftrace) */
};

struct dso {
	const char *path;       /* path in the recording */
	const char *short_name; /* the part of `path` after the last '/' */
	enum dso_kind kind;
	bool is_heap, is_anonymous; /* path is "[heap]", or begins with "//anon" */
	bool is_tracker;
	bool is_tracker_log;
	struct sym_build_id build_id; /* build-id in the recording; size 0 means unknown */
	/* the file's symbols; NULL until the file is opened, at its first use */
	struct sym_file *file;
	/* why the file may differ from the one that ran; NULL means that there is no doubt, or that
	 * no file was opened */
	const char *doubt;
	bool has_range;  /* whether lo and hi are known */
	uint64_t lo, hi; /* address range of the image, in the file's own addresses */
	/* indexed like the array of sym_variables(): id of each variable's object; 0 if the
	 * variable has no object yet. The array is NULL until a sample hits a variable */
	uint64_t *variables_to_object;
	uint32_t data_object; /* id of the object that represents all static data that belong to no
			       * variable and no section; 0 means none yet */
};

struct location {
	uint32_t dso;
	uint32_t symbol; /* 0 means none */
	/* offset in the file. For DSO_KERNEL, DSO_MODULE, DSO_JIT and for addresses without a
	 * mapping (dso 0), the address */
	uint64_t offset;
	/* position + 1 in code.recipes of the results of code_recipe() and code_instruction() for
	 * this location; 0 means not decoded yet */
	uint32_t recipe, own_recipe;
	uint8_t ends_call; /* a value of enum ends_call, the result of code_ends_call() */
};

struct symbol {
	uint32_t dso;
	const struct sym_symbol *sym;
	const char *region; /* result of code_region(); NULL means not looked up yet */
};

/* CALL_SKIPPED stands for one or more callers that are not known; it has no location. CALL_INFERRED
 * is not on the recorded stack, but the only function that can call the next frame. */
enum call_kind {
	CALL_ROOT,
	CALL_TRUNCATED,
	CALL_USER,
	CALL_KERNEL,
	CALL_GUEST,
	CALL_SKIPPED,
	CALL_INFERRED
};

/* A node of the tree of call paths: `location`, called from `parent`. The location of a caller is
 * the last byte of its call instruction, and not the return address, because the next instruction
 * may belong to another line. */
struct call_path {
	uint32_t parent, location; /* location 0: none */
	uint32_t depth;
	uint32_t folded; /* result of code_fold(); 0 means not computed yet */
	enum call_kind kind;
};

/* The first two nodes. A complete path begins at CALL_PATH_ROOT. A path whose outer part is unknown
 * begins at CALL_PATH_TRUNCATED. */
enum { CALL_PATH_ROOT = 1, CALL_PATH_TRUNCATED = 2 };

struct code {
	struct strings names;
	struct sym_options sym_options;
	struct code_stand_in {
		const char *path; /* file or folder on this machine; NULL means none */
		/* why `path` may not belong to the recording; NULL means that it does */
		const char *doubt;
	} kallsyms, vdso, /* files that memdb reads instead of [kernel.kallsyms] and [vdso] */
		jit;      /* the folder with the perf-PID.map files: copies, or /tmp */
	struct sym_kernel kernel_at; /* load address of the kernel, from the mapping record of
				      * "[kernel.kallsyms]_text" */
	/* why kernel functions have no names; NULL means that they have names, or that no name was
	 * looked up */
	const char *kernel_problem;
	/* which files in the folder `jit` are trusted. 0: all, because only this user can write
	 * there. Otherwise: those that belong to this user and are not newer than this time, in
	 * seconds since the epoch */
	int64_t jit_by;
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
	/* when call_paths.n reaches this number, further long paths are stored without their
	 * callers, see code_call_path() */
	uint32_t full_paths;
	uint64_t short_paths; /* number of calls of code_call_path() that left out the callers of a
			       * path */
	struct {
		struct dec_recipe *at;
		uint32_t n, cap;
	} recipes;
	struct {
		uint32_t *at; /* scratch array of code_fold(): the nodes of a path that it has to
			       * fold, from the leaf to the root */
		uint32_t n, cap;
	} fold;
	struct index dso_index, location_index, symbol_index, call_path_index;
	uint32_t kernel_dso;
	uint64_t symbol_ns; /* time that opening files and looking up symbols took */
	bool nomem;         /* whether memory ran out, so that a lookup returned id 0 */
};

/* Initializes *c and adds the two root nodes of call paths. The strings in *o are borrowed. Returns
 * 0 or MD_ENOMEM. */
int code_init(struct code *c, const struct sym_options *o, struct md_err *err);
void code_release(struct code *c);

/* Does the DSO have a name by which the program knows it: that of a file, or of memory that the
 * program named or that other processes can map (memfd, POSIX and System V shared memory, huge
 * pages)? */
bool dso_is_named(const struct dso *d);

/* Finds or adds the DSO with this path and build-id; build_id may be NULL (unknown). Returns its
 * id; 0 means out of memory. */
uint32_t code_dso(struct code *c, const char *path, const struct sym_build_id *build_id);
uint32_t code_kernel(struct code *c);

/* Sets the kernel's load address, if the path of the DSO is "[kernel.kallsyms]" and a symbol, as in
 * perf's mapping record "[kernel.kallsyms]_text". `address` is the address of that symbol. */
void code_kernel_at(struct code *c, uint32_t dso, uint64_t address);

/* Finds or adds the DSO of a function that the kernel generated at run time. Returns 0 if
 * another DSO has this name, or when out of memory. */
uint32_t code_ksymbol(struct code *c, const char *name, uint32_t size);

/* Finds or adds the DSO of the code that process pid generated at run time and described in a
 * perf map. Returns 0 if there is no trusted map, or when out of memory. */
uint32_t code_jit(struct code *c, uint32_t pid);

/* Returns the file of a DSO. The first call opens the file. NULL means out of memory. */
struct sym_file *code_file(struct code *c, uint32_t dso);

/* Finds or adds the location at an offset of a DSO, and looks up its symbol. With dso 0, `offset`
 * is an address at which nothing is mapped. Returns the location's id; 0 means out of memory. */
uint32_t code_location(struct code *c, uint32_t dso, uint64_t offset);

/* Returns the symbol's demangled name; NULL for symbol 0. */
const char *code_symbol_name(const struct code *c, uint32_t symbol);

/* Returns the demangled name of the parallel region at a location, such as "solve.omp_outlined"
 * (base/omp_region.h); "" if no region is there. If the symbol does not contain the name of the
 * function around the region, the name is from the debug information, if that may be read
 * (use_lines). */
const char *code_region(struct code *c, uint32_t location, bool use_lines);

/* The machine code of the function that contains a location. If the function's start is unknown,
 * the code begins at the location. */
struct code_bytes {
	const uint8_t *code; /* valid until code_release() */
	size_t len, at;      /* bytes in `code`; the location is at code[at] */
	bool from_start;     /* whether `code` begins at the start of a function */
	/* the same for all locations in one function, different for other functions */
	uint64_t key;
};
/* Gets the code at a location. Returns false if it is not available: the file is missing or was
 * replaced, or the code was generated at run time. */
bool code_bytes(struct code *c, uint32_t location, struct code_bytes *out);

/* Returns the recipe for a sample at this location: a formula of registers that yields the data
 * address of the access at this location or, if the sampler stops after an access, of the access
 * before it. NULL means out of memory. */
const struct dec_recipe *code_recipe(struct code *c, uint32_t location);

/* Like code_recipe(), but considers only the instruction at the location itself. */
const struct dec_recipe *code_instruction(struct code *c, uint32_t location);

/* Does a call end with the byte at a location? */
enum ends_call {
	CALL_UNCHECKED,
	CALL_ENDS,     /* yes */
	CALL_RETURNED, /* no, but the next byte is where signal handlers return to */
	CALL_NONE,     /* no, so the next byte is no return address */
	CALL_UNKNOWN   /* the code, or where its function begins, is not known */
};
enum ends_call code_ends_call(struct code *c, uint32_t location);

/*
 * Finds or adds the node of the call-path tree for code at `location`, called from path `parent`.
 * The memory is bounded: when there are c->full_paths paths, a new path of more than SHORT_PATH
 * frames is stored without its callers, as a child of CALL_PATH_TRUNCATED. At most c->full_paths /
 * 4 further paths are stored. Returns the id of the node; CALL_PATH_TRUNCATED if no further path
 * can be stored; 0 when out of memory.
 */
enum { FULL_PATHS = 4 << 20, SHORT_PATH = 8 };
uint32_t code_call_path(struct code *c, uint32_t parent, uint32_t location, enum call_kind kind);

/* Removes the recursion from a path: if a function occurs twice in it, the frames between the two
 * are removed, even frames of other functions. The caller of the function's outermost frame and the
 * callee of its innermost frame remain, with one frame of the function between them. Cycles of more
 * than FOLD_FRAMES frames are kept. Two frames of a function of an OpenMP runtime are no recursion:
 * a parallel region may be in another one. Returns the folded path; 0 means out of memory. */
enum { FOLD_FRAMES = 256 };
uint32_t code_fold(struct code *c, uint32_t path);

/* Can the outermost frame of a complete call path be in the function with this name? Examples
 * are _start, the function in libc that calls main, and the start function of a thread library. */
bool code_is_thread_start(const char *symbol);

#endif
