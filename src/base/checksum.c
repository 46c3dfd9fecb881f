/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/checksum.h"

#include <errno.h>
#include <unistd.h>
#include <zlib.h>

bool checksum_file(int fd, uint32_t *sum)
{
	uint8_t buf[8192];
	uLong crc = crc32(0, NULL, 0);
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buf, sizeof(buf), at)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		crc = crc32(crc, buf, (uInt)n);
		at += n;
	}
	*sum = (uint32_t)crc;
	return true;
}
