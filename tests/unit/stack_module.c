/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiled into two modules for the stack test. Their functions differ only in the size of their
 * frames. */
#include <stdint.h>

uint32_t stack_module_call(uint32_t (*leaf)(void));

uint32_t stack_module_call(uint32_t (*leaf)(void))
{
	volatile char room[STACK_MODULE_FRAME];
	uint32_t id;

	/* A walk with the rule of the other module must not find the right return address, but can
	 * find a 0, which would end it. */
	for (unsigned i = 0; i < sizeof(room); i++)
		room[i] = 0;
	id = leaf();
	room[1] = room[0]; /* prevents a tail call, which would remove this frame */
	return id;
}
