/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the command that the arguments name. What must stay true: preload_leave() comes first,
 * before memdb allocates or starts anything. */
#include "cmd/cmd.h"
#include "cmd/preload.h"

int main(int argc, char **argv)
{
	preload_leave(argv);
	return cmd_main(argc, argv);
}
