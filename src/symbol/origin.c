/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides whether a file without a recorded build-id is the one that ran. */
#include <elf.h>
#include <string.h>

#include "base/count.h"
#include "symbol/symbol.h"

/* For each architecture: the ELF machine (EM_*) of its 64-bit programs, and the ELF machine of the
 * 32-bit programs that it also runs. */
static const struct {
	const char *arch; /* the name in uname -m begins with this */
	uint16_t machine, compat;
} arches[] = {
	{ "x86_64", EM_X86_64, EM_386 },     { "i", EM_386, EM_386 },
	{ "aarch64", EM_AARCH64, EM_ARM },   { "arm64", EM_AARCH64, EM_ARM },
	{ "arm", EM_ARM, EM_ARM },           { "ppc64", EM_PPC64, EM_PPC },
	{ "ppc", EM_PPC, EM_PPC },           { "s390", EM_S390, EM_S390 },
	{ "riscv", EM_RISCV, EM_RISCV },     { "mips", EM_MIPS, EM_MIPS },
	{ "sparc64", EM_SPARCV9, EM_SPARC }, { "loongarch", EM_LOONGARCH, EM_LOONGARCH },
};

/* Can a machine with this `uname -m` run programs of EM_* `machine`? Returns true if arch is
 * unknown. */
static bool is_machine_of(const char *arch, uint16_t machine)
{
	for (size_t i = 0; arch && i < COUNT_OF(arches); i++)
		if (!strncmp(arch, arches[i].arch, strlen(arches[i].arch)))
			return machine == arches[i].machine || machine == arches[i].compat;
	return true; /* memdb does not know this architecture */
}

/* Decides whether the file is the one that ran, from the host of the recording and the times at
 * which the file changed. *doubt says why the result is not SYM_OK; NULL for SYM_OK. */
static enum sym_state check_times(const struct sym_origin *o, int64_t written_ns,
				  int64_t changed_ns, const char **doubt)
{
	*doubt = "recorded on another machine";
	if (o->host == SYM_HOST_OTHER)
		return SYM_REFUSED;
	*doubt = "changed after the recording";
	if (o->end_ns && written_ns > o->end_ns)
		return SYM_REFUSED;
	*doubt = o->why;
	if (o->host == SYM_HOST_UNKNOWN)
		return SYM_UNVERIFIED;
	*doubt = "the recording does not say when it was made";
	if (!o->start_ns)
		return SYM_UNVERIFIED;
	*doubt = "changed since the recording began";
	if (written_ns > o->start_ns || changed_ns > o->start_ns)
		return SYM_UNVERIFIED;
	*doubt = NULL;
	return SYM_OK;
}

enum sym_state sym_origin_check(const struct sym_origin *o, uint16_t machine, int64_t written_ns,
				int64_t changed_ns, const char **doubt)
{
	enum sym_state state = check_times(o, written_ns, changed_ns, doubt);

	if (!is_machine_of(o->arch, machine)) {
		*doubt = "for another type of machine";
		return SYM_REFUSED;
	}
	return state == SYM_REFUSED && o->trusted ? SYM_UNVERIFIED : state;
}
