/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where functions start and end in a file without symbols: by its unwind tables. */
#ifndef MEMDB_SYMBOL_EHFRAME_H
#define MEMDB_SYMBOL_EHFRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/image.h"

/* The range [*start, *end) of vaddrs of the .eh_frame entry that covers vaddr; false where there is
 * none. A binary search in .eh_frame_hdr; nothing is kept. */
bool ehframe_function(const struct image *im, uint64_t vaddr, uint64_t *start, uint64_t *end);

#endif
