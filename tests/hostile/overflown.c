/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that crashes by a stack overflow.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 1000 deaths 0 */
#include "hostile.h"

static NOINLINE int deeper(volatile char *from)
{
	volatile char block[4096];

	block[0] = from[0];
	return deeper(block) + block[1];
}

int main(void)
{
	volatile char c = 1;

	births(1000);
	return deeper(&c);
}
