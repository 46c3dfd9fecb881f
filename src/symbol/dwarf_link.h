/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parent's side of the conversation with the child that reads DWARF. Only for dwarf*.c. */
#ifndef MEMDB_SYMBOL_DWARF_LINK_H
#define MEMDB_SYMBOL_DWARF_LINK_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/index.h"
#include "symbol/dwarf_file.h"
#include "symbol/dwarf_wire.h"

/* A requested vaddr, and its frames once it is answered. */
struct dwarf_answer {
	uint64_t vaddr;
	uint32_t first, n;
};

/* Strings are ids in the file's table, 0 none. */
struct dwarf_frame {
	uint32_t function, file, line, column;
};

struct dwarf {
	const char *path;
	const struct image *image;
	uint32_t number;     /* the child's number of the file */
	uint32_t generation; /* generation of the child that has it; 0 none */
	bool asked;          /* `found` is valid */
	bool found;
	bool given_up;
	unsigned deaths; /* deaths of a child during its requests, perhaps not caused by it */
	char problem[512];

	/* In the order of the requests: [0, answered) have answers (all of them once the file is
	 * given up), [0, sent) have been sent. */
	struct {
		struct dwarf_answer *at;
		uint32_t n, cap;
	} answers;
	uint32_t sent, answered;
	struct index by_vaddr;
	struct {
		struct dwarf_frame *at;
		uint32_t n, cap;
	} frames;

	struct strings strings;
	struct { /* ids in strings by this child's numbers - 1 */
		uint32_t *at;
		uint32_t n, cap;
	} texts;

	struct {
		struct sym_variable *at;
		uint32_t n, cap;
	} variables;
	bool variables_complete; /* the answer is complete */

	struct {
		struct sym_local *at;
		uint32_t n, cap;
	} locals;             /* of the function that was asked about last */
	bool locals_complete; /* likewise */

	struct sym_type type; /* that was asked about last, without its members */
	struct {
		struct sym_member *at;
		uint32_t n, cap;
	} members; /* 0: the type is not known */
	bool type_complete;
};

/* A request without a complete answer. */
struct dwarf_flight {
	struct dwarf *d; /* NULL: closed in between */
	enum dwarf_verb verb;
	uint32_t count; /* number of answers still to come */
};

/* Processes one message of an answer. Returns NULL, or what is wrong with it. */
const char *dwarf_take(struct dwarf_flight *f, struct cursor c, bool last);

bool link_add(struct dwarf *d); /* false: out of memory, or of numbers */
void link_remove(struct dwarf *d);

/* Passes the file to the child, starting one if there is none. False if the file has no DWARF or
 * was given up. */
bool link_open(struct dwarf *d);

/* Sends unsent requests ahead: those of d, then those of other files. */
void link_send_lines(struct dwarf *d);

/* Sends a request with a body of n bytes, which the socket has room for. */
void link_send(struct dwarf *d, enum dwarf_verb verb, const void *body, size_t n);

/* Waits for a message and processes it. Returns at once if no request is in flight. */
void link_receive(void);

/* Is a request of d in flight? */
bool link_busy(const struct dwarf *d);

#endif
