/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetches debug files from servers. Each file is fetched in a child process of its own, because the
 * client library loads an HTTP library. The child that reads DWARF cannot do this: it may neither
 * use the network nor write into a cache.
 */
#include "symbol/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/child.h"

enum {
	/* number of failures in a row after which no server is queried any more, because each
	 * request may take minutes */
	MAX_FAILURES = 3,
	FETCH_MEMORY = 1 << 30,
	/* seconds to wait for the child while it uses no CPU time; the client's own limits are
	 * shorter */
	FETCH_SECONDS = 600,
};

/* What the child sends: the path of the fetched file, or why there is no file. */
struct fetched {
	int32_t error;     /* an errno; 0 means that the path is valid */
	int32_t no_client; /* 1 if libdebuginfod is not installed */
	char path[PATH_MAX];
};

/* The functions of libdebuginfod. The library is loaded only when it is needed, because it loads an
 * HTTP library; libdw does the same. */
struct client {
	void *(*begin)(void);
	int (*find)(void *handle, const unsigned char *id, int len, char **path);
	void (*end)(void *handle);
};

static bool load_client(struct client *c)
{
	void *library = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		return false;
	*(void **)&c->begin = dlsym(library, "debuginfod_begin");
	*(void **)&c->find = dlsym(library, "debuginfod_find_debuginfo");
	*(void **)&c->end = dlsym(library, "debuginfod_end");
	return c->begin && c->find && c->end;
}

/* In the child: fetches the file whose build-id is `arg`, and sends struct fetched to the
 * socket. */
static void serve_fetches(int sock, void *arg)
{
	const struct sym_build_id *id = arg;
	struct fetched out = { .error = ENOMEM };
	char *path = NULL;
	struct client c;
	void *handle;
	int fd;

	out.no_client = !load_client(&c);
	handle = out.no_client ? NULL : c.begin();
	if (handle) {
		fd = c.find(handle, id->bytes, id->size, &path);
		out.error = fd < 0 ? -fd : 0;
		if (path && strlen(path) < sizeof(out.path))
			memcpy(out.path, path, strlen(path) + 1);
	}
	child_write(sock, &out, sizeof(out));
}

char *debuginfod_fetch(const struct sym_build_id *id)
{
	struct child_limits l = { .memory = FETCH_MEMORY,
				  .seconds = FETCH_SECONDS,
				  .network = true };
	struct sym_build_id copy = *id;
	struct fetched got = { .error = ECHILD };
	struct child child = { 0 };
	static int failures;

	if (!id->size || failures == MAX_FAILURES)
		return NULL;
	if (child_start(&child, &l, serve_fetches, &copy))
		return NULL;
	if (!child_await(&child) || !child_read(child.fd, &got, sizeof(got)))
		got = (struct fetched){ .error = ECHILD };
	child_end(&child);
	if (got.no_client)
		failures = MAX_FAILURES;
	else
		failures = !got.error || got.error == ENOENT ? 0 : failures + 1;
	if (got.error || !got.path[0] || !memchr(got.path, 0, sizeof(got.path)))
		return NULL;
	return strdup(got.path);
}
