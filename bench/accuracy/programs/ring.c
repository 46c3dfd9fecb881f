/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A ring buffer between two threads, on the heap. The positions of both threads are in one cache
 * line. Each thread reads the other thread's position only if the ring seems full or empty. With
 * the switch, the positions of each thread have their own line. */
// options -pthread
// object ring -DPAD
#include "program.h"
#include "team.h"

enum { ITEMS = 30000000, SLOTS = 1 << 12 };
#ifdef PAD
#define SIDE _Alignas(LINE)
#else
#define SIDE
#endif
struct ring {
	SIDE uint64_t head, seen_tail; /* members of the producer */
	SIDE uint64_t tail, seen_head; /* members of the consumer */
	_Alignas(LINE) uint32_t slots[SLOTS];
};
static struct ring *ring;
static double sum;

void init(void)
{
	ring = aligned_alloc(LINE, sizeof(*ring));
	*ring = (struct ring){ 0 };
}

static void kernel_produce(void)
{
	for (uint64_t i = 0; i < ITEMS; i++) {
		while (i - ring->seen_tail >= SLOTS)
			ring->seen_tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
		ring->slots[i % SLOTS] = (uint32_t)i;
		__atomic_store_n(&ring->head, i + 1, __ATOMIC_RELEASE);
	}
}

static void kernel_consume(void)
{
	for (uint64_t i = 0; i < ITEMS; i++) {
		while (i == ring->seen_head)
			ring->seen_head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
		sum += ring->slots[i % SLOTS];
		__atomic_store_n(&ring->tail, i + 1, __ATOMIC_RELEASE);
	}
}

static void kernel_side(int me)
{
	if (me)
		kernel_consume();
	else
		kernel_produce();
}

double kernel(void)
{
	team_run(2, kernel_side);
	return sum;
}
