/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out which programs were tracked, that is, had loaded the tracker, memdb's preloaded
 * library. An "image" is one program in a process, from its exec to the next exec or to the exit.
 * perf records each exec and each mapped file. So two facts are known even if the program itself
 * reports nothing: whether it loaded the tracker, and which log it mapped. (Only one process maps a
 * log. The pid in the log is not used here, because it may be a number in a different PID
 * namespace.) */
#include "import/images.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/count.h"
#include "base/runtime.h"
#include "import/losses.h"
#include "import/pipeline.h"

enum why {
	WHY_NOT_LOADED,
	WHY_NO_LOG,
	WHY_OWN_HEAP,
	WHY_NOT_SAMPLED,
	WHY_NOT_EMULATED,
	WHY_NOT_BUILT,
	WHY_NO_END,
	WHY_NO_INSTRUCTION
};

/* For each reason, the texts of its row in the table losses. */
static const struct {
	const char *source, *what, *text;
} whys[] = {
	[WHY_NOT_LOADED] = { "tracker", "programs not tracked",
			     "the tracker was not loaded, as in static and setuid programs, those "
			     "of another libc or word size, those without our environment, our "
			     "files or 32 MiB of address space and data, and those that a signal "
			     "killed at their start" },
	[WHY_NO_LOG] = { "tracker", "programs not tracked",
			 "the tracker was there and could make no log, which another user, a "
			 "sandbox or a filter of system calls forbids, or a signal killed the "
			 "program at its start" },
	[WHY_OWN_HEAP] = { "tracker", "programs not tracked",
			   "it defines malloc itself, which the tracker cannot see; its heap "
			   "memory is known by its mappings only" },
	[WHY_NOT_SAMPLED] = { "perf", "programs not sampled",
			      "nothing was recorded of it but its start, as of a program that "
			      "exec gives other rights (setuid, or another effective user): there "
			      "the kernel stops sampling" },
	[WHY_NOT_EMULATED] = { "emulator", "programs without accesses",
			       "it is setuid, no x86-64 program, no file with a name (memfd, "
			       "deleted), or a file that the emulator could not open, as after "
			       "chroot, so it ran outside the emulator and none of its accesses "
			       "was seen" },
	[WHY_NOT_BUILT] = { "sampler", "programs without accesses",
			    "it was not built for the sampler soft, so none of its accesses was "
			    "seen (clang also needs -fno-integrated-as, for memdb-checks)" },
	[WHY_NO_END] = { "sampler", "processes without an end",
			 "a signal killed it, it ended by the system call itself (exit_group), "
			 "it still ran, or the disk or the limit on the size of files "
			 "(ulimit -f) left no room (with --no-track, also if it ended by _exit or "
			 "exec, and only a library was built for the sampler soft): of each of its "
			 "threads, what it did last is missing, up to a tenth of a second, with "
			 "-c 1 up to a second, and of a thread that waited then, what it did in "
			 "such a time before it waited" },
	[WHY_NO_INSTRUCTION] = { "emulator", "processes without an end",
				 "it ended by SIGILL: it may have instructions newer than AVX2 (as "
				 "AVX-512), which the emulator does not know; if so, build it "
				 "without them, or for the sampler soft; of each of its threads, "
				 "what it did last is missing, up to a tenth of a second, with "
				 "-c 1 up to a second" },
};
ASSERT_NAMES(whys, WHY_NO_INSTRUCTION);

/* A program that was not, or not completely, recorded by the tracker or the sampler. */
struct untracked {
	const char *exe; /* interned */
	enum why why;
	uint64_t images;
};

/* Returns the hash under which the index stores a log. A log is either a file of its own, which is
 * hashed by its name (slot 0), or a slot of the one file that new processes share, which is hashed
 * by the slot's number. */
static uint32_t hash_of(const char *name, uint64_t slot)
{
	return slot ? index_hash_bytes(&slot, sizeof(slot), 0)
		    : index_hash_bytes(name, strlen(name), 0);
}

/* Adds the log under the name of its file and, if it is in the shared file, also under its slot. */
bool images_log(struct import *im, uint32_t id)
{
	const struct track *t = &AT_ID(im->in.tracks, id);

	return index_add(&im->in.tracks.index, hash_of(t->name, 0), id) &&
	       (!t->slot || index_add(&im->in.tracks.index, hash_of("", t->slot), id));
}

/* Returns the log with this file name or, if slot is not 0, in this slot of that file. NULL means
 * that there is no such log. */
static struct track *track_of(struct import *im, const char *name, uint64_t slot)
{
	uint32_t hash = hash_of(name, slot), place = hash, id;

	while ((id = index_next(&im->in.tracks.index, hash, &place))) {
		struct track *t = &AT_ID(im->in.tracks, id);

		if (slot ? t->slot == slot : !strcmp(t->name, name))
			return t;
	}
	return NULL;
}

/* Stores the address `base` at which the process has mapped the start of libc's file. If the
 * process has loaded the tracker, and the address differs from the one stored before, counts a
 * second libc: dlmopen() or LD_AUDIT has loaded it into another namespace. The tracker, which is in
 * the first namespace, does not see the blocks of that libc. (A record that perf writes after
 * mprotect() has the same base.) */
static void note_libc(struct import *im, struct process *p, const char *name, uint64_t base)
{
	const uint32_t page = base >> 12 & 0xffffff;

	if (!runtime_is_libc(name))
		return;
	im->out.second_libcs += p->libc_page && p->libc_page != page && p->loaded;
	p->libc_page = page;
}

/* Is this the name of a file with logs: shared.log or PID-START-SEQUENCE.log? */
static bool is_log_name(const char *name)
{
	const char *p = name;

	if (!strcmp(name, TRACK_SHARED))
		return true;
	for (int i = 0; i < 3; i++) {
		size_t digits = strspn(p, "0123456789");

		if (!digits || p[digits] != (i < 2 ? '-' : '.'))
			return false;
		p += digits + 1;
	}
	return !strcmp(p, "log");
}

/* A tracked program has mapped a file whose log was not found. Notes the file if it is a log that
 * is not in the folder: the recording lacks it. */
static void note_gone(struct import *im, const char *name)
{
	char path[PATH_MAX];

	if (!im->in.track_dir || !is_log_name(name) ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s", im->in.track_dir, name) >= sizeof(path) ||
	    !access(path, F_OK))
		return;
	if (!strings_id(&im->in.tracks.gone, name))
		im->nomem = true;
}

/* Handles a mapped file. If the mapping is executable, the file may be the tracker's library,
 * otherwise a log of the tracker. */
void images_map(struct import *im, uint32_t process, const char *path, uint64_t start,
		uint64_t offset, bool executable)
{
	const char *slash = strrchr(path, '/');
	struct process *p = space_process(&im->model.space, process);
	uint64_t slot;
	struct track *t;

	if (!slash)
		return;
	if (executable) {
		p->mapped = true;
		p->loaded |= !strcmp(slash + 1, TRACK_LIBRARY);
		note_libc(im, p, slash + 1, start - offset);
		return;
	}
	slot = strcmp(slash + 1, TRACK_SHARED) ? 0 : offset / TRACK_SLOT + 1;
	t = im->in.tracks.n ? track_of(im, slash + 1, slot) : NULL;
	if (t) {
		t->mapped_by = process;
		p->logged = true;
	} else if (p->loaded) {
		note_gone(im, slash + 1);
	}
}

bool images_shown(struct import *im, uint32_t process, const struct pd_side *s)
{
	struct tracks *t = &im->in.tracks;

	if (!s->map.has_prot || s->map.prot != PROT_NONE ||
	    (s->map.flags & MAP_TYPE) != MAP_SHARED || s->map.len != im->model.homes.page_bytes ||
	    strncmp(s->map.path, "/dev/zero", 9) != 0)
		return false;
	if (VEC_ROOM(&t->shown))
		t->shown.at[t->shown.n++] =
			(struct shown_page){ s->map.start, process, s->map.tid };
	else
		im->nomem = true;
	return true;
}

/* Searches backwards, because the page was mapped only a short time before the log names it. */
uint32_t images_tid(struct import *im, uint32_t process, uint64_t address)
{
	struct tracks *t = &im->in.tracks;

	for (uint32_t i = t->shown.n; i-- > 0;) {
		struct shown_page *p = &t->shown.at[i];
		const uint32_t tid = p->tid;

		if (p->process != process || p->address != address)
			continue;
		t->shown.n--;
		memmove(p, p + 1, (t->shown.n - i) * sizeof(*p));
		return tid;
	}
	return 0;
}

/* Does the process belong to the recorded program? In an emulated recording the fork record of its
 * first process may be missing, so that process is found by its pid in capture.json. */
static bool is_of_program(const struct import *im, const struct process *p)
{
	return p->of_program || p->pid == im->in.recording.pid;
}

/* A child inherits its parent's mappings, so it is tracked if its parent is. */
void images_fork(struct import *im, uint32_t parent, uint32_t child)
{
	const struct process *from = space_process(&im->model.space, parent);
	struct process *p = space_process(&im->model.space, child);

	p->of_program = is_of_program(im, from) || is_of_program(im, p);
	p->loaded = from->loaded;
	p->logged = from->logged;
	p->mapped = from->mapped;
	p->libc_page = from->libc_page;
}

/* Returns the entry of a program (`exe` is interned) and a reason; NULL means that there is none.
 */
static struct untracked *find_untracked(const struct import *im, const char *exe, enum why why)
{
	for (uint32_t i = 0; i < im->out.untracked.n; i++)
		if (im->out.untracked.at[i].exe == exe && im->out.untracked.at[i].why == why)
			return &im->out.untracked.at[i];
	return NULL;
}

/* Counts a program run (an "image") for the table losses. `exe` is interned. All runs of one
 * program have one entry, because a shell script may run it a thousand times. */
static void count_image(struct import *im, const char *exe, enum why why)
{
	struct untracked *u = find_untracked(im, exe, why);

	if (u)
		u->images++;
	else if (VEC_ROOM(&im->out.untracked))
		im->out.untracked.at[im->out.untracked.n++] = (struct untracked){ exe, why, 1 };
	else
		im->nomem = true;
}

static void add_missed(struct import *im, const struct process *p, enum why why)
{
	const uint32_t exec = p->memory ? p->memory->exec : 0;
	const char *name =
		exec ? strings_text(&im->model.code.names, AT_ID(im->model.space.comms, exec).comm)
		     : "";

	count_image(im, p->exe ? space_exe(&im->model.space, p) : name, why);
}

/* Decides whether the image (program) that ends now was tracked and, if it was not, why. Does so
 * only if the recording has logs, and if the image is a part of the recorded program or it is
 * unknown which processes are (no pid in capture.json). Also counts an image that ran outside the
 * emulator, or in which perf recorded not even the mapping of its code. The emulator also writes
 * the start of such a program if the exec fails: then the old program follows. */
void images_end(struct import *im, uint32_t process, bool exits)
{
	struct process *p = space_process(&im->model.space, process);
	const bool emulated = recording_is_by(&im->in.recording, RUN_EMULATED);

	if (emulated && !p->mapped && !exits)
		return;
	if (p->memory && p->memory->exec && im->in.tracks.n &&
	    (is_of_program(im, p) || !im->in.recording.pid)) {
		AT_ID(im->model.space.comms, p->memory->exec).tracked = p->logged;
		p->missed |= !p->logged;
		if (!p->logged)
			add_missed(im, p, p->loaded ? WHY_NO_LOG : WHY_NOT_LOADED);
	}
	if (p->memory && p->memory->exec && p->of_program && recording_refused_tracker(im))
		AT_ID(im->model.space.comms, p->memory->exec).tracked = false;
	if (p->memory && p->memory->exec && !p->mapped && emulated)
		add_missed(im, p, WHY_NOT_EMULATED);
	if (p->memory && p->memory->exec && !p->mapped &&
	    recording_is_by(&im->in.recording, RUN_PERF) && p->of_program)
		add_missed(im, p, WHY_NOT_SAMPLED);
	p->loaded = p->logged = p->mapped = false;
	p->libc_page = 0;
}

/* Marks processes without a log as not tracked: the children of each process whose tracker could
 * not create logs for some of its children, as the report does not say for which ones, and the
 * children of such children, of which nobody reports anything. */
static void miss_children(struct import *im)
{
	for (uint32_t i = 0; i < im->in.tracks.n; i++) {
		const struct track *t = &im->in.tracks.at[i];

		if (t->losses.lost_children && t->process)
			space_process(&im->model.space, t->process)->loses_children = true;
	}
	for (uint32_t i = 0; i < im->model.space.processes.n; i++) {
		struct process *p = &im->model.space.processes.at[i];

		/* a parent stands before its children */
		if (p->tracked || !p->parent ||
		    !space_process(&im->model.space, p->parent)->loses_children)
			continue;
		p->missed = true;
		p->loses_children = true;
	}
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Returns a log of the process: of the logs that began with exec, the one whose start is nearest to
 * `time`. NULL means none. */
static struct track *track_near(struct import *im, uint32_t process, uint64_t time)
{
	struct track *best = NULL;

	for (uint32_t i = 0; i < im->in.tracks.n; i++) {
		struct track *t = &im->in.tracks.at[i];

		if (t->process == process && t->exe &&
		    (!best || distance(t->start_ns, time) < distance(best->start_ns, time)))
			best = t;
	}
	return best;
}

/* Marks the logs of programs that were built for the sampler soft. The sampler reports the start of
 * each such program. A program loads the sampler and the tracker at almost the same time, in either
 * order. So the log that began nearest to the report is the one of that program. */
static void find_built(struct import *im)
{
	for (uint32_t i = 0; i < im->model.space.comms.n; i++) {
		const struct comm *c = &im->model.space.comms.at[i];
		struct track *t = NULL;

		if (c->exec)
			t = track_near(im, AT_ID(im->model.space.threads, c->thread).process,
				       c->time);
		if (t)
			t->built = true;
	}
}

/* Counts the programs that were not built for the sampler soft. Programs without a log of the
 * tracker cannot be counted. */
static void miss_unbuilt(struct import *im)
{
	find_built(im);
	for (uint32_t i = 0; i < im->in.tracks.n; i++) {
		struct track *t = &im->in.tracks.at[i];

		if (!t->exe || t->built)
			continue;
		count_image(im, t->exe, WHY_NOT_BUILT);
		/* the last program of the process had no sampler, so miss_ends() must not expect
		 * its end */
		if (track_near(im, t->process, UINT64_MAX) == t)
			space_process(&im->model.space, t->process)->mapped = false;
	}
}

void images_killed(struct import *im, uint32_t process, int sig)
{
	if (sig == SIGILL)
		space_process(&im->model.space, process)->unknown_instruction = true;
}

/* Was the process ended by SIGILL in the emulator? Nobody in the emulator waits for the recorded
 * program's first process, but its end is in capture.json. */
static bool met_unknown_instruction(const struct import *im, const struct process *p)
{
	const struct recording *r = &im->in.recording;

	return recording_is_by(&im->in.recording, RUN_EMULATED) &&
	       (p->unknown_instruction ||
		(p->pid == r->pid && r->has_exit_signal && r->exit_signal == SIGILL));
}

/* Counts the processes in which the sampler "soft" or "exact" began, but did not report that it
 * ended. */
static void miss_ends(struct import *im)
{
	for (uint32_t i = 0; i < im->model.space.processes.n; i++) {
		const struct process *p = &im->model.space.processes.at[i];

		/* the first thread may end before the process */
		if (p->mapped && p->main_thread &&
		    (p->alive || !AT_ID(im->model.space.threads, p->main_thread).exited))
			add_missed(im, p,
				   met_unknown_instruction(im, p) ? WHY_NO_INSTRUCTION
								  : WHY_NO_END);
	}
}

/* Marks as not tracked the programs that define malloc themselves and never called the tracker's
 * malloc. A forked child, which may have no log, is judged like its program. */
static void miss_own_heaps(struct import *im)
{
	for (uint32_t i = 0; i < im->in.tracks.n; i++) {
		const struct track *t = &im->in.tracks.at[i];

		if (!t->own_heap || !t->exe)
			continue;
		count_image(im, t->exe, WHY_OWN_HEAP);
		space_process(&im->model.space, t->process)->tracked = false;
		if (t->comm)
			AT_ID(im->model.space.comms, t->comm).tracked = false;
	}
	for (uint32_t i = 0; i < im->model.space.processes.n; i++) {
		struct process *p = &im->model.space.processes.at[i];

		p->tracked &= !find_untracked(im, space_exe(&im->model.space, p), WHY_OWN_HEAP);
	}
}

/* Ends the images (programs) that were still running at the end of the recording. Counts those that
 * the sampler "soft" or "exact" missed, and those with a malloc of their own. */
void images_finish(struct import *im)
{
	if (recording_is_by(&im->in.recording, RUN_INSTRUMENTED))
		miss_unbuilt(im);
	if (recording_is_by(&im->in.recording, RUN_INSTRUMENTED) ||
	    recording_is_by(&im->in.recording, RUN_EMULATED))
		miss_ends(im);
	miss_children(im);
	for (uint32_t i = 0; i < im->model.space.processes.n; i++) {
		struct process *p = &im->model.space.processes.at[i];

		p->tracked |= p->logged;
		images_end(im, i + 1, true);
		p->tracked &= !p->missed;
	}
	miss_own_heaps(im);
}

void images_write_losses(struct import *im)
{
	for (uint32_t i = 0; i < im->out.untracked.n; i++) {
		const struct untracked *u = &im->out.untracked.at[i];
		char why[5000];

		snprintf(why, sizeof(why), "%.4000s: %s", u->exe, whys[u->why].text);
		import_loss(im, whys[u->why].source, whys[u->why].what, u->images, why);
	}
	import_missing(im, "tracker", "second C libraries", im->out.second_libcs,
		       "times that dlmopen() or LD_AUDIT loaded libc into another namespace: what "
		       "is allocated there is not recorded");
}
