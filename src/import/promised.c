/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the files of a capture with the list of files in its capture.json.
 *
 * The reader of a file notices damage inside the file, but not that the file is missing, empty, or
 * cut between two records. So memdb record lists each file with its size, and this code compares
 * the list with the capture. No other code knows which files a capture needs. Files are counted by
 * part of the capture, because a script may leave thousands of logs.
 */
#include "import/promised.h"

#include <fcntl.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/count.h"
#include "import/losses.h"
#include "import/pipeline.h"

enum wrong { WRONG_MISSING, WRONG_CUT, WRONG_CHANGED, WRONG };

/* The parts of a capture. A name that ends in a slash is a folder. */
static const struct part {
	const char *name, *source, *gives;
} parts[] = {
	{ "perf.data", "perf", "samples, mappings and threads" },
	{ "faults.data", "faults", "page faults, which tell who touched a page first" },
	{ "follow.log", "follower", "nodes of the machine, homes of pages, affinities of threads" },
	{ "track/", "tracker", "allocations, and calls that set policies and affinities" },
	{ "kallsyms", "symbols", "names of the kernel's functions" },
	{ "vdso.so", "symbols", "names of functions in the vdso" },
	{ "jit/", "symbols", "names of code that was made at run time" },
	{ "", "import", "a part of the recording" },
};

/* The errors found in one part of the capture: for each kind of error, the number of files. */
struct state {
	uint64_t files[WRONG];
	char first[WRONG][256]; /* the name of the first of these files in the list */
};

static size_t part_of(const char *name)
{
	size_t i, len;

	for (i = 0; i < COUNT_OF(parts) - 1; i++) {
		len = strlen(parts[i].name);
		if (parts[i].name[len - 1] == '/' ? !strncmp(name, parts[i].name, len)
						  : !strcmp(name, parts[i].name))
			break;
	}
	return i;
}

/* Can a file of this name be in the capture? capture.json is untrusted and may name files
 * elsewhere. */
static bool is_inside(const char *name)
{
	return *name && *name != '/' && !strstr(name, "..");
}

static int64_t number_of(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) && json_object_is_type(v, json_type_int)
		       ? json_object_get_int64(v)
		       : -1;
}

/* Compares a file of the capture with its entry in the list. Returns WRONG if nothing is wrong. */
static enum wrong compare_file(struct import *im, struct json_object *entry, const char *name)
{
	const int64_t bytes = number_of(entry, "bytes"), crc = number_of(entry, "crc32");
	enum wrong wrong = WRONG;
	char path[PATH_MAX];
	struct stat st;
	uint32_t sum;
	int fd;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", im->o->input, name) >= sizeof(path))
		return WRONG_MISSING;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		wrong = WRONG_MISSING;
	} else if (st.st_size < bytes) {
		wrong = WRONG_CUT;
	} else if (crc >= 0 && checksum_file(fd, &sum) && sum != crc) {
		wrong = WRONG_CHANGED;
	}
	if (fd >= 0)
		close(fd);
	return wrong;
}

static void check_entry(struct import *im, struct json_object *entry, struct state *states)
{
	struct json_object *v;
	const char *name;
	struct state *s;
	enum wrong wrong;

	if (!json_object_object_get_ex(entry, "name", &v))
		return;
	name = json_object_get_string(v);
	if (!name || !is_inside(name))
		return;
	wrong = compare_file(im, entry, name);
	if (wrong == WRONG)
		return;
	s = &states[part_of(name)];
	if (!s->files[wrong]++)
		snprintf(s->first[wrong], sizeof(s->first[wrong]), "%s", name);
}

/* Writes rows of losses for one part of the capture. Returns whether a file of this part is
 * wrong. */
static bool write_state(struct import *im, const struct part *part, const struct state *s)
{
	static const struct {
		const char *what, *how;
	} words[] = {
		[WRONG_MISSING] = { "missing files", "missing or unreadable; lost with it" },
		[WRONG_CUT] = { "cut files", "shorter than capture.json says; lost in part" },
		[WRONG_CHANGED] = { "changed files", "not as it was recorded; wrong in part" },
	};
	ASSERT_NAMES(words, WRONG - 1);
	char detail[600], more[64];
	bool any = false;

	for (int w = 0; w < WRONG; w++) {
		more[0] = 0;
		if (s->files[w] > 1)
			snprintf(more, sizeof(more), " and %" PRIu64 " more", s->files[w] - 1);
		snprintf(detail, sizeof(detail), "%s%s: %s: %s", s->first[w], more, words[w].how,
			 part->gives);
		import_damage(im, part->source, words[w].what, s->files[w], detail);
		any |= s->files[w] > 0;
	}
	return any;
}

/* Returns the list of files; NULL if there is none. memdb record leaves it out if the disk is
 * full. */
static struct json_object *list_of_files(struct import *im)
{
	struct json_object *complete, *list;

	if (json_object_object_get_ex(im->in.recording.json, "files", &list) &&
	    json_object_is_type(list, json_type_array))
		return list;
	if (json_object_object_get_ex(im->in.recording.json, "complete", &complete) &&
	    json_object_get_boolean(complete))
		import_damage(im, "import", "missing list of files", 1,
			      "capture.json does not list the other files, so it is unknown "
			      "whether some are missing or cut short");
	return NULL;
}

bool promised_write_losses(struct import *im)
{
	struct state states[COUNT_OF(parts)] = { 0 };
	bool logs = false;
	struct json_object *list = im->o->own ? NULL : list_of_files(im);

	if (!list)
		return false;
	for (size_t i = 0; i < json_object_array_length(list); i++)
		check_entry(im, json_object_array_get_idx(list, i), states);
	for (size_t i = 0; i < COUNT_OF(parts); i++)
		logs |= write_state(im, &parts[i], &states[i]) &&
			!strcmp(parts[i].source, "tracker");
	return logs;
}
