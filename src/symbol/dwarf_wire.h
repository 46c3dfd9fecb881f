/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocol between this process and the child that reads DWARF, in the machine's byte order.
 * The child trusts the parent. The parent does not trust the child, because hostile debug
 * information may have taken it over.
 *
 * A request is a struct dwarf_request. `count` vaddrs of 8 bytes follow for DWARF_LINES and
 * DWARF_LOCALS (one), and a struct dwarf_type_query for DWARF_TYPE. With DWARF_OPEN comes a
 * descriptor of the file. Every request except DWARF_CLOSE is answered by one or more messages: a
 * struct dwarf_message, then `size` bytes of records. A record begins with one byte of enum
 * dwarf_record. Requests are answered in their order.
 */
#ifndef MEMDB_SYMBOL_DWARF_WIRE_H
#define MEMDB_SYMBOL_DWARF_WIRE_H

#include <stdint.h>

#include "symbol/type.h"

enum dwarf_verb { DWARF_OPEN, DWARF_LINES, DWARF_VARIABLES, DWARF_LOCALS, DWARF_TYPE, DWARF_CLOSE };

struct dwarf_request {
	uint32_t verb, module; /* module: the parent's number of the file, from 0 */
	uint32_t count;
};

/* A struct sym_type_query. */
struct dwarf_type_query {
	uint64_t entry, vaddr;
	uint32_t unit, inlined;
	uint8_t by, reg;
	char text[SYM_MAX_TYPE_TEXT + 2];
};

struct dwarf_message {
	uint32_t size;
	uint32_t last; /* 1: last message of the answer; else 0 */
};

enum dwarf_record {
	DWARF_TEXT,     /* size 4, bytes: the next string of the module; numbers start at 1 */
	DWARF_OPENED,   /* 1: has DWARF, or 0 */
	DWARF_DAMAGE,   /* size 4, bytes: a sentence */
	DWARF_PLACE,    /* frames 1, then each: function 4, file 4 (strings; 0 means none), line 4,
			 * column 4 */
	DWARF_VARIABLE, /* vaddr 8, size 8, name 4, file 4 (strings), line 4, is_tls 1, entry */
	DWARF_LOCAL,  /* variable 4, base 1, offset 8, size 8, name 4, file 4 (strings), line 4, lo
			 8, hi 8, entry: see struct sym_local; an entry is unit 4, offset 8 */
	DWARF_LAYOUT, /* name 4 (string), kind 1, size 8, members 4, then each: name 4, type 4
		       * (strings; 0 means none), offset 8, size 8; without this record the type is
		       * unknown */
};

enum {
	DWARF_MAX_MODULES = 1 << 16,
	DWARF_MAX_BATCH = 1024,       /* vaddrs in a request */
	DWARF_MAX_TEXT = 64 << 10,    /* bytes of a string; longer ones are cut */
	DWARF_FLUSH = 64 << 10,       /* a message is sent once it has this many bytes */
	DWARF_MAX_MESSAGE = 16 << 20, /* limit of a message: DWARF_FLUSH plus one record with all
				       * its strings */
	DWARF_MAX_DAMAGE = 200,
};

#endif
