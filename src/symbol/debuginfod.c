/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/debuginfod.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Each may wait for a timeout of minutes; a server that is not reached is not asked for ever. */
enum { MAX_FAILURES = 3 };

/* Loaded when needed, as libdw does: it brings an HTTP client with it. */
struct client {
	void *library;
	void *(*begin)(void);
	int (*find)(void *handle, const unsigned char *id, int len, char **path);
	void (*end)(void *handle);
};

static bool load(struct client *c)
{
	c->library = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (!c->library)
		return false;
	*(void **)&c->begin = dlsym(c->library, "debuginfod_begin");
	*(void **)&c->find = dlsym(c->library, "debuginfod_find_debuginfo");
	*(void **)&c->end = dlsym(c->library, "debuginfod_end");
	return c->begin && c->find && c->end;
}

char *debuginfod_fetch(const struct sym_build_id *id)
{
	static struct client client;
	static int failures;
	char *path = NULL;
	void *handle;
	int fd;

	if (!id->size || failures == MAX_FAILURES)
		return NULL;
	if (!client.library && !load(&client)) {
		failures = MAX_FAILURES;
		return NULL;
	}
	handle = client.begin();
	if (!handle)
		return NULL;
	fd = client.find(handle, id->bytes, id->size, &path);
	client.end(handle);
	failures = fd >= 0 || fd == -ENOENT ? 0 : failures + 1;
	if (fd >= 0)
		close(fd);
	return fd >= 0 ? path : NULL;
}
