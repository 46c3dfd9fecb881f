/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the location of a code address in a process or in the kernel. */
#include "base/count.h"
#include "model/internal.h"
#include "model/process.h"

/* maximum number of ancestors that are searched for a perf map, so that a chain of forks cannot
 * make the search slow */
enum { MAX_ANCESTORS = 32 };

/* Is `ip` an address of the kernel? The mode of the CPU does not show this: a sample taken in the
 * kernel may have an address of the program. On 64-bit machines the kernel has the upper half of
 * the address space; on 32-bit machines its mappings decide. */
static bool is_kernel(struct space *s, uint64_t ip)
{
	return ip >> 63 || (s->kernel && space_mapping_at(s, s->kernel, ip));
}

/* Returns the DSO of the process's perf map (a list of code generated at run time); 0 if there is
 * no such map. A forked process that has not called exec() runs its parent's code and may have no
 * perf map of its own: then an ancestor's map is used. */
static uint32_t jit_dso(struct space *s, uint32_t process)
{
	struct process_memory *m = space_memory(s, process);
	struct process *from = space_process(s, process);

	if (m->jit_known)
		return m->jit_dso;
	m->jit_known = true;
	m->jit_dso = code_jit(s->code, from->pid);
	for (int i = 0; i < MAX_ANCESTORS && !m->jit_dso && from->parent && !from->image; i++) {
		from = space_process(s, from->parent);
		m->jit_dso = code_jit(s->code, from->pid);
	}
	return m->jit_dso;
}

/* Returns the location of an address in code that the process generated at run time. Returns 0 if
 * the process has no perf map, if a file is mapped there, or if the address is neither executable
 * nor listed in the perf map. `m` is the mapping there, or NULL. */
static uint32_t jit_location(struct space *s, uint32_t process, const struct mapping *m,
			     uint64_t ip)
{
	struct sym_file *f;
	uint32_t dso;

	if (m && AT_ID(s->code->dsos, m->dso).kind != DSO_ANONYMOUS)
		return 0;
	dso = jit_dso(s, process);
	f = dso ? code_file(s->code, dso) : NULL;
	if (!f || !((m && m->executable) || sym_symbol_at(f, ip)))
		return 0;
	return code_location(s->code, dso, ip);
}

/* Returns the location of a kernel address: in the kernel, in one of its modules, or in code that
 * it generated. If `ip` is not a kernel address, the location has dso 0. */
static uint32_t kernel_location(struct space *s, uint64_t ip)
{
	const struct mapping *m = s->kernel ? space_mapping_at(s, s->kernel, ip) : NULL;
	enum dso_kind kind = m ? AT_ID(s->code->dsos, m->dso).kind : DSO_KERNEL;

	if (kind == DSO_KSYMBOL)
		return code_location(s->code, m->dso, ip - m->start);
	if (kind == DSO_MODULE)
		return code_location(s->code, m->dso, ip);
	return code_location(s->code, is_kernel(s, ip) ? code_kernel(s->code) : 0, ip);
}

/* Searches the perf map first. Only it has symbols for anonymous memory, and it may list code for
 * which no executable mapping is known. Where a file is mapped, jit_location() returns 0. */
static uint32_t user_location(struct space *s, uint32_t process, uint64_t ip)
{
	const struct mapping *m = process ? space_mapping_at(s, process, ip) : NULL;
	uint32_t jit = process && s->code->jit.path ? jit_location(s, process, m, ip) : 0;

	if (jit)
		return jit;
	/* no code is mapped there: the unwinder or the recording is wrong */
	if (!m || !m->executable)
		return code_location(s->code, 0, ip);
	return code_location(s->code, m->dso, ip - m->start + m->pgoff);
}

/* Returns a number that changes when code is mapped or unmapped in the process or in the kernel:
 * the sum of both generations, which only grow. */
uint64_t space_code_generation(const struct space *s, uint32_t process)
{
	uint64_t own = process ? AT_ID(s->processes, process).code_generation : 0;

	return own + (s->kernel ? AT_ID(s->processes, s->kernel).code_generation : 0);
}

/* For an address in user mode, searches the table s->memo of the last results first, because many
 * samples have the same ip. A result is valid as long as the process's code_generation is the same.
 * Results for process 0 (unknown) are not used again. */
uint32_t space_location(struct space *s, uint32_t process, bool kernel, uint64_t ip)
{
	const size_t slots = COUNT_OF(s->memo.locations);
	const size_t at = (ip ^ ip >> 10) % slots;
	uint64_t generation;

	if (kernel)
		return kernel_location(s, ip);
	generation = process ? space_process(s, process)->code_generation : 0;
	if (s->memo.locations[at].ip != ip || s->memo.locations[at].process != process ||
	    s->memo.locations[at].generation != generation || !process) {
		s->memo.locations[at].location = user_location(s, process, ip);
		s->memo.locations[at].ip = ip;
		s->memo.locations[at].process = process;
		s->memo.locations[at].generation = generation;
	}
	return s->memo.locations[at].location;
}
