/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/cmd.h"
#include "cmd/preload.h"

int main(int argc, char **argv)
{
	preload_leave(argv);
	return cmd_main(argc, argv);
}
