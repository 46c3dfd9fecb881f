# SPDX-License-Identifier: GPL-2.0-or-later
# A program for an interpreter, perl: counts words in a hash, sorts them, and builds a text and a tree of arrays from them.
# The argument says how often the work is done (default: once). Run it with PERL_HASH_SEED=0, so that the order of the
# keys, and with it all the work, is the same in each run.
use strict;
use warnings;

my $seed = 1;
sub number { return $seed = ($seed * 1103515245 + 12345) & 0x7fffffff }

my @letters = ('a' .. 'p');
my @words = map { my $n = number(); join '', map { $letters[$n >> $_ & 15] } (12, 16, 20) } 1 .. 500;
my $answer = 0;
for my $pass (1 .. $ARGV[0] // 1) {
	my %times;
	$times{$_}++ for @words;
	my @sorted = sort { $times{$b} <=> $times{$a} || $a cmp $b } keys %times;
	my %tree;
	for my $word (@sorted) {
		push @{ $tree{ substr $word, 0, 1 }[ord(substr $word, 1, 1) - ord 'a'] }, $word;
	}
	my $text = '';
	for my $first (sort keys %tree) {
		$text .= join(' ', map { $_ ? scalar @$_ : 0 } @{ $tree{$first} }) . "\n";
	}
	my @numbers = $text =~ /\d+/g;
	$answer = ($answer * 31 + length($text) + @numbers) % 1000003;
}
print "result $answer\n";
