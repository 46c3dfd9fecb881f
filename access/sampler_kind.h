/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_ACCESS_SAMPLER_KIND_H
#define MEMDB_ACCESS_SAMPLER_KIND_H

/* Bits of the kind of an access. An atomic update is both a load and a store. */
enum { ACCESS_LOAD = 1, ACCESS_STORE = 2 };

#endif
