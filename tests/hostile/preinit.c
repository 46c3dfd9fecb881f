/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that allocates before libc is initialised. The environment in main() must be
 * complete.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 9 deaths 5 */
#include "hostile.h"

static void early(int argc, char **argv, char **envp)
{
	births(4);
}

__attribute__((section(".preinit_array"), used)) static void (*const entry)(int, char **,
									    char **) = early;

__attribute__((constructor)) static void constructor(void)
{
	pairs(2);
}

__attribute__((destructor)) static void destructor(void)
{
	pairs(2);
}

int main(void)
{
	pairs(1);
	must(getenv("PATH") != NULL, "the environment is there");
	puts("preinit");
	return 3;
}
