/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the vDSO, the code that the kernel maps into each process. They use no vector
 * registers. */
#ifndef MEMDB_ACCESS_AS_VDSO_H
#define MEMDB_ACCESS_AS_VDSO_H

#include <time.h>

/* NULL if the kernel has no such function. Like clock_gettime(), and like getcpu(). */
extern struct vdso {
	int (*gettime)(clockid_t clock, struct timespec *time);
	long (*getcpu)(unsigned *cpu, unsigned *node, void *unused);
} vdso;

/* Fills `vdso`. */
void vdso_find(void);

#endif
