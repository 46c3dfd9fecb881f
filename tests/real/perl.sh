# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# An interpreter with its own arenas, deep recursion, fork and pipes.
needs='perl:perl'
least=10000
job() {
	"$@" perl -e '
		my %h; $h{"k" . ($_ * 7919 % 100003)} .= "v$_" for 1 .. 100000;
		sub depth { my $n = shift; my @a = (1) x 10; return $n ? 1 + depth($n - 1) : 0 }
		no warnings "recursion";
		print scalar(keys %h), " ", depth(20000), "\n";
		for my $i (1 .. 20) { my $pid = fork // die; if (!$pid) { my @x = map { "x" x $_ } 1 .. 500; exit $i } waitpid $pid, 0; print $? >> 8, "\n" }
		print scalar(`echo hello`);
		die "the end\n"'
}
