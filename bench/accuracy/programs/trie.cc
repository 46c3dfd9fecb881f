/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches words of six letters in a trie, which is a vector of nodes (96 MiB). Increments the
 * counter of the node at which the word ends (12 MiB). */
// held out
// object nodes -DNODE_MASK=63
// object counts -DCOUNT_MASK=63
// object words -DWORD_MASK=63
#include <vector>

#include "program.h"

enum { NODES = 3 << 19, WORDS = 1 << 20, LETTERS = 16, LENGTH = 6 };
#ifndef NODE_MASK
#define NODE_MASK 0xffffffffu
#endif
#ifndef COUNT_MASK
#define COUNT_MASK 0xffffffffu
#endif
#ifndef WORD_MASK
#define WORD_MASK (WORDS - 1)
#endif

struct trie_node {
	uint32_t next[LETTERS];
};
static std::vector<trie_node> nodes;
static std::vector<uint64_t> counts;
static std::vector<uint32_t> words;

void init(void)
{
	nodes.resize(NODES);
	counts.resize(NODES);
	words.resize(WORDS);
	for (trie_node &n : nodes)
		for (uint32_t &next : n.next)
			next = random_number() % NODES;
	for (uint32_t &word : words)
		word = random_number();
}

double kernel(void)
{
	for (uint32_t i = 0; i < 3 * WORDS; i++) {
		uint32_t word = MIX(words[i & WORD_MASK], i), at = word % NODES;

		for (int k = 0; k < LENGTH; k++) {
			at = nodes[at & NODE_MASK].next[word % LETTERS];
			/* `word` keeps the place scattered even if `nodes` is local. */
			at = (at ^ word) % NODES;
			word /= LETTERS;
		}
		counts[at & COUNT_MASK]++;
	}
	return counts[7];
}
