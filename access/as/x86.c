/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "x86.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sampler_kind.h"
#include "asm_words.h"

bool x86_has(struct x86_text text, const char *what)
{
	return memmem(text.at, (size_t)text.n, what, strlen(what));
}

/* Is `word` one of the words in `names`, perhaps with a letter for the operand's size (b, w, l, q)
 * at its end? */
static bool is_sized(const char *word, const char *names)
{
	char bare[32];
	const size_t n = strlen(word);

	if (word_in(word, names))
		return true;
	if (n < 2 || !strchr("bwlq", word[n - 1]))
		return false;
	snprintf(bare, sizeof(bare), "%.*s", (int)(n - 1), word);
	return word_in(bare, names);
}

/* Is the address of this operand a vector of addresses (instructions that gather or scatter)? */
static bool is_many(struct x86_text operand)
{
	return x86_has(operand, ",%xmm") || x86_has(operand, ",%ymm") || x86_has(operand, ",%zmm");
}

static const char jumps[] = "jmp ja jae jb jbe jc je jg jge jl jle jna jnae jnb jnbe jnc jne jng "
			    "jnge jnl jnle jno jnp jns jnz jo jp jpe jpo js jz jmpq";

static bool is_call(const char *m)
{
	return word_in(m, "call callq");
}

/* Returns how the instruction m accesses the last of its n operands, which is in memory:
 * ACCESS_LOAD, ACCESS_STORE or both. */
static unsigned kind_of_last(const char *m, unsigned n)
{
	const char *plain = *m == 'v' ? m + 1 : m;

	if (is_sized(
		    m,
		    "add sub and or xor adc sbb inc dec neg not shl sal shr sar rol ror rcl "
		    "rcr shld "
		    "shrd bts btr btc xadd cmpxchg xchg cmpxchg8b cmpxchg16b aadd aand aor axor") ||
	    word_ends(m, "xadd")) /* also cmpbexadd and similar instructions */
		return ACCESS_LOAD | ACCESS_STORE;
	if (word_starts_in(plain, "mov pextr extract compress pmov scatter cvtps2ph maskmov") ||
	    word_starts_in(m, "vpmaskmov vpcompress kmov"))
		return n > 1 ? ACCESS_STORE : ACCESS_LOAD;
	if (word_starts_in(m, "set fst fnst fist fbst") || word_in(plain, "stmxcsr") ||
	    is_sized(m, "pop"))
		return ACCESS_STORE;
	return ACCESS_LOAD;
}

static void add_access(struct x86 *x, struct x86_text operand, unsigned kind, unsigned bytes)
{
	struct x86_access *a = &x->access[x->naccesses++];
	const char *at = operand.at + (*operand.at == '*'), *end = operand.at + operand.n, *mask;

	a->thread_local = word_starts(at, "%fs:");
	at += a->thread_local ? strlen("%fs:") : 0;
	mask = memchr(at, '{', (size_t)(end - at));
	a->operand = (struct x86_text){ at, (int)((mask ? mask : end) - at) };
	a->kind = kind;
	a->bytes = bytes;
}

/* If w is a string instruction, whose operands are (%rsi) and (%rdi), fills *x. Otherwise returns
 * false. */
static bool parse_string(const struct words *w, struct x86 *x)
{
	const char *m = w->mnemonic;
	const size_t n = strlen(m);
	const bool bare = !w->n || x86_has(w->operand[0], "(%rsi)") ||
			  x86_has(w->operand[w->n - 1], "(%rdi)");
	unsigned bytes;

	if (n != 5 || !word_starts_in(m, "movs stos lods cmps scas") || !bare ||
	    (w->n && x86_has(w->operand[0], "%") && word_starts(m, "movs") &&
	     !x86_has(w->operand[w->n - 1], "(%rdi)")))
		return false;
	bytes = words_letter_bytes(m[4]);
	if (!bytes)
		return false;
	x->repeated = w->rep;
	x->ends_block = w->rep;
	if (word_starts_in(m, "cmps scas")) {
		/* the number of repetitions depends on the data, so the accesses cannot be counted
		 * before the instruction runs */
		x->ends_block = true;
		x->repeated = false;
		return true;
	}
	if (word_starts_in(m, "movs lods"))
		add_access(x, (struct x86_text){ "(%rsi)", 6 }, ACCESS_LOAD, bytes);
	if (word_starts_in(m, "movs stos"))
		add_access(x, (struct x86_text){ "(%rdi)", 6 }, ACCESS_STORE, bytes);
	return true;
}

static void parse_memory(const struct words *w, struct x86 *x)
{
	const char *m = w->mnemonic;

	if (parse_string(w, x) || word_starts_in(m, "lea nop prefetch clflush clwb cldemote "
						    "endbr movabs fxsave fxrstor fsave fnsave "
						    "frstor xsave xrstor tile ldtile sttile"))
		return;
	for (unsigned i = 0; i < w->n; i++) {
		const struct x86_text o = w->operand[i];

		if (x->ends_block && (!o.n || *o.at != '*' ||
				      !words_is_memory((struct x86_text){ o.at + 1, o.n - 1 })))
			continue; /* the target of a jump or call */
		/* not counted: gathers and scatters, operands in %gs, and loads from the global
		 * offset table, which the linker may turn into a lea */
		if (!words_is_memory(o) || is_many(o) || word_starts(o.at, "%gs:") ||
		    x86_has(o, "@GOT") || x86_has(o, "@gott"))
			continue;
		add_access(x, o,
			   word_starts(m, "xchg") ? ACCESS_LOAD | ACCESS_STORE
			   : i + 1 == w->n        ? kind_of_last(m, w->n)
						  : ACCESS_LOAD,
			   words_bytes(w));
		return;
	}
}

static void parse_flow(const struct words *w, struct x86 *x)
{
	const char *m = w->mnemonic;
	const bool jump = word_in(m, jumps);

	x->leaves = word_in(m, "jmp jmpq ret retq ud2 hlt int3");
	x->ends_block = jump || x->leaves || is_call(m) ||
			word_starts_in(m, "sys int iret x j loop data16 rex .");
	/* instructions that begin with x: those for transactions and system state end a block;
	 * others, such as xadd, xchg and xor, do not */
	if (*m == 'x' && !word_in(m, "xbegin xend xabort xsave xsavec xsaveopt xrstor xgetbv xlat"))
		x->ends_block = false;
	if (jump && w->n == 1 && *w->operand[0].at != '*')
		x->target = w->operand[0];
	for (unsigned i = 0; i < w->n; i++)
		if (x86_has(w->operand[i], "@tls") || x86_has(w->operand[i], "@TLS") ||
		    x86_has(w->operand[i], "@dtpoff"))
			x->ends_block = true;
}

static void parse_flags(const struct words *w, struct x86 *x)
{
	const char *m = w->mnemonic;

	x->reads_flags = (word_in(m, jumps) && !word_starts(m, "jmp")) ||
			 word_starts_in(m, "set cmov fcmov adc sbb rcl rcr pushf lahf cmc loop");
	x->sets_flags =
		!x->reads_flags &&
		(is_sized(m, "add sub cmp test and or xor neg imul mul") ||
		 word_in(m, "ucomiss ucomisd comiss comisd vucomiss vucomisd vcomiss vcomisd") ||
		 (is_sized(m, "shl sal shr sar") && (w->n == 1 || *w->operand[0].at == '$')) ||
		 is_call(m) || x->leaves);
	if (word_starts(m, "jmp"))
		x->sets_flags = false;
}

void x86_parse(const char *statement, struct x86 *x)
{
	struct words w;

	memset(x, 0, sizeof(*x));
	words_split(statement, &w);
	parse_flow(&w, x);
	parse_flags(&w, x);
	parse_memory(&w, x);
}
