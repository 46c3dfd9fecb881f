/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "instrument.h"

#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "frame.h"
#include "region.h"
#include "x86.h"

/* A block ends when it has at least this many accesses. There is a limit because all accesses of a
 * block are reported one by one when one of them is sampled. */
enum { BLOCK_MOST = 64 };

enum { WORD = 8, RED_ZONE = 128 };

struct state {
	const struct text *text;
	FILE *out, *copies;
	char *buffer;
	size_t size;
	unsigned blocks, sites;
	struct frame frame;
	struct regions regions;
};

/* A block: the instructions in lines [begin, end) of the text, which are executed together. Its
 * check is put before line `begin`. */
struct block {
	int begin, end;
	unsigned accesses;
	/* whether the access of the instruction in line `end` belongs to the block, too */
	bool with_end;
	/* whether the block ends only because it has at least BLOCK_MOST accesses; then line `end`
	 * belongs to the next block */
	bool full;
	bool flags_free;
};

/* Returns the index of the counter that the check of the current block changes. A check must wait
 * for the previous change of its counter, so successive blocks use different counters. */
static unsigned lane_of(const struct state *s)
{
	return s->blocks % SOFT_LANES;
}

static void put_push(const struct frame *frame, const char *what, FILE *f)
{
	fprintf(f, "\tpush%s\n", what);
	frame_move(frame, WORD, f);
}

static void put_pop(const struct frame *frame, const char *what, FILE *f)
{
	fprintf(f, "\tpop%s\n", what);
	frame_move(frame, -WORD, f);
}

/* Saves rdi and, unless they are free (text_flags_are_free()), the flags, which takes long. */
static void put_save(const struct frame *frame, bool flags_free, FILE *f)
{
	fprintf(f, "\tleaq\t-%d(%%rsp), %%rsp\n", RED_ZONE);
	frame_move(frame, RED_ZONE, f);
	if (!flags_free)
		put_push(frame, "fq", f);
	put_push(frame, "q\t%rdi", f);
}

static void put_restore(const struct frame *frame, bool flags_free, FILE *f)
{
	put_pop(frame, "q\t%rdi", f);
	if (!flags_free)
		put_pop(frame, "fq", f);
	fprintf(f, "\tleaq\t%d(%%rsp), %%rsp\n", RED_ZONE);
	frame_move(frame, -RED_ZONE, f);
}

/* Writes the operand of an instruction, as the operand of the lea in a report. The report has
 * lowered the stack pointer by `saved` bytes, so addresses relative to %rsp are corrected. */
static void put_operand(FILE *f, struct x86_text operand, int saved)
{
	if (x86_has(operand, "(%rsp"))
		fprintf(f, "%d%s", saved, *operand.at == '(' ? "" : "+");
	fprintf(f, "%.*s", operand.n, operand.at);
}

/* What a report needs to know of its instruction. */
struct report {
	bool repeated, flags_free;
};

/* Writes code that reports the access a, made by the instruction at the label .Lmemdb_at<site>. */
static void put_report(const struct state *s, const struct x86_access *a, struct report r, FILE *f)
{
	const unsigned lane = r.repeated ? 0 : lane_of(s);

	put_save(&s->frame, r.flags_free, f);
	put_push(&s->frame, "q\t%rsi", f);
	put_push(&s->frame, "q\t%rdx", f);
	fputs("\tleaq\t", f);
	put_operand(f, a->operand, RED_ZONE + (r.flags_free ? 3 : 4) * WORD);
	fprintf(f, ", %%rdi\n\tleaq\t.Lmemdb_at%u(%%rip), %%rsi\n\tmovl\t$%u, %%edx\n", s->sites,
		a->kind | a->bytes << ENTRY_BYTES_SHIFT |
			(a->thread_local ? ENTRY_THREAD_LOCAL : 0) | lane << ENTRY_LANE_SHIFT);
	fprintf(f, "\tcall\t%s\n", r.repeated ? "memdb_soft_repeat" : "memdb_soft_at");
	put_pop(&s->frame, "q\t%rdx", f);
	put_pop(&s->frame, "q\t%rsi", f);
	put_restore(&s->frame, r.flags_free, f);
}

/* Reports the accesses of the instruction in line i of the text. */
static void put_reports(const struct state *s, int i, FILE *f)
{
	struct x86 x;

	x86_parse(s->text->line[i].text, &x);
	for (unsigned n = 0; n < x.naccesses; n++)
		put_report(s, &x.access[n],
			   (struct report){ x.repeated, text_flags_are_free(s->text, i) }, f);
}

/* Writes line i of the text to s->out, and passes it to regions_read() and frame_read(). */
static void put_line(struct state *s, int i)
{
	regions_read(&s->regions, s->text, i, s->out);
	fprintf(s->out, "%s\n", s->text->line[i].text);
	frame_read(&s->frame, s->text->line[i].text, s->out);
}

/* Writes the check of block b, and to s->copies the start of the block's copy, which calls
 * memdb_soft_enter. */
static void put_check(struct state *s, const struct block *b)
{
	frame_copy(&s->frame, s->copies);
	if (!b->flags_free)
		put_save(&s->frame, false, s->out);
	fprintf(s->out, "\tsubq\t$%u, %%fs:memdb_soft_far@tpoff+%u\n\tjs\t.Lmemdb_copy%u\n",
		b->accesses, 8 * lane_of(s), s->blocks);
	fprintf(s->copies, ".Lmemdb_copy%u:\n", s->blocks);
	if (!b->flags_free) {
		put_restore(&s->frame, false, s->out);
		frame_move(&s->frame, RED_ZONE + 2 * WORD, s->copies);
		put_restore(&s->frame, false, s->copies);
	}
	put_save(&s->frame, b->flags_free, s->copies);
	put_push(&s->frame, "q\t%rsi", s->copies);
	fprintf(s->copies, "\tmovl\t$%u, %%edi\n\tmovl\t$%u, %%esi\n\tcall\tmemdb_soft_enter\n",
		b->accesses, lane_of(s));
	put_pop(&s->frame, "q\t%rsi", s->copies);
	put_restore(&s->frame, b->flags_free, s->copies);
}

/* Writes to s->copies the reports of the accesses of the instruction in line i. Writes to s->out
 * the label by which the reports name the instruction. `copied` means that the copy of the block
 * also contains the instruction itself. */
static void put_insn(struct state *s, int i, bool copied)
{
	const struct line *l = &s->text->line[i];

	if (l->accesses) {
		fprintf(s->out, ".Lmemdb_at%u:\n", s->sites);
		put_reports(s, i, s->copies);
		s->sites++;
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
			put_insn(s, i, true);
		put_line(s, i);
		frame_copy(&s->frame, s->copies);
	}
	fprintf(s->out, ".Lmemdb_end%u:\n", s->blocks);
	if (b->with_end)
		put_insn(s, b->end, false);
	fprintf(s->copies, "\tjmp\t.Lmemdb_end%u\n.Lmemdb_left%u:\n", s->blocks, s->blocks);
	regions_add(&s->regions, s->blocks++);
}

/* Finds the next block with accesses, at or after line `from` and before the next line that ends a
 * block. Sets b->begin to the block's first access, or to an earlier line where the flags are not
 * needed, so that the check may change them. Returns false if there is no such block; b->end is set
 * in any case. */
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
	if (s->size)
		frame_begin_copies(&s->frame, s->out);
	fwrite(s->buffer, 1, s->size, s->out);
	free(s->buffer);
}

/* Writes a line of assembly that belongs to no block. Before a string instruction with rep, writes
 * the code that reports its accesses. At the end of a function, also writes the copies of the
 * function's blocks. Returns false if out of memory. */
static bool put_other(struct state *s, int i)
{
	const struct line *l = &s->text->line[i];

	if (l->kind == LINE_END) {
		put_copies(s);
		if (!begin_copies(s))
			return false;
	}
	if (l->kind == LINE_INSN && l->repeated) {
		put_reports(s, i, s->out);
		fprintf(s->out, ".Lmemdb_at%u:\n", s->sites++);
	}
	put_line(s, i);
	return true;
}

bool instrument(const struct text *t, FILE *out)
{
	struct state s = { .text = t, .out = out, .regions.now = REGION_NONE };
	struct block b;

	if (!begin_copies(&s))
		return false;
	for (int i = 0; i < t->n;) {
		const bool found = find_block(t, i, &b);

		for (; i < (found ? b.begin : b.end); i++)
			put_line(&s, i);
		if (found)
			put_block(&s, &b);
		i = b.end;
		if (i < t->n && !b.full && !put_other(&s, i++))
			return false;
	}
	fputs("\t.text\n", out);
	put_copies(&s);
	/* shows the sampler that the program has checks */
	fputs("\t.comm\tmemdb_checked,1,1\n", out);
	frame_release(&s.frame);
	regions_release(&s.regions);
	return !s.frame.failed && !s.regions.failed;
}
