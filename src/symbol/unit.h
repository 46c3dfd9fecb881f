/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compilation units and their addresses. Private to the files that call libdw. */
#ifndef MEMDB_SYMBOL_UNIT_H
#define MEMDB_SYMBOL_UNIT_H

#include <assert.h>
#include <elfutils/libdw.h>

#include "base/arena.h"
#include "symbol/debuginfo.h"

enum {
	UNIT_MAX_DEPTH = 200,     /* maximum depth of nested DWARF entries */
	UNIT_MAX_SPANS = 1 << 22, /* maximum number of address ranges of the functions of one
				   * unit */
	/* maximum number of entries that are read to find variables, which takes a few seconds */
	UNIT_MAX_VARIABLE_WORK = 1 << 25,
	UNIT_MAX_WORK = 1 << 27, /* maximum number of entries, ranges and symbols that are read
				  * for one file */
	/* maximum number of COMMON blocks that are looked up in the symbol table of one file */
	UNIT_MAX_SEARCHES = 256,
};

/* A function of a unit, or a function that is inlined into another one. */
struct scope {
	Dwarf_Off die;
	uint32_t parent; /* the enclosing function's id; 0 means none */
	uint32_t frame;  /* id in the frames of struct debuginfo; 0 means not read yet */
};

/* A range of code in which the innermost function is the same. It ends where the next piece begins.
 * `scope` is the id of that function in unit.scopes; 0 means that there is none. */
struct piece {
	uint64_t start;
	uint32_t scope;
};

/* A namespace or a class. Its members are the entries at the offsets [start, end) of
 * .debug_info. */
struct container {
	Dwarf_Off start, end; /* end 0 means that it ends with the enclosing container */
	uint32_t outer;       /* id; 0 means none */
};

/* The members of a class as type_layout() has found them, kept for the next call. */
struct laid_out {
	const void *die;
	struct sym_type type;
};

/* One entry in struct unit.names: a type or a variable that the unit defines. */
struct named {
	uint32_t hash;
	bool is_variable;
	Dwarf_Off die;
};

/* A compilation unit, or a type unit (-fdebug-types-section), which defines one type for all
 * compilation units that use it. */
struct unit {
	Dwarf_Die die; /* the unit with the line table; in split DWARF this is the skeleton unit */
	/* the unit with the functions and variables; in split DWARF it is in another file */
	Dwarf_Die body;
	bool in_types; /* it is in .debug_types, where DWARF 4 has the type units */
	bool read;     /* its pieces and lines have been read */
	struct scope *scopes;
	struct piece *pieces;
	struct container *containers; /* sorted by start */
	size_t nscopes, npieces, ncontainers;
	bool names_read;
	struct {
		struct named *at;
		uint32_t n, cap;
	} names; /* sorted by hash */
};

/* Return the function and the container with an id. Ids count from 1; 0, which means "none", is not
 * allowed. */
static inline struct scope *unit_scope(const struct unit *u, uint32_t id)
{
	assert(id - 1 < u->nscopes);
	return &u->scopes[id - 1];
}

static inline struct container *unit_container(const struct unit *u, uint32_t id)
{
	assert(id - 1 < u->ncontainers);
	return &u->containers[id - 1];
}

struct unit_range {
	uint64_t lo, hi; /* addresses [lo, hi) */
	uint32_t unit;
};

/* The name of a function and, if it is inlined, the line of the call. */
struct frame {
	const char *function, *call_file;
	uint32_t call_line, call_column;
};

struct debuginfo {
	uint8_t *bytes; /* the bytes of `elf`, if they are not a mapping of the file */
	Elf *elf;
	Dwarf *dw;
	/* those in .debug_info, then those in .debug_types; both sorted by offset */
	struct unit *units;
	struct unit_range *ranges;
	size_t nunits, nranges;
	struct {
		struct frame *at;
		uint32_t n, cap;
	} frames;
	size_t no_body;        /* number of units whose split DWARF is missing */
	size_t bad_lines;      /* number of units whose line table could not be read */
	int bad_lines_error;   /* libdw's error number for the last unit with such a line table */
	uint64_t work;         /* number of entries, ranges and symbols read so far */
	unsigned searches;     /* number of COMMON blocks that were looked up so far */
	struct strings linked; /* names, mangled or not */
	struct {
		const char **at; /* NULL: not demangled yet */
		uint32_t n, cap;
	} pretty; /* demangled names; the ids are those of `linked` */
	struct {
		struct laid_out *at;
		uint32_t n, cap;
	} layouts;
	struct index layout_index;
	struct strings paths; /* absolute paths of source files */
	struct arena arena;
};

/* For results of allocations: returns p or, if p is NULL, ends the process with CHILD_NO_MEMORY. */
void *unit_must(void *p);

/* Returns the unit whose code contains vaddr, or NULL. */
struct unit *unit_at(struct debuginfo *d, uint64_t vaddr);

/* Returns the unit that contains an entry; NULL if the unit is not known. */
struct unit *unit_of(struct debuginfo *d, Dwarf_Die *die);

/* Sets u->body, the unit that has the functions and variables. Returns false if the body is not
 * available, because a file of split DWARF is missing. */
bool unit_body(struct unit *u);

/* Gets the entry of u's body at an offset in its section. Returns false if there is none. */
bool unit_die(const struct unit *u, Dwarf_Off offset, Dwarf_Die *out);

/* Does the unit only define a type for other units? */
bool unit_is_type(const struct unit *u);

/* Returns the language of the unit that contains the entry, as far as types depend on it. */
enum unit_language { LANGUAGE_OTHER, LANGUAGE_C, LANGUAGE_FORTRAN };
enum unit_language unit_language(const Dwarf_Die *die);

/* If the entry only declares a type that a type unit defines, replaces it with the definition. The
 * declaration need not have a name. */
void unit_follow_signature(Dwarf_Die *die);

/* Returns the demangled linkage name of a function or variable. If it has no linkage name, returns
 * its DW_AT_name, which has no namespaces and classes; if it has neither, NULL. */
const char *unit_name(struct debuginfo *d, Dwarf_Die *die);

/* Like unit_name(), but puts namespaces and classes before a DW_AT_name. Templates over local types
 * need this, because compilers write no linkage name for them. Only the namespaces and classes of u
 * that have been read are known. */
const char *unit_full_name(struct debuginfo *d, struct unit *u, Dwarf_Die *die);

/* Returns the id of the innermost container (class or namespace) of u that declares the entry; 0
 * means none or unknown, for example if the declaration is in another unit. */
uint32_t unit_container_of(const struct unit *u, const Dwarf_Die *die);

/* Returns the path of file number `file` of u in the form of unit_path(), or NULL. */
const char *unit_file(struct debuginfo *d, struct unit *u, uint64_t file);

/* Makes a path of u's line table absolute. A relative path there begins at the folder of the
 * compilation. Removes "folder/..". If the folder of the compilation is unknown or itself relative
 * (a compiler option maps it), returns the path unchanged. Returns NULL for NULL. */
const char *unit_path(struct debuginfo *d, struct unit *u, const char *path);

/* Moves *die to its next sibling. Returns false at the last one, if the siblings lead backwards
 * in the file (a loop), or if the limit of work is reached. */
bool unit_next_sibling(struct debuginfo *d, Dwarf_Die *die);

/* Returns the innermost function of u at vaddr: its id; 0 if there is none. The first call
 * reads the unit. */
uint32_t unit_scope_at(struct debuginfo *d, struct unit *u, uint64_t vaddr);

/*
 * Returns the name of a variable as "function::variable". For a parallel region, the function is
 * the one that contains the region. A variable in a COMMON block is "block::variable". A variable
 * of gfortran's main program, and a variable with a linkage name, has no prefix. Returns NULL if
 * the variable has no name.
 */
const char *unit_name_in(struct debuginfo *d, Dwarf_Die *die, Dwarf_Die *function);

/* Returns the numbers that identify the variable *die of unit u. Callers query its type with them
 * (sym_type()). */
struct sym_entry unit_entry(const struct debuginfo *d, const struct unit *u, Dwarf_Die *die);

/* Returns the size of a variable's type in bytes; 0 means unknown. */
uint64_t unit_size_of(Dwarf_Die *die);

/* Gets the address of a Fortran COMMON block whose variables have no address in DWARF. Its address
 * is that of the block's symbol. Returns false if one of the variables has an address, or if no
 * symbol of the block has a size that is the sum of the sizes of the variables. */
bool unit_common_block(struct debuginfo *d, Dwarf_Die *block, uint64_t *vaddr);

/*
 * Gets the file and line of a variable's declaration. Leaves *file or *line unchanged if it is
 * unknown.
 */
void unit_declaration(struct debuginfo *d, struct unit *u, Dwarf_Die *die, const char **file,
		      uint32_t *line);

#endif
