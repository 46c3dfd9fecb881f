/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "append.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The descriptor gets at least this number, because some programs rely on getting small numbers for
 * their own files. */
enum { HIGH_DESCRIPTOR = 900 };

static int file = -1;
static char name[PATH_MAX];
static dev_t device;
static ino_t inode;

/* Is the descriptor open on the file? */
static bool is_ours(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_dev == device && st.st_ino == inode;
}

/* Opens the file under a high number if possible. Returns the descriptor, or -1 with errno. */
static int open_high(void)
{
	/* direct system calls: open() is a cancellation point, and a program may replace it */
	const int fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_APPEND | O_CLOEXEC);
	int high;

	if (fd < 0)
		return -1;
	high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
	if (high < 0)
		return fd;
	close(fd);
	return high;
}

int append_open(const char *path)
{
	struct stat st;

	if (strlen(path) >= sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(name, path);
	file = open_high();
	if (file < 0 || fstat(file, &st))
		return -1;
	device = st.st_dev;
	inode = st.st_ino;
	return file;
}

bool append_restore(void)
{
	int fd;

	if (file < 0 || is_ours(file))
		return file >= 0;
	fd = open_high();
	if (fd < 0)
		return false;
	/* after chroot(), another file may have this path */
	if (!is_ours(fd)) {
		close(fd);
		return false;
	}
	file = fd;
	return true;
}

/* At the limit on file sizes, write() raises SIGXFSZ, which usually ends a program. The signal is
 * discarded, because it was not caused by the program. */
long append_bytes(const void *bytes, size_t size)
{
	static const struct timespec now;
	sigset_t too_large, pending;
	ssize_t n;

	if (!append_restore())
		return -1;
	sigemptyset(&too_large);
	sigaddset(&too_large, SIGXFSZ);
	sigpending(&pending);
	do
		n = write(file, bytes, size);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EFBIG && !sigismember(&pending, SIGXFSZ))
		sigtimedwait(&too_large, NULL, &now);
	return n;
}
