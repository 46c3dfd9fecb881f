# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2016 # run.sh reads the variables; programs in other languages are quoted
# PHP, where each value is a block of malloc() (USE_ZEND_ALLOC=0).
needs='php:php-cli'
least=10000
job() {
	USE_ZEND_ALLOC=0 "$@" php -n -r '
		$a = [];
		for ($i = 0; $i < 100000; $i++) $a["k" . ($i * 7919 % 100003)] = [$i, str_repeat("x", $i % 100)];
		ksort($a);
		echo count($a), " ", md5(serialize($a)), "\n";
		echo strlen(gzcompress(serialize($a))) > 1000, preg_match_all("/k\d+/", implode(" ", array_keys($a))), "\n";
		exit(9);'
}
