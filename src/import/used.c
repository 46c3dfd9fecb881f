/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/used.h"

#include <stdlib.h>
#include <string.h>

#include "import/pipeline.h"

static void mark_used(struct import *im, struct used_ids *u, uint32_t id)
{
	if (!id)
		return;
	if (VEC_REACH(u, id))
		AT_ID(*u, id) = true;
	else
		im->nomem = true;
}

void used_call_path(struct import *im, uint32_t path)
{
	mark_used(im, &im->out.used.call_paths, path);
}

void used_location(struct import *im, uint32_t location)
{
	mark_used(im, &im->out.used.locations, location);
}

/* Goes from the highest id to the lowest. A caller has a smaller id than its callee, so when a path
 * is reached, all paths that may mark it have been handled. */
void used_complete(struct import *im)
{
	used_call_path(im, CALL_PATH_ROOT);
	used_call_path(im, CALL_PATH_TRUNCATED);
	for (uint32_t i = 0; i < im->model.objects.objects.n; i++)
		used_call_path(im, im->model.objects.objects.at[i].call_path);
	for (uint32_t id = im->out.used.call_paths.n; id; id--) {
		const struct call_path *p = &AT_ID(im->model.code.call_paths, id);

		if (!used_has(&im->out.used.call_paths, id))
			continue;
		used_call_path(im, p->parent);
		used_location(im, p->location);
	}
}

void used_release(struct used_code *u)
{
	free(u->call_paths.at);
	free(u->locations.at);
	memset(u, 0, sizeof(*u));
}
