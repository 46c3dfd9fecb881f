# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# gcc, a program that runs the compiler, the assembler and the linker as children (vfork, exec), with -j.
needs='gcc:gcc make:make'
least=10000
job() {
	local i

	for i in 1 2 3 4; do
		awk -v n=$i 'BEGIN {
			print "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>"
			for (i = 0; i < 300; i++)
				printf "double f%d_%d(double x) { double s = %d; for (int i = 0; i < (int)x; i++) " \
					"s += sqrt(s + i) * %d; return s; }\n", n, i, i, i % 7
		}' >part$i.c
	done
	printf 'objects = part1.o part2.o part3.o part4.o\nlib.so: $(objects)\n\t%s\n' \
		'gcc -shared -o $@ $(objects)' >Makefile
	"$@" make -s -j 2 CFLAGS='-O2 -fPIC' lib.so
	cksum lib.so part1.o
}
