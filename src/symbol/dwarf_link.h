/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parent's side of the protocol with the child that reads DWARF. Private to dwarf*.c and its
 * tests.
 */
#ifndef MEMDB_SYMBOL_DWARF_LINK_H
#define MEMDB_SYMBOL_DWARF_LINK_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/index.h"
#include "symbol/dwarf_file.h"
#include "symbol/dwarf_wire.h"

/* A requested vaddr. Once it is answered, frames first to first + n - 1 belong to it. */
struct dwarf_answer {
	uint64_t vaddr;
	uint32_t first, n;
};

/* Strings are ids in the file's table; 0 means none. */
struct dwarf_frame {
	uint32_t function, file, line, column;
};

struct dwarf {
	const char *path;
	const struct image *image;
	uint32_t number;     /* number of the file in requests */
	uint32_t generation; /* generation of the child that has the file open; 0 means none */
	bool asked;          /* `found` is valid */
	bool found;
	bool given_up;
	unsigned deaths; /* deaths of a child during this file's requests that the file may not
			  * have caused */
	char problem[512];

	/* In the order of the requests: [0, answered) have answers, [0, sent) have been sent. When
	 * the file is given up, both cover all requests. */
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
	struct { /* ids in strings, by the child's string number - 1 */
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
	} locals;             /* of the function in the last request */
	bool locals_complete; /* the answer is complete */

	struct sym_type type; /* answer to the last request, without its members */
	struct {
		struct sym_member *at;
		uint32_t n, cap;
	} members; /* none: the type is unknown */
	bool type_complete;
};

/* A request without a complete answer. */
struct dwarf_flight {
	struct dwarf *d; /* NULL means closed meanwhile */
	enum dwarf_verb verb;
	uint32_t count; /* vaddrs still to be answered, for DWARF_LINES */
};

/* Processes one message of an answer. Returns NULL, or an error text if the message is invalid. */
const char *dwarf_take(struct dwarf_flight *f, struct cursor c, bool last);

bool link_add(struct dwarf *d); /* false: out of memory or of file numbers */
void link_remove(struct dwarf *d);

/* Opens the file in the child, and starts a child if there is none. Returns false if the file has
 * no DWARF or was given up. */
bool link_open(struct dwarf *d);

/* Sends unsent vaddrs until the window is full: first those of d, then those of other files. */
void link_send_lines(struct dwarf *d);

/* Sends a request with a body of n bytes, which must fit into the socket's buffer. Waits if the
 * window is full. */
void link_send(struct dwarf *d, enum dwarf_verb verb, const void *body, size_t n);

/* Waits for a message and processes it. Returns at once if no request is in flight. */
void link_receive(void);

/* Is a request of d in flight? */
bool link_busy(const struct dwarf *d);

#endif
