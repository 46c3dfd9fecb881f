/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that changes its root directory and its user, and then creates threads.
 * For run.sh (hostile.h explains the words):
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

	/* the working directory is removed at once, so that nothing of it remains */
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
