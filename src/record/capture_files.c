/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/capture_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <json.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/count.h"

/* Does capture.json need a checksum of this file? Only if the file is a copy in a format that does
 * not reveal damage. The import reads the other files entirely, and notices damage itself. */
static bool wants_sum(const char *folder, const char *name)
{
	return !strcmp(folder, "jit") || !strcmp(name, "kallsyms") || !strcmp(name, "vdso.so");
}

/* Is this file listed in capture.json? perf.log is not, because the import does not read it.
 * capture.json is not, because its own size is not known yet. */
static bool is_input(const char *name)
{
	return strcmp(name, "capture.json") != 0 && strcmp(name, "perf.log") != 0;
}

static void add_file(struct json_object *list, int dir, const char *folder, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct json_object *o;
	char path[PATH_MAX];
	struct stat st;
	uint32_t sum;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		o = json_object_new_object();
		snprintf(path, sizeof(path), "%s%s%s", folder, *folder ? "/" : "", name);
		json_object_object_add(o, "name", json_object_new_string(path));
		json_object_object_add(o, "bytes", json_object_new_int64(st.st_size));
		if (wants_sum(folder, name) && checksum_file(fd, &sum))
			json_object_object_add(o, "crc32", json_object_new_int64(sum));
		json_object_array_add(list, o);
	}
	close(fd);
}

struct json_object *capture_files(const struct capture *c)
{
	static const char *const folders[] = { "", "track", "jit" };
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < COUNT_OF(folders) && list; i++) {
		DIR *d = capture_folder(c->fd, *folders[i] ? folders[i] : ".");
		struct dirent *e;

		while (d && (e = readdir(d)))
			if (is_input(e->d_name))
				add_file(list, dirfd(d), folders[i], e->d_name);
		if (d)
			closedir(d);
	}
	return list;
}
