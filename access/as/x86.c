/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "x86.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "sampler_kind.h"

struct words {
	char mnemonic[32];
	unsigned n;
	struct x86_text operand[X86_OPERANDS];
	bool rep;
};

/* Is `word` one of the words in `names`, which spaces separate? */
static bool is_one_of(const char *word, const char *names)
{
	const size_t n = strlen(word);

	for (const char *at = names; n && (at = strstr(at, word)); at += n)
		if ((at == names || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

static bool starts(const char *word, const char *with)
{
	return !strncmp(word, with, strlen(with));
}

bool x86_has(struct x86_text text, const char *what)
{
	return memmem(text.at, (size_t)text.n, what, strlen(what));
}

static bool starts_with_one_of(const char *word, const char *names)
{
	for (const char *at = names; *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (!strncmp(word, at, strcspn(at, " ")))
			return true;
	return false;
}

/* Is `word` one of the words in `names`, perhaps with a letter for the operand's size (b, w, l, q)
 * at its end? */
static bool is_sized(const char *word, const char *names)
{
	char bare[32];
	const size_t n = strlen(word);

	if (is_one_of(word, names))
		return true;
	if (n < 2 || !strchr("bwlq", word[n - 1]))
		return false;
	snprintf(bare, sizeof(bare), "%.*s", (int)(n - 1), word);
	return is_one_of(bare, names);
}

/* Copies the first word of s to `word`, which has room for `room` bytes. Returns the text after it.
 */
static const char *next_word(const char *s, char *word, size_t room)
{
	size_t n;

	s += strspn(s, " \t;");
	n = strcspn(s, " \t;");
	snprintf(word, room, "%.*s", (int)n, s);
	return s + n;
}

/* Returns the length of an operand: up to a comma outside of parentheses, or a comment. */
static size_t operand_length(const char *s)
{
	int depth = 0;
	size_t n = 0;

	for (; s[n] && s[n] != '#' && (depth || s[n] != ','); n++)
		depth += (s[n] == '(' || s[n] == '{') - (s[n] == ')' || s[n] == '}');
	return n;
}

static void split(const char *s, struct words *w)
{
	size_t n;

	memset(w, 0, sizeof(*w));
	for (;;) {
		s = next_word(s, w->mnemonic, sizeof(w->mnemonic));
		if (is_one_of(w->mnemonic, "rep repz repe repnz repne"))
			w->rep = true;
		else if (!is_one_of(w->mnemonic, "lock notrack bnd"))
			break;
	}
	for (s += strspn(s, " \t"); *s && *s != '#' && w->n < X86_OPERANDS; w->n++) {
		const char *at = s;

		n = operand_length(s);
		s += n;
		while (n && isspace((unsigned char)at[n - 1]))
			n--;
		w->operand[w->n] = (struct x86_text){ at, (int)n };
		s += *s == ',';
		s += strspn(s, " \t");
	}
}

static bool is_memory(struct x86_text operand)
{
	const char *o = operand.at;

	return operand.n && *o != '$' && *o != '{' &&
	       (*o != '%' || starts(o, "%fs:") || starts(o, "%gs:"));
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
	return is_one_of(m, "call callq");
}

/* Given that the last of the n operands of the mnemonic m is in memory: returns whether it is
 * loaded (ACCESS_LOAD), stored (ACCESS_STORE) or both. */
static unsigned kind_of_last(const char *m, unsigned n)
{
	const char *plain = *m == 'v' ? m + 1 : m;

	if (is_sized(m, "add sub and or xor adc sbb inc dec neg not shl sal shr sar rol ror rcl "
			"rcr shld "
			"shrd bts btr btc xadd cmpxchg xchg cmpxchg8b cmpxchg16b"))
		return ACCESS_LOAD | ACCESS_STORE;
	if (starts_with_one_of(plain, "mov pextr extract compress pmov scatter cvtps2ph maskmov") ||
	    starts_with_one_of(m, "vpmaskmov vpcompress kmov"))
		return n > 1 ? ACCESS_STORE : ACCESS_LOAD;
	if (starts_with_one_of(m, "set fst fnst fist fxsave xsave fsave fnsave") ||
	    is_one_of(plain, "stmxcsr") || is_sized(m, "pop"))
		return ACCESS_STORE;
	return ACCESS_LOAD;
}

static unsigned letter_bytes(char c)
{
	return c == 'b' ? 1 : c == 'w' ? 2 : c == 'l' ? 4 : c == 'q' ? 8 : 0;
}

/* Returns the size in bytes of a general register; `name` is without '%' and has n
 * characters. */
static unsigned register_bytes(const char *name, int n)
{
	if (n < 2)
		return 0;
	if (isdigit((unsigned char)name[1])) /* r8 to r15, r8d, r8w, r8b */
		return name[n - 1] == 'd' ? 4 : name[n - 1] == 'w' ? 2 : name[n - 1] == 'b' ? 1 : 8;
	if (*name == 'r')
		return 8;
	if (*name == 'e')
		return 4;
	return name[n - 1] == 'l' || name[n - 1] == 'h' ? 1 : 2;
}

/* Returns how many bytes of memory a conversion of vectors accesses; 0 if m is none. */
static unsigned conversion_bytes(const char *m, unsigned whole)
{
	m += *m == 'v';
	if (starts_with_one_of(m, "cvtsi2 cvtusi2"))
		return m[strlen(m) - 1] == 'q' ? 8 : 4;
	if (starts_with_one_of(m, "cvtss2 cvttss2"))
		return 4;
	if (starts_with_one_of(m, "cvtsd2 cvttsd2"))
		return 8;
	if (starts_with_one_of(m, "cvtps2pd cvtdq2pd cvtudq2pd cvtph2ps cvtps2ph cvtps2qq "
				  "cvttps2qq cvtps2uqq cvttps2uqq"))
		return whole / 2;
	/* an x or y at the end tells how much is converted to an xmm register */
	if (starts_with_one_of(m, "cvtpd2ps cvtpd2dq cvttpd2dq cvtpd2udq cvttpd2udq cvtqq2ps "
				  "cvtuqq2ps"))
		return whole == 32 ? 64 : m[strlen(m) - 1] == 'y' ? 32 : 16;
	return 0;
}

/* Returns how many bytes of memory are loaded for an operand that is one element, for all of a
 * vector: {1to8}. */
static unsigned element_bytes(const char *m)
{
	if (starts_with_one_of(m, "vcvt"))
		return starts_with_one_of(m, "vcvtpd vcvttpd vcvtqq vcvtuqq") ? 8 : 4;
	if (is_one_of(m, "vpunpckldq vpunpckhdq"))
		return 4;
	return m[strlen(m) - 1] == 'q' || strstr(m, "pd") ? 8 : 4;
}

/* Returns how many bytes of memory a vector instruction accesses. `whole` is the size of its vector
 * register. */
static unsigned vector_bytes(const char *m, unsigned whole)
{
	const size_t n = strlen(m);
	const char *end = m + (n > 2 ? n - 2 : 0), *plain = *m == 'v' ? m + 1 : m;

	if (conversion_bytes(m, whole))
		return conversion_bytes(m, whole);
	if (starts_with_one_of(plain, "movlp movhp movq") ||
	    is_one_of(plain, "broadcastsd broadcastf32x2 broadcasti32x2 pbroadcastq pinsrq pextrq"))
		return 8;
	if (is_one_of(plain, "movddup"))
		return whole == 16 ? 8 : whole;
	if (is_one_of(plain, "movd broadcastss pbroadcastd pinsrd pextrd insertps extractps"))
		return 4;
	if (is_one_of(plain, "pinsrw pextrw pbroadcastw"))
		return 2;
	if (is_one_of(plain, "pinsrb pextrb pbroadcastb"))
		return 1;
	/* loads that widen each element, and stores that truncate it */
	if (starts(plain, "pmov"))
		return is_one_of(end, "bq qb")         ? whole / 8
		       : is_one_of(end, "bd db wq qw") ? whole / 4
						       : whole / 2;
	if (starts_with_one_of(m, "vinsert vextract vbroadcast"))
		return strstr(m, "64x4") || strstr(m, "32x8") ? 32 : 16;
	if (*plain == 'p') /* integers: the sd of pmaxsd and pabsd is for signed words */
		return whole;
	return is_one_of(end, "ss") ? 4 : is_one_of(end, "sd") ? 8 : whole;
}

static unsigned x87_bytes(const char *m)
{
	const char last = m[strlen(m) - 1];

	if (strstr(m, "cw") || strstr(m, "sw"))
		return 2;
	if (m[1] == 'i') /* the mnemonic is of an integer: filds, fildl, fildll */
		return last == 's' ? 2 : strstr(m, "ll") || last == 'q' ? 8 : 4;
	return last == 's' ? 4 : last == 't' ? 10 : 8;
}

static unsigned bytes_of(const struct words *w)
{
	const char *m = w->mnemonic;
	const size_t n = strlen(m);
	unsigned general = 0, whole = 0;

	for (unsigned i = w->n; i-- > 0;) {
		const char *o = w->operand[i].at;

		if (x86_has(w->operand[i], "{1to"))
			return element_bytes(m);
		if (starts(o, "%zmm") || starts(o, "%ymm") || starts(o, "%xmm"))
			whole = whole ? whole : o[1] == 'z' ? 64 : o[1] == 'y' ? 32 : 16;
		if (*o == '%' && !is_memory(w->operand[i]) && !general && o[1] != 'k')
			general = register_bytes(o + 1, w->operand[i].n - 1);
	}
	if (whole)
		return vector_bytes(m, whole);
	if (starts_with_one_of(m, "movzb movsb"))
		return 1;
	if (starts_with_one_of(m, "movzw movsw"))
		return 2;
	if (starts_with_one_of(m, "movslq movsl"))
		return 4;
	if (*m == 'f')
		return x87_bytes(m);
	if (starts(m, "cvt") || starts(m, "vcvt"))
		return strstr(m, "ss2") ? 4 : 8;
	if (starts(m, "set"))
		return 1;
	if (is_one_of(m, "stmxcsr ldmxcsr vstmxcsr vldmxcsr"))
		return 4;
	if (is_one_of(m, "cmpxchg16b"))
		return 16;
	if (is_one_of(m, "kmovd"))
		return 4;
	if (is_one_of(m, "push pop call jmp jmpq cmpxchg8b"))
		return 8;
	/* the mnemonic's last letter gives the size; the register (a shift's count, a sum) has
	 * another size */
	if (starts_with_one_of(m, "sh sa ro rc crc32") && letter_bytes(m[n - 1]))
		return letter_bytes(m[n - 1]);
	return general ? general : letter_bytes(m[n - 1]) ? letter_bytes(m[n - 1]) : 8;
}

static void add_access(struct x86 *x, struct x86_text operand, unsigned kind, unsigned bytes)
{
	struct x86_access *a = &x->access[x->naccesses++];
	const char *at = operand.at + (*operand.at == '*'), *end = operand.at + operand.n, *mask;

	a->thread_local = starts(at, "%fs:");
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

	if (n != 5 || !starts_with_one_of(m, "movs stos lods cmps scas") || !bare ||
	    (w->n && x86_has(w->operand[0], "%") && starts(m, "movs") &&
	     !x86_has(w->operand[w->n - 1], "(%rdi)")))
		return false;
	bytes = letter_bytes(m[4]);
	if (!bytes)
		return false;
	x->repeated = w->rep;
	x->ends_block = w->rep;
	if (starts_with_one_of(m, "cmps scas")) {
		/* how often it repeats depends on the data, so its accesses cannot be counted
		 * before it runs */
		x->ends_block = true;
		x->repeated = false;
		return true;
	}
	if (starts_with_one_of(m, "movs lods"))
		add_access(x, (struct x86_text){ "(%rsi)", 6 }, ACCESS_LOAD, bytes);
	if (starts_with_one_of(m, "movs stos"))
		add_access(x, (struct x86_text){ "(%rdi)", 6 }, ACCESS_STORE, bytes);
	return true;
}

static void parse_memory(const struct words *w, struct x86 *x)
{
	const char *m = w->mnemonic;

	if (parse_string(w, x) ||
	    starts_with_one_of(m, "lea nop prefetch clflush clwb cldemote endbr movabs"))
		return;
	for (unsigned i = 0; i < w->n; i++) {
		const struct x86_text o = w->operand[i];

		if (x->ends_block &&
		    (!o.n || *o.at != '*' || !is_memory((struct x86_text){ o.at + 1, o.n - 1 })))
			continue; /* the target of a jump or call */
		/* the linker may turn a load from such a table of addresses into a lea, which loads
		 * nothing */
		if (!is_memory(o) || is_many(o) || starts(o.at, "%gs:") || x86_has(o, "@GOT") ||
		    x86_has(o, "@gott"))
			continue;
		add_access(x, o,
			   starts(m, "xchg") ? ACCESS_LOAD | ACCESS_STORE
			   : i + 1 == w->n   ? kind_of_last(m, w->n)
					     : ACCESS_LOAD,
			   bytes_of(w));
		return;
	}
}

static void parse_flow(const struct words *w, struct x86 *x)
{
	const char *m = w->mnemonic;
	const bool jump = is_one_of(m, jumps);

	x->leaves = is_one_of(m, "jmp jmpq ret retq ud2 hlt int3");
	x->ends_block = jump || x->leaves || is_call(m) ||
			starts_with_one_of(m, "sys int iret x j loop data16 rex .");
	/* of the instructions that begin with x, only those for transactions and system states end
	 * a block: not xadd, xchg, xor and the like */
	if (*m == 'x' &&
	    !is_one_of(m, "xbegin xend xabort xsave xsavec xsaveopt xrstor xgetbv xlat"))
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

	x->reads_flags =
		(is_one_of(m, jumps) && !starts(m, "jmp")) ||
		starts_with_one_of(m, "set cmov fcmov adc sbb rcl rcr pushf lahf cmc loop");
	x->sets_flags =
		!x->reads_flags &&
		(is_sized(m, "add sub cmp test and or xor neg imul mul") ||
		 is_one_of(m, "ucomiss ucomisd comiss comisd vucomiss vucomisd vcomiss vcomisd") ||
		 (is_sized(m, "shl sal shr sar") && (w->n == 1 || *w->operand[0].at == '$')) ||
		 is_call(m) || x->leaves);
	if (starts(m, "jmp"))
		x->sets_flags = false;
}

void x86_parse(const char *statement, struct x86 *x)
{
	struct words w;

	memset(x, 0, sizeof(*x));
	split(statement, &w);
	parse_flow(&w, x);
	parse_flags(&w, x);
	parse_memory(&w, x);
}
