/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The instructions that the decoder tests decode. Each has its bytes and two formulas for the
 * address of its operand: one from the registers before the instruction, and one from the registers
 * after it. */
#ifndef MEMDB_TESTS_DECODE_TABLES_H
#define MEMDB_TESTS_DECODE_TABLES_H

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "decode/decode.h"
#include "decode/perf_regs.h"

/*
 * A memory access is written like "L8 ax": a load (L) of 8 bytes at the address in rax. S is a
 * store, LS a load and a store, ! an atomic access, and a size of 0 is unknown. The address is a
 * formula over the registers. "(32)" means modulo 2^32. "w2u" is the lower half of x2,
 * zero-extended; "w2s" is sign-extended.
 *
 * `next` is the formula for the registers before the instruction, `retired` for those after it. "-"
 * means that the address cannot be computed from the registers.
 */
struct decode_case {
	const char *text;
	size_t len;
	const char *bytes;
	const char *next, *retired;
};

/* clang-format off */
static const struct decode_case x86_cases[] = {
	{ "mov (%rax),%rdx", 3, "\x48\x8b\x10", "L8 ax", "L8 ax" },
	{ "mov (%rax),%rax", 3, "\x48\x8b\x00", "L8 ax", "-" },
	{ "mov 16(%rax,%rcx,4),%edx", 4, "\x8b\x54\x88\x10", "L4 ax+cx*4+16", "L4 ax+cx*4+16" },
	{ "mov -8(%rbp),%eax", 3, "\x8b\x45\xf8", "L4 bp-8", "L4 bp-8" },
	{ "mov (%rax,%rcx),%rcx", 4, "\x48\x8b\x0c\x08", "L8 ax+cx", "-" },
	{ "mov (%rax,%rcx),%rax", 4, "\x48\x8b\x04\x08", "L8 ax+cx", "-" },
	{ "mov %rax,(%rax)", 3, "\x48\x89\x00", "S8 ax", "S8 ax" },
	{ "mov %dx,2(%r8)", 5, "\x66\x41\x89\x50\x02", "S2 r8+2", "S2 r8+2" },
	{ "movb $1,(%r15,%r12,8)", 5, "\x43\xc6\x04\xe7\x01", "S1 r15+r12*8", "S1 r15+r12*8" },
	{ "movzbl (%rsi),%eax", 3, "\x0f\xb6\x06", "L1 si", "L1 si" },
	{ "movzbl (%rax),%eax", 3, "\x0f\xb6\x00", "L1 ax", "-" },
	{ "mov (%rsi),%ah", 2, "\x8a\x26", "L1 si", "L1 si" },
	{ "mov (%rax),%ah", 2, "\x8a\x20", "L1 ax", "-" },
	{ "movslq (%rax),%dx", 3, "\x66\x63\x10", "L0 ax", "L0 ax" },
	{ "movslq (%rdi,%rax,4),%rax", 4, "\x48\x63\x04\x87", "L4 di+ax*4", "-" },
	{ "mov 8(%rip),%rax", 7, "\x48\x8b\x05\x08\x00\x00\x00", "L8 ip+15", "L8 ip+8" },
	{ "mov %eax,-4096(%rip)", 6, "\x89\x05\x00\xf0\xff\xff", "S4 ip-4090", "S4 ip-4096" },
	{ "mov 8(%eip),%ecx", 7, "\x67\x8b\x0d\x08\x00\x00\x00", "L4 ip+15 (32)", "L4 ip+8 (32)" },
	{ "mov (%eax,%ebx,2),%ecx", 4, "\x67\x8b\x0c\x58", "L4 ax+bx*2 (32)", "L4 ax+bx*2 (32)" },
	{ "mov table(,%rax,8),%rdx", 8, "\x48\x8b\x14\xc5\x00\x00\x00\x00", "L8 ax*8", "L8 ax*8" },
	{ "mov 0x601040,%eax", 7, "\x8b\x04\x25\x40\x10\x60\x00", "L4 6295616", "L4 6295616" },
	{ "movabs 0x1122334455667788,%al", 9, "\xa0\x88\x77\x66\x55\x44\x33\x22\x11", "L1 1234605616436508552", "L1 1234605616436508552" },
	{ "mov %fs:0x28,%rax", 9, "\x64\x48\x8b\x04\x25\x28\x00\x00\x00", "L8 40 (fs)", "L8 40 (fs)" },
	{ "mov %rcx,%gs:(%rdi)", 4, "\x65\x48\x89\x0f", "-fs-relative", "-" },
	{ "lea 8(%rax),%rcx", 4, "\x48\x8d\x48\x08", "-no-operand", "-" },
	{ "nopw 0(%rax,%rax,1)", 5, "\x66\x0f\x1f\x04\x00", "-no-operand", "-" },
	{ "prefetcht0 (%rdi)", 3, "\x0f\x18\x0f", "-no-operand", "-" },
	{ "prefetchw (%rdi)", 3, "\x0f\x0d\x0f", "-no-operand", "-" },
	{ "prefetchwt1 (%rdi)", 3, "\x0f\x0d\x17", "-no-operand", "-" },
	{ "clflushopt (%rdi)", 4, "\x66\x0f\xae\x3f", "-no-operand", "-" },
	{ "clwb (%rdi)", 4, "\x66\x0f\xae\x37", "-no-operand", "-" },
	{ "endbr64", 4, "\xf3\x0f\x1e\xfa", "-no-operand", "-" },
	{ "rdsspq %rax", 5, "\xf3\x48\x0f\x1e\xc8", "-no-operand", "-" },
	{ "cmp %eax,(%rdi)", 2, "\x39\x07", "L4 di", "L4 di" },
	{ "cmp (%rdi),%rax", 3, "\x48\x3b\x07", "L8 di", "L8 di" },
	{ "testb $1,3(%rdi)", 4, "\xf6\x47\x03\x01", "L1 di+3", "L1 di+3" },
	{ "add %rax,(%rdi)", 3, "\x48\x01\x07", "LS8 di", "LS8 di" },
	{ "add (%rdi),%rdi", 3, "\x48\x03\x3f", "L8 di", "-" },
	{ "incl (%rdi)", 2, "\xff\x07", "LS4 di", "LS4 di" },
	{ "negq 8(%rdi)", 4, "\x48\xf7\x5f\x08", "LS8 di+8", "LS8 di+8" },
	{ "shlq $3,(%rdi)", 4, "\x48\xc1\x27\x03", "LS8 di", "LS8 di" },
	{ "lock incl (%rdi)", 3, "\xf0\xff\x07", "LS4! di", "LS4! di" },
	{ "lock xadd %eax,(%rdi)", 4, "\xf0\x0f\xc1\x07", "LS4! di", "LS4! di" },
	{ "lock xadd %rdi,(%rdi)", 5, "\xf0\x48\x0f\xc1\x3f", "LS8! di", "-" },
	{ "xchg %eax,(%rdi)", 2, "\x87\x07", "LS4! di", "LS4! di" },
	{ "xchg %rdi,(%rdi)", 3, "\x48\x87\x3f", "LS8! di", "-" },
	{ "lock cmpxchg %rcx,(%rdi)", 5, "\xf0\x48\x0f\xb1\x0f", "LS8! di", "LS8! di" },
	{ "lock cmpxchg %rcx,(%rax)", 5, "\xf0\x48\x0f\xb1\x08", "LS8! ax", "-" },
	{ "lock cmpxchg16b (%rdi)", 5, "\xf0\x48\x0f\xc7\x0f", "LS16! di", "LS16! di" },
	{ "btl %eax,(%rdi)", 3, "\x0f\xa3\x07", "-opaque", "-" },
	{ "lock btsl $3,(%rdi)", 5, "\xf0\x0f\xba\x2f\x03", "LS4! di", "LS4! di" },
	{ "btl $3,(%rdi)", 4, "\x0f\xba\x27\x03", "L4 di", "L4 di" },
	{ "xlatb", 1, "\xd7", "-opaque", "-" },
	{ "cmovne (%rdi),%rax", 4, "\x48\x0f\x45\x07", "L8 di", "L8 di" },
	{ "sete (%rdi)", 3, "\x0f\x94\x07", "S1 di", "S1 di" },
	{ "imull (%rdi)", 2, "\xf7\x2f", "L4 di", "L4 di" },
	{ "imull (%rax)", 2, "\xf7\x28", "L4 ax", "-" },
	{ "divq (%rdx)", 3, "\x48\xf7\x32", "L8 dx", "-" },
	{ "imul $3,(%rdi),%rax", 4, "\x48\x6b\x07\x03", "L8 di", "L8 di" },
	{ "mulx (%rdi),%rax,%rbx", 5, "\xc4\xe2\xfb\xf6\x1f", "L8 di", "L8 di" },
	{ "mulx (%rdi),%rdi,%rbx", 5, "\xc4\xe2\xc3\xf6\x1f", "L8 di", "-" },
	{ "mulx (%rdi),%rbx,%rdi", 5, "\xc4\xe2\xe3\xf6\x3f", "L8 di", "-" },
	{ "popcnt (%rdi),%rax", 5, "\xf3\x48\x0f\xb8\x07", "L8 di", "L8 di" },
	{ "crc32q (%rdi),%rax", 6, "\xf2\x48\x0f\x38\xf1\x07", "L8 di", "L8 di" },
	{ "movbe %rax,(%rdi)", 5, "\x48\x0f\x38\xf1\x07", "S8 di", "S8 di" },
	{ "movnti %rax,(%rdi)", 4, "\x48\x0f\xc3\x07", "S8 di", "S8 di" },
	{ "push %rax", 1, "\x50", "S8 sp-8", "S8 sp" },
	{ "pushq $1", 2, "\x6a\x01", "S8 sp-8", "S8 sp" },
	{ "pushw %ax", 2, "\x66\x50", "S2 sp-2", "S2 sp" },
	{ "push 8(%rsp)", 4, "\xff\x74\x24\x08", "L8 sp+8", "L8 sp+16" },
	{ "push 8(%rdi)", 3, "\xff\x77\x08", "L8 di+8", "L8 di+8" },
	{ "pop %rax", 1, "\x58", "L8 sp", "L8 sp-8" },
	{ "pop %rsp", 1, "\x5c", "L8 sp", "-" },
	{ "pop 8(%rdi)", 3, "\x8f\x47\x08", "L8 sp", "L8 sp-8" },
	{ "pushfq", 1, "\x9c", "S8 sp-8", "S8 sp" },
	{ "popfq", 1, "\x9d", "L8 sp", "L8 sp-8" },
	{ "leave", 1, "\xc9", "L8 bp", "L8 sp-8" },
	{ "call .+64", 5, "\xe8\x3b\x00\x00\x00", "S8 sp-8", "-" },
	{ "call *8(%rax)", 3, "\xff\x50\x08", "L8 ax+8", "-" },
	{ "jmp *(%rax)", 2, "\xff\x20", "L8 ax", "-" },
	{ "ret", 1, "\xc3", "L8 sp", "-" },
	{ "jne .+64", 2, "\x75\x3e", "-no-operand", "-" },
	{ "rep movsb", 2, "\xf3\xa4", "L1 si", "-" },
	{ "movsq", 2, "\x48\xa5", "L8 si", "-" },
	{ "rep stosq", 3, "\xf3\x48\xab", "S8 di", "-" },
	{ "repne scasb", 2, "\xf2\xae", "L1 di", "-" },
	{ "lodsl", 1, "\xad", "L4 si", "-" },
	{ "cmpsl", 1, "\xa7", "L4 si", "-" },
	{ "xsave (%rdi)", 3, "\x0f\xae\x27", "S0 di", "S0 di" },
	{ "fxrstor (%rdi)", 3, "\x0f\xae\x0f", "L0 di", "L0 di" },
	{ "fldt (%rdi)", 2, "\xdb\x2f", "L10 di", "L10 di" },
	{ "fstpl (%rdi)", 2, "\xdd\x1f", "S8 di", "S8 di" },
	{ "fadds (%rdi)", 2, "\xd8\x07", "L4 di", "L4 di" },
	{ "fistpl (%rdi)", 2, "\xdb\x1f", "S4 di", "S4 di" },
	{ "movsd (%rdi),%xmm0", 4, "\xf2\x0f\x10\x07", "L8 di", "L8 di" },
	{ "movsd %xmm0,(%rdi)", 4, "\xf2\x0f\x11\x07", "S8 di", "S8 di" },
	{ "cmpltsd (%rdi),%xmm0", 5, "\xf2\x0f\xc2\x07\x01", "L8 di", "L8 di" },
	{ "movaps %xmm1,16(%rdi)", 4, "\x0f\x29\x4f\x10", "S16 di+16", "S16 di+16" },
	{ "movhps %xmm1,(%rdi)", 3, "\x0f\x17\x0f", "S8 di", "S8 di" },
	{ "cvttsd2si (%rdi),%rdi", 5, "\xf2\x48\x0f\x2c\x3f", "L8 di", "-" },
	{ "maskmovdqu %xmm1,%xmm2", 4, "\x66\x0f\xf7\xd1", "S0 di", "S0 di" },
	{ "pextrb $1,%xmm0,(%rdi)", 6, "\x66\x0f\x3a\x14\x07\x01", "S1 di", "S1 di" },
	{ "pcmpestri $0,(%rcx),%xmm1", 6, "\x66\x0f\x3a\x61\x09\x00", "L16 cx", "-" },
	{ "vmovntdq %ymm0,(%rdi)", 4, "\xc5\xfd\xe7\x07", "S32 di", "S32 di" },
	{ "vbroadcastss (%rdi),%ymm0", 5, "\xc4\xe2\x7d\x18\x07", "L4 di", "L4 di" },
	{ "vfmadd231pd (%rdi,%rax,8),%ymm1,%ymm2", 6, "\xc4\xe2\xf5\xb8\x14\xc7", "L32 di+ax*8", "L32 di+ax*8" },
	{ "vextracti128 $1,%ymm0,(%rdi)", 6, "\xc4\xe3\x7d\x39\x07\x01", "S16 di", "S16 di" },
	{ "vmaskmovps (%rdi),%ymm1,%ymm2", 5, "\xc4\xe2\x75\x2c\x17", "L0 di", "L0 di" },
	{ "vpmaskmovq %ymm1,%ymm2,(%rdi)", 5, "\xc4\xe2\xed\x8e\x0f", "S0 di", "S0 di" },
	{ "vgatherdpd %ymm3,(%rax,%xmm1,8),%ymm2", 6, "\xc4\xe2\xe5\x92\x14\xc8", "-vector", "-" },
	{ "vpgatherdd (%rax,%ymm1,4),%ymm2{%k1}", 7, "\x62\xf2\x7d\x29\x90\x14\x88", "-vector", "-" },
	{ "vpscatterdd %ymm2,(%rax,%ymm1,4){%k1}", 7, "\x62\xf2\x7d\x29\xa0\x14\x88", "-vector", "-" },
	{ "vmovups 64(%rax),%zmm1", 7, "\x62\xf1\x7c\x48\x10\x48\x01", "L64 ax+64", "L64 ax+64" },
	{ "vmovups 0x100(%rax),%ymm17", 7, "\x62\xe1\x7c\x28\x10\x48\x08", "L32 ax+256", "L32 ax+256" },
	{ "vmovups 1(%rax),%zmm17", 10, "\x62\xe1\x7c\x48\x10\x88\x01\x00\x00\x00", "L64 ax+1", "L64 ax+1" },
	{ "vpaddd 4(%rax){1to16},%zmm1,%zmm2", 7, "\x62\xf1\x75\x58\xfe\x50\x01", "L4 ax+4", "L4 ax+4" },
	{ "vmovups 64(%rax),%zmm1{%k1}{z}", 7, "\x62\xf1\x7c\xc9\x10\x48\x01", "L0 ax+64", "L0 ax+64" },
	{ "vmovups %zmm1,64(%rax){%k1}", 7, "\x62\xf1\x7c\x49\x11\x48\x01", "S0 ax+64", "S0 ax+64" },
	{ "vpexpandd (%rdi),%zmm0{%k1}", 6, "\x62\xf2\x7d\x49\x89\x07", "L0 di", "L0 di" },
};

static const struct decode_case arm64_cases[] = {
	{ "ldr x0,[x1]", 4, "\x20\x00\x40\xf9", "L8 x1", "L8 x1" },
	{ "ldr x1,[x1]", 4, "\x21\x00\x40\xf9", "L8 x1", "-" },
	{ "ldr w0,[x1,#4]", 4, "\x20\x04\x40\xb9", "L4 x1+4", "L4 x1+4" },
	{ "ldrb w0,[x1,x2]", 4, "\x20\x68\x62\x38", "L1 x1+x2", "L1 x1+x2" },
	{ "ldr x2,[x1,x2,lsl #3]", 4, "\x22\x78\x62\xf8", "L8 x1+x2*8", "-" },
	{ "ldr w0,[x1,w2,uxtw #2]", 4, "\x20\x58\x62\xb8", "L4 x1+w2u*4", "L4 x1+w2u*4" },
	{ "ldr w0,[x1,w2,sxtw]", 4, "\x20\xc8\x62\xb8", "L4 x1+w2s", "L4 x1+w2s" },
	{ "ldr x0,[x1,x2,sxtx #3]", 4, "\x20\xf8\x62\xf8", "L8 x1+x2*8", "L8 x1+x2*8" },
	{ "ldr q0,[x1,x2,lsl #4]", 4, "\x20\x78\xe2\x3c", "L16 x1+x2*16", "L16 x1+x2*16" },
	{ "ldrsw x0,[sp,#8]", 4, "\xe0\x0b\x80\xb9", "L4 sp+8", "L4 sp+8" },
	{ "ldrsh w0,[x1]", 4, "\x20\x00\xc0\x79", "L2 x1", "L2 x1" },
	{ "strh w1,[x1,#2]", 4, "\x21\x04\x00\x79", "S2 x1+2", "S2 x1+2" },
	{ "str xzr,[sp,#16]", 4, "\xff\x0b\x00\xf9", "S8 sp+16", "S8 sp+16" },
	{ "ldr x0,[x1],#8", 4, "\x20\x84\x40\xf8", "L8 x1", "L8 x1-8" },
	{ "ldr x0,[x1,#8]!", 4, "\x20\x8c\x40\xf8", "L8 x1+8", "L8 x1" },
	{ "str x0,[sp,#-16]!", 4, "\xe0\x0f\x1f\xf8", "S8 sp-16", "S8 sp" },
	{ "ldr q0,[x1],#16", 4, "\x20\x04\xc1\x3c", "L16 x1", "L16 x1-16" },
	{ "ldur x0,[x1,#-8]", 4, "\x20\x80\x5f\xf8", "L8 x1-8", "L8 x1-8" },
	{ "ldtr x0,[x1,#8]", 4, "\x20\x88\x40\xf8", "L8 x1+8", "L8 x1+8" },
	{ "ldp x0,x1,[x2,#16]", 4, "\x40\x04\x41\xa9", "L16 x2+16", "L16 x2+16" },
	{ "ldp x2,x1,[x2]", 4, "\x42\x04\x40\xa9", "L16 x2", "-" },
	{ "ldp w0,w1,[x2],#8", 4, "\x40\x04\xc1\x28", "L8 x2", "L8 x2-8" },
	{ "ldpsw x0,x1,[x2]", 4, "\x40\x04\x40\x69", "L8 x2", "L8 x2" },
	{ "ldp q0,q1,[x2,#-32]", 4, "\x40\x04\x7f\xad", "L32 x2-32", "L32 x2-32" },
	{ "stp x29,x30,[sp,#-32]!", 4, "\xfd\x7b\xbe\xa9", "S16 sp-32", "S16 sp" },
	{ "ldp x29,x30,[sp],#32", 4, "\xfd\x7b\xc2\xa8", "L16 sp", "L16 sp-32" },
	{ "ldnp d0,d1,[x2]", 4, "\x40\x04\x40\x6c", "L16 x2", "L16 x2" },
	{ "ldr x0,.+16", 4, "\x80\x00\x00\x58", "L8 ip+16", "L8 ip+12" },
	{ "ldrsw x0,.-16", 4, "\x80\xff\xff\x98", "L4 ip-16", "L4 ip-20" },
	{ "ldr q0,.+32", 4, "\x00\x01\x00\x9c", "L16 ip+32", "L16 ip+28" },
	{ "ldxr x0,[x1]", 4, "\x20\x7c\x5f\xc8", "L8! x1", "L8! x1" },
	{ "stlxr w3,x0,[x1]", 4, "\x20\xfc\x03\xc8", "S8! x1", "S8! x1" },
	{ "ldxp x0,x1,[x2]", 4, "\x40\x04\x7f\xc8", "L16! x2", "L16! x2" },
	{ "stxp w3,w0,w1,[x2]", 4, "\x40\x04\x23\x88", "S8! x2", "S8! x2" },
	{ "ldar w0,[x1]", 4, "\x20\xfc\xdf\x88", "L4 x1", "L4 x1" },
	{ "stlrb w0,[x1]", 4, "\x20\xfc\x9f\x08", "S1 x1", "S1 x1" },
	{ "ldapr x0,[x1]", 4, "\x20\xc0\xbf\xf8", "L8 x1", "L8 x1" },
	{ "ldapur x0,[x1,#-8]", 4, "\x20\x80\x5f\xd9", "L8 x1-8", "L8 x1-8" },
	{ "stlurh w0,[x1,#2]", 4, "\x20\x20\x00\x59", "S2 x1+2", "S2 x1+2" },
	{ "ldadd x0,x1,[x2]", 4, "\x41\x00\x20\xf8", "LS8! x2", "LS8! x2" },
	{ "ldaddal w0,w2,[x2]", 4, "\x42\x00\xe0\xb8", "LS4! x2", "-" },
	{ "stadd x0,[x2]", 4, "\x5f\x00\x20\xf8", "LS8! x2", "LS8! x2" },
	{ "swpb w0,w1,[x2]", 4, "\x41\x80\x20\x38", "LS1! x2", "LS1! x2" },
	{ "cas x0,x1,[x2]", 4, "\x41\x7c\xa0\xc8", "LS8! x2", "LS8! x2" },
	{ "casal x2,x1,[x2]", 4, "\x41\xfc\xe2\xc8", "LS8! x2", "-" },
	{ "casp x0,x1,x2,x3,[x4]", 4, "\x82\x7c\x20\x48", "LS16! x4", "LS16! x4" },
	{ "casp w4,w5,w2,w3,[x5]", 4, "\xa2\x7c\x24\x08", "LS8! x5", "-" },
	{ "ld1 {v0.4s},[x0]", 4, "\x00\x78\x40\x4c", "L16 x0", "L16 x0" },
	{ "ld1 {v0.8b,v1.8b},[x0],#16", 4, "\x00\xa0\xdf\x0c", "L16 x0", "L16 x0-16" },
	{ "ld1 {v0.4s},[x0],x2", 4, "\x00\x78\xc2\x4c", "L16 x0", "-" },
	{ "st4 {v0.4s,v1.4s,v2.4s,v3.4s},[x0],#64", 4, "\x00\x08\x9f\x4c", "S64 x0", "S64 x0-64" },
	{ "ld3 {v0.s,v1.s,v2.s}[1],[x0],#12", 4, "\x00\xb0\xdf\x0d", "L12 x0", "L12 x0-12" },
	{ "st1 {v0.d}[1],[x0]", 4, "\x00\x84\x00\x4d", "S8 x0", "S8 x0" },
	{ "ld1r {v0.4s},[x0],#4", 4, "\x00\xc8\xdf\x4d", "L4 x0", "L4 x0-4" },
	{ "ld2r {v0.8h,v1.8h},[x0]", 4, "\x00\xc4\x60\x4d", "L4 x0", "L4 x0" },
	{ "prfm pldl1keep,[x0]", 4, "\x00\x00\x80\xf9", "-no-operand", "-" },
	{ "prfm pldl1keep,[x0,x1,lsl #3]", 4, "\x00\x78\xa1\xf8", "-no-operand", "-" },
	{ "prfm pldl1keep,.+64", 4, "\x00\x02\x00\xd8", "-no-operand", "-" },
	{ "prfum pldl1keep,[x0,#-8]", 4, "\x00\x80\x9f\xf8", "-no-operand", "-" },
	{ "dc zva,x0", 4, "\x20\x74\x0b\xd5", "S0 x0", "S0 x0" },
	{ "ldraa x0,[x1]", 4, "\x20\x04\x20\xf8", "-opaque", "-" },
	{ "ld1w {z0.s},p0/z,[x0,x1,lsl #2]", 4, "\x00\x40\x41\xa5", "-vector", "-" },
	{ "add x0,x0,#8", 4, "\x00\x20\x00\x91", "-no-operand", "-" },
	{ "bl .+64", 4, "\x10\x00\x00\x94", "-no-operand", "-" },
	{ "ret", 4, "\xc0\x03\x5f\xd6", "-no-operand", "-" },
	{ "cbz x0,.+64", 4, "\x00\x02\x00\xb4", "-no-operand", "-" },
};
/* clang-format on */

/* Returns a recipe (how to compute the address of an operand from registers) as text, in the
 * notation of the tables above. */
static const char *text_of(const struct dec_recipe *r, bool arm)
{
	static const char *const names[] = { "ax", "bx", "cx",  "dx",  "si",  "di",  "bp",  "sp",
					     "ip", "",   "",    "",    "",    "",    "",    "",
					     "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" };
	static char s[128];
	char reg[2][8] = { "", "" };
	size_t n;

	if (r->source == ADDR_NONE) {
		snprintf(s, sizeof(s), "-%s", addr_reason_name(r->reason));
		return s;
	}
	for (int k = 0; k < 2; k++) {
		int v = k ? r->index : r->base;
		const char *end = !k || r->extend == DEC_WHOLE ? ""
				  : r->extend == DEC_UXTW      ? "u"
							       : "s";

		if (v >= 0 && !arm)
			snprintf(reg[k], sizeof(reg[k]), "%s", names[v]);
		else if (v == REG_ARM64_SP)
			snprintf(reg[k], sizeof(reg[k]), "sp");
		else if (v >= 0)
			snprintf(reg[k], sizeof(reg[k]), "%c%d%s", *end ? 'w' : 'x', v, end);
	}
	n = snprintf(s, sizeof(s), "%s%s%d%s %s", r->load ? "L" : "", r->store ? "S" : "", r->bytes,
		     r->lock ? "!" : "", r->ip_relative ? "ip" : reg[0]);
	if (*reg[1])
		n += snprintf(s + n, sizeof(s) - n, "%s%s", *reg[0] ? "+" : "", reg[1]);
	if (r->scale > 1)
		n += snprintf(s + n, sizeof(s) - n, "*%d", r->scale);
	if (r->disp)
		n += snprintf(s + n, sizeof(s) - n, s[n - 1] == ' ' ? "%" PRId64 : "%+" PRId64,
			      r->disp);
	if (r->wraps32)
		n += snprintf(s + n, sizeof(s) - n, " (32)");
	if (r->thread_relative)
		snprintf(s + n, sizeof(s) - n, " (fs)");
	return s;
}

#endif
