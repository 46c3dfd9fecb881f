/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the uses of a function by reading all code of its file.
 *
 * The list is complete only if nothing in data refers to the function. Pointers that the loader
 * stores are in the file as addends of relocations. The addresses of functions that other files may
 * call are in .dynsym. So all references from data are words that contain the function's address.
 * Other bytes may look like a reference by chance; then the function has a use too many, or its
 * uses count as unknown. A conditional jump of two bytes to another function is not found:
 * compilers hardly make one.
 */
#include <elf.h>
#include <string.h>

#include "symbol/file.h"

enum {
	/* opcodes of x86-64. A call or a jump goes to the next instruction + 32 bits */
	CALL = 0xe8,
	JUMP = 0xe9,
	JUMP_SHORT = 0xeb, /* + 8 bits */
	JUMP_IF = 0x80,    /* the second byte, with a condition in the lower half, after 0x0f */
	LOAD_ADDRESS = 0x8d,
	LOAD_CONSTANT = 0xb8, /* with a register in the lower three bits */
	DISTANCE = 4,         /* bytes of the distance in a call or jump, counted from its end */
	WORD = 8,             /* bytes of a pointer, which is aligned in data */
	BLOCK = 16,           /* positions in code that are searched at once */
};

/* How many bytes of a file are read for all searches together, less than a tenth of a second. After
 * that, uses count as unknown. */
#define MAX_READ ((uint64_t)1 << 27)

/* The references to the function whose code is at the vaddrs [start, end). */
struct search {
	struct sym_file *f;
	const struct image *im; /* of f */
	uint64_t start, end;
	struct sym_use uses[SYM_MAX_USES]; /* each offset is a vaddr */
	size_t n;
	bool other; /* whether there are too many uses, or other references */
};

/* Adds a use whose last byte is at this vaddr. */
static void add_use(struct search *s, uint64_t vaddr, enum sym_use_kind kind)
{
	if (vaddr >= s->start && vaddr < s->end)
		return; /* a loop of the function, or a recursion */
	if (s->n < SYM_MAX_USES)
		s->uses[s->n++] = (struct sym_use){ vaddr, kind };
	else
		s->other = true;
}

/* Can code[i] be a distance, as an operand in memory relative to the instruction? Then the byte
 * before it says so. In a small file, other bytes often happen to be a distance to a function. */
static bool is_relative(const uint8_t *code, size_t i)
{
	return i && (code[i - 1] & 0xc7) == 0x05;
}

/* Which instruction has the distance to the function at code[i]? Returns false if it is none that
 * calls the function, jumps to it or loads its address. */
static bool kind_of_use(const uint8_t *code, size_t i, enum sym_use_kind *kind)
{
	const uint8_t last = i ? code[i - 1] : 0, before = i > 1 ? code[i - 2] : 0;

	*kind = SYM_USE_CALL;
	if (last == CALL)
		return true;
	*kind = SYM_USE_JUMP;
	if (last == JUMP || (before == 0x0f && (last & 0xf0) == JUMP_IF))
		return true;
	*kind = SYM_USE_ADDRESS;
	return before == LOAD_ADDRESS && is_relative(code, i);
}

/* Adds the reference to the function at code[i], if there is one. A distance of 0 is none: it is
 * padding before the function. */
static void search_operand(struct search *s, const uint8_t *code, size_t i, uint64_t vaddr)
{
	const uint32_t wanted = (uint32_t)s->start;
	enum sym_use_kind kind;
	uint32_t x;

	memcpy(&x, code + i, sizeof(x));
	if (x && x + (uint32_t)(vaddr + i + DISTANCE) == wanted) {
		if (kind_of_use(code, i, &kind))
			add_use(s, vaddr + i + DISTANCE - 1, kind);
		else if (is_relative(code, i))
			s->other |= vaddr + i < s->start || vaddr + i >= s->end;
	} else if (s->im->type == ET_EXEC && x == wanted) { /* loaded at a fixed address */
		if (i && (code[i - 1] & 0xf8) == LOAD_CONSTANT)
			add_use(s, vaddr + i + DISTANCE - 1, SYM_USE_ADDRESS);
		else
			s->other = true;
	}
}

/* Do the words that begin at code[0..BLOCK) contain one that may refer to the function? `sum` is
 * the value that a distance and its position in the block have together. Reading code is most of
 * the time of a search, so this compares four words at once. */
static bool may_refer(const uint8_t *code, uint32_t sum, uint32_t address)
{
	typedef uint32_t words __attribute__((vector_size(16)));
	words hit = { 0 };
	uint64_t any[2];

	for (uint32_t i = 0; i < 4; i++) {
		const words place = { i, i + 4, i + 8, i + 12 };
		words x;

		memcpy(&x, code + i, sizeof(x));
		hit |= (words)(x + place == sum) | (words)(x == address);
	}
	memcpy(any, &hit, sizeof(any));
	return any[0] | any[1];
}

/* Searches code, which begins at vaddr, for short jumps to the function. */
static void search_short(struct search *s, const uint8_t *code, size_t len, uint64_t vaddr)
{
	const uint64_t near = s->start > vaddr + 130 ? s->start - vaddr - 130 : 0;

	for (size_t i = near; i + 2 <= len && vaddr + i <= s->start + 130; i++)
		if (code[i] == JUMP_SHORT &&
		    vaddr + i + 2 + (uint64_t)(int64_t)(int8_t)code[i + 1] == s->start)
			add_use(s, vaddr + i + 1, SYM_USE_JUMP);
}

/* Searches code, which begins at vaddr, for references to the function. */
static void search_code(struct search *s, const uint8_t *code, size_t len, uint64_t vaddr)
{
	const uint32_t wanted = (uint32_t)s->start;
	size_t i = 0;

	for (; i + BLOCK + DISTANCE <= len && !s->other; i += BLOCK)
		if (may_refer(code + i, wanted - (uint32_t)(vaddr + i + DISTANCE), wanted))
			for (size_t k = i; k < i + BLOCK; k++)
				search_operand(s, code, k, vaddr);
	for (; i + DISTANCE <= len && !s->other; i++)
		search_operand(s, code, i, vaddr);
	search_short(s, code, len, vaddr);
}

static void search_words(struct search *s, const uint8_t *bytes, size_t len, uint64_t vaddr)
{
	uint64_t x;

	for (size_t i = -vaddr % WORD; i + WORD <= len && !s->other; i += WORD) {
		memcpy(&x, bytes + i, sizeof(x));
		s->other = x == s->start;
	}
}

/* Searches the segments that contain code, or the others. */
static void search_segments(struct search *s, bool exec)
{
	const struct image *im = s->im;

	for (size_t i = 0; i < im->nsegments && !s->other; i++) {
		const uint64_t vaddr = im->segments[i].vaddr;
		const struct cursor c = image_at(im, vaddr);
		const size_t len = cursor_left(&c);

		if (im->segments[i].exec != exec)
			continue;
		s->f->uses_read += len;
		if (s->f->uses_read > MAX_READ) {
			s->other = true;
			return;
		}
		search_words(s, c.p, len, vaddr);
		if (exec && !s->other)
			search_code(s, c.p, len, vaddr);
	}
}

/* Most functions that are searched for are called by a pointer. That is in data, which is much
 * smaller than code, so data comes first. */
static void search_file(struct search *s)
{
	s->other = s->im->machine != EM_X86_64 || s->im->swap;
	search_segments(s, false);
	search_segments(s, true);
}

/* Returns the stored result of a search, or NULL. */
static const struct file_uses *find_uses(struct sym_file *f, uint64_t start)
{
	uint32_t hash = index_hash(start, 0), place = hash, id;

	while ((id = index_next(&f->uses_index, hash, &place)))
		if (AT_ID(f->uses, id).function == start)
			return &AT_ID(f->uses, id);
	return NULL;
}

/* Searches the file and stores the uses with their file offsets. Returns NULL when out of
 * memory. */
static const struct file_uses *search_uses(struct sym_file *f, uint64_t start, uint64_t end)
{
	struct search s = { .f = f, .im = &f->image, .start = start, .end = end };
	struct file_uses new = { .function = start };
	struct sym_use *at;

	search_file(&s);
	if (s.n && !s.other) {
		at = arena_alloc(&f->arena, s.n * sizeof(*at));
		if (!at)
			return NULL;
		for (size_t i = 0; i < s.n; i++) {
			at[new.n].kind = s.uses[i].kind;
			new.n += image_offset(&f->image, s.uses[i].offset, &at[new.n].offset);
		}
		new.at = at;
	}
	if (!VEC_ROOM(&f->uses) || !index_add(&f->uses_index, index_hash(start, 0), f->uses.n + 1))
		return NULL;
	f->uses.at[f->uses.n++] = new;
	return &f->uses.at[f->uses.n - 1];
}

const struct sym_use *sym_uses(struct sym_file *f, uint64_t offset, size_t len, size_t *n)
{
	const struct file_uses *u = NULL;
	uint64_t start;

	if (image_exec_vaddr(&f->image, offset, &start)) {
		u = find_uses(f, start);
		u = u ? u : search_uses(f, start, start + len);
	}
	*n = u ? u->n : 0;
	return u ? u->at : NULL;
}

static const struct sym_symbol *find_function(struct sym_file *f, const char *name)
{
	const struct symtab *t = file_symtab(f);
	uint64_t offset;

	for (size_t i = 0; t && i < t->n; i++)
		if (t->entries[i].code && !strcmp(t->entries[i].name, name) &&
		    image_offset(&f->image, t->entries[i].start, &offset))
			return sym_symbol_at(f, offset);
	return NULL;
}

/* A search compares all names of the file. Most searches of a file are for the same function,
 * main(), so the last result is kept. */
const struct sym_symbol *sym_function_named(struct sym_file *f, const char *name)
{
	const struct sym_symbol *found;

	if (f->named.name[0] && !strcmp(f->named.name, name))
		return f->named.symbol;
	found = find_function(f, name);
	f->named.name[0] = '\0';
	if (strlen(name) < sizeof(f->named.name)) {
		strcpy(f->named.name, name);
		f->named.symbol = found;
	}
	return found;
}
