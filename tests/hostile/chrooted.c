/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that changes its root directory and its user, and then creates threads.
 * run.sh checks this (the notation is in hostile.h):
 * needs: root
 * expect: births 4100 deaths 4100 */
#include "hostile.h"

static void *churn(void *arg)
{
	pairs(1000);
	return NULL;
}

int main(void)
{
	char name[] = "/tmp/hostile-XXXXXX";
	pthread_t t[4];

	/* removed while it is the working directory, so that the test leaves no folder behind */
	if (!mkdtemp(name) || chdir(name) || rmdir(name))
		die("folder");
	if (chroot(".") || chdir("/") || setgid(65534) || setuid(65534))
		die("chroot");
	pairs(100);
	start_threads(t, 4, churn, NULL);
	join_threads(t, 4);
	puts("chrooted");
	return 0;
}
