/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "instrument.h"

#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "x86.h"

/* Limit for the accesses of a block: when one of them is sampled, all are reported one by one. */
enum { BLOCK_MOST = 64 };

/* bytes by which a report has lowered the stack pointer when it computes an operand's address */
enum { RED_ZONE = 128, SAVED = RED_ZONE + 4 * 8 };

struct state {
	const struct text *text;
	FILE *out, *copies;
	char *buffer;
	size_t size;
	unsigned blocks, sites;
};

/* A block: the instructions in lines [begin, end) of the text, which are executed together. Its
 * check is put before line `begin`. */
struct block {
	int begin, end;
	unsigned accesses;
	bool with_end; /* the access of the instruction in line `end` belongs to the block, too */
	bool full;     /* it ends because it has BLOCK_MOST accesses: line `end` is of the next */
	bool flags_free;
};

/* Returns the index of the counter that the check of the present block changes. A check must wait
 * for the previous change of its counter, so neighbouring blocks use different ones. */
static unsigned lane_of(const struct state *s)
{
	return s->blocks % SOFT_LANES;
}

static void put_save(FILE *f)
{
	fprintf(f, "\tleaq\t-%d(%%rsp), %%rsp\n\tpushfq\n\tpushq\t%%rdi\n", RED_ZONE);
}

static void put_restore(FILE *f)
{
	fprintf(f, "\tpopq\t%%rdi\n\tpopfq\n\tleaq\t%d(%%rsp), %%rsp\n", RED_ZONE);
}

/* Writes the operand of an instruction, for a lea in a report. Addresses relative to %rsp are
 * corrected, because the report has lowered it by SAVED. */
static void put_operand(FILE *f, struct x86_text operand)
{
	if (x86_has(operand, "(%rsp"))
		fprintf(f, "%d%s", SAVED, *operand.at == '(' ? "" : "+");
	fprintf(f, "%.*s", operand.n, operand.at);
}

/* Writes code that reports the access a, made by the instruction at the label .Lmemdb_at<site>. */
static void put_report(FILE *f, const struct x86_access *a, unsigned site, unsigned lane,
		       bool repeated)
{
	put_save(f);
	fputs("\tpushq\t%rsi\n\tpushq\t%rdx\n\tleaq\t", f);
	put_operand(f, a->operand);
	fprintf(f, ", %%rdi\n\tleaq\t.Lmemdb_at%u(%%rip), %%rsi\n\tmovl\t$%u, %%edx\n", site,
		a->kind | a->bytes << ENTRY_BYTES_SHIFT |
			(a->thread_local ? ENTRY_THREAD_LOCAL : 0) | lane << ENTRY_LANE_SHIFT);
	fprintf(f, "\tcall\t%s\n\tpopq\t%%rdx\n\tpopq\t%%rsi\n",
		repeated ? "memdb_soft_repeat" : "memdb_soft_at");
	put_restore(f);
}

static void put_reports(FILE *f, const char *statement, unsigned site, unsigned lane)
{
	struct x86 x;

	x86_parse(statement, &x);
	for (unsigned i = 0; i < x.naccesses; i++)
		put_report(f, &x.access[i], site, lane, x.repeated);
}

/* Writes the check of block b, and to s->copies the start of the block's copy, which calls
 * memdb_soft_enter. */
static void put_check(struct state *s, const struct block *b)
{
	if (!b->flags_free)
		put_save(s->out);
	fprintf(s->out, "\tsubq\t$%u, %%fs:memdb_soft_far@tpoff+%u\n\tjs\t.Lmemdb_copy%u\n",
		b->accesses, 8 * lane_of(s), s->blocks);
	fprintf(s->copies, ".Lmemdb_copy%u:\n", s->blocks);
	if (!b->flags_free) {
		put_restore(s->out);
		put_restore(s->copies);
	}
	put_save(s->copies);
	fprintf(s->copies,
		"\tpushq\t%%rsi\n\tmovl\t$%u, %%edi\n\tmovl\t$%u, %%esi\n"
		"\tcall\tmemdb_soft_enter\n\tpopq\t%%rsi\n",
		b->accesses, lane_of(s));
	put_restore(s->copies);
}

/* Writes the reports of an instruction's accesses to s->copies, and the label by which they name it
 * to s->out. If `copied`, the instruction itself follows in the copy. */
static void put_insn(struct state *s, const struct line *l, bool copied)
{
	if (l->accesses) {
		fprintf(s->out, ".Lmemdb_at%u:\n", s->sites);
		put_reports(s->copies, l->text, s->sites++, lane_of(s));
	}
	if (copied)
		fprintf(s->copies, "%s\n", l->text);
}

static void put_block(struct state *s, const struct block *b)
{
	const struct line *line = s->text->line;

	put_check(s, b);
	for (int i = b->begin; i < b->end; i++) {
		if (line[i].kind == LINE_INSN)
			put_insn(s, &line[i], true);
		fprintf(s->out, "%s\n", line[i].text);
	}
	fprintf(s->out, ".Lmemdb_end%u:\n", s->blocks);
	if (b->with_end)
		put_insn(s, &line[b->end], false);
	fprintf(s->copies, "\tjmp\t.Lmemdb_end%u\n", s->blocks++);
}

/* Finds the next block with accesses, at or after line `from` and before the next line that ends a
 * block. Sets b->begin to its first access, or to an earlier line at which no flag is needed.
 * Returns false if there is none; b->end is set in any case. */
static bool find_block(const struct text *t, int from, struct block *b)
{
	int first = -1, i = from;

	*b = (struct block){ .begin = from };
	for (; i < t->n; i++) {
		const struct line *l = &t->line[i];

		b->full = b->accesses >= BLOCK_MOST;
		if (b->full || (l->kind != LINE_EMPTY && l->kind != LINE_INSN))
			break;
		if (l->kind == LINE_INSN && !l->repeated && l->accesses && first < 0)
			first = i;
		if (l->kind == LINE_INSN)
			b->accesses += l->accesses;
		if (l->kind == LINE_INSN && l->ends_block) {
			b->with_end = l->accesses;
			break;
		}
	}
	b->end = i;
	if (first < 0)
		return false;
	for (i = first; i >= from && !b->flags_free; i--)
		if (t->line[i].kind == LINE_INSN && text_flags_are_free(t, i)) {
			b->flags_free = true;
			first = i;
		}
	b->begin = first;
	return true;
}

static bool begin_copies(struct state *s)
{
	s->copies = open_memstream(&s->buffer, &s->size);
	return s->copies;
}

static void put_copies(struct state *s)
{
	fclose(s->copies);
	fwrite(s->buffer, 1, s->size, s->out);
	free(s->buffer);
}

/* Writes a line that belongs to no block. Before a string instruction with rep, it writes the
 * report of its accesses; at the end of a function, the copies of its blocks. Returns false if out
 * of memory. */
static bool put_other(struct state *s, const struct line *l)
{
	if (l->kind == LINE_END) {
		put_copies(s);
		if (!begin_copies(s))
			return false;
	}
	if (l->kind == LINE_INSN && l->repeated) {
		put_reports(s->out, l->text, s->sites, 0);
		fprintf(s->out, ".Lmemdb_at%u:\n", s->sites++);
	}
	fprintf(s->out, "%s\n", l->text);
	return true;
}

bool instrument(const struct text *t, FILE *out)
{
	struct state s = { .text = t, .out = out };
	struct block b;

	if (!begin_copies(&s))
		return false;
	for (int i = 0; i < t->n;) {
		const bool found = find_block(t, i, &b);

		for (; i < (found ? b.begin : b.end); i++)
			fprintf(out, "%s\n", t->line[i].text);
		if (found)
			put_block(&s, &b);
		i = b.end;
		if (i < t->n && !b.full && !put_other(&s, &t->line[i++]))
			return false;
	}
	fputs("\t.text\n", out);
	put_copies(&s);
	return true;
}
