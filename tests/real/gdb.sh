# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# A debugger: ptrace, C++ with exceptions, Python inside, a child that it stops and steps.
needs='gdb:gdb gcc:gcc'
least=10000
job() {
	cat >prog.c <<-'C'
		#include <stdio.h>
		#include <stdlib.h>
		struct node { struct node *next; int value; };
		static struct node *push(struct node *list, int value)
		{
			struct node *n = malloc(sizeof(*n));
			n->next = list;
			n->value = value;
			return n;
		}
		int main(void)
		{
			struct node *list = NULL;
			for (int i = 0; i < 10; i++)
				list = push(list, i);
			return list->value;
		}
	C
	gcc -g -O0 -o prog prog.c || return
	"$@" gdb -q -nx -batch -ex 'set debuginfod enabled off' -ex 'set disable-randomization on' \
		-ex 'break push if value == 5' -ex run -ex bt -ex 'ptype struct node' -ex 'info line' \
		-ex 'print value' -ex 'print list->value' -ex 'delete' -ex continue ./prog 2>&1 |
		grep -vE '^(warning|\[|Using host)|0x[0-9a-f]{6}'
}
