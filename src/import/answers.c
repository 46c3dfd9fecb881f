/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "import/answers.h"

#include "import/pipeline.h"

bool answer_for(struct import *im, struct answers *known, uint32_t location,
		bool (*find)(struct import *im, uint32_t location))
{
	if (!VEC_REACH(known, location)) {
		im->nomem = true;
		return false;
	}
	if (!AT_ID(*known, location))
		AT_ID(*known, location) = find(im, location) ? 2 : 1;
	return AT_ID(*known, location) == 2;
}
