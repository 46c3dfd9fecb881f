/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the stacks that signal handlers capture: they show what the handler interrupted, and the
 * handler may interrupt another capture. */
#include "stack_fixture.h"
#include "stack_state.h"

static void on_signal(int sig)
{
	recurse(3, hook);
}

static void set_handler(void (*handler)(int), int sig, int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags };

	ck_assert_int_eq(sigaction(sig, &sa, NULL), 0);
}

static uint32_t raise_one(void)
{
	raise(SIGUSR1);
	return 0;
}

START_TEST(signal_handlers_show_what_they_interrupted)
{
	struct log l;
	const stack_t alternate = { .ss_sp = pages(1 << 20), .ss_size = 1 << 20 };

	ck_assert_int_eq(sigaltstack(&alternate, NULL), 0);
	set_handler(on_signal, SIGUSR1, _i ? SA_ONSTACK : 0);
	log_open(&l);
	for (int d = 0; d < 60; d++)
		recurse(d % 20, raise_one);
	ck_assert_uint_eq(l.same, 60);
	log_close(&l);
}
END_TEST

static sigjmp_buf escape;
static volatile sig_atomic_t may_escape;
static volatile unsigned ticks;
static leaf_fn *volatile in_handler;

static volatile sig_atomic_t timer_is_set;

/* Sets the timer once, if it is not set. A periodic timer would interrupt every few instructions
 * on a slow machine: the handlers would create more frames than the test can store, and use up the
 * stack. The delays differ, so that signals interrupt different instructions. */
static void set_timer(void)
{
	const struct itimerval soon = { .it_value = { 0, 1 + ticks % 67 } };

	if (timer_is_set)
		return;
	timer_is_set = 1;
	(void)setitimer(ITIMER_REAL, &soon, NULL);
}

/* maximum number of handlers that run at the same time */
enum { MOST_HANDLERS = 5 };
static volatile sig_atomic_t handlers;
static bool handlers_nest;

static void on_timer(int sig)
{
	ticks++;
	timer_is_set = 0;
	if (may_escape && ticks % 2) {
		handlers = 0;
		siglongjmp(escape, 1);
	}
	handlers = handlers + 1;
	if (handlers_nest && handlers < MOST_HANDLERS)
		set_timer();
	(void)recurse((int)(ticks % 5), in_handler);
	handlers = handlers - 1;
}

static NOINLINE uint32_t capture_and_take(void)
{
	struct stack_frames f;
	uint32_t id = stack_capture_caller(logged->thread);

	while (stack_take_new(logged->thread, 3, &f))
		sink += (int)f.n;
	return id;
}

/* Waits until no signal of the timer is due. */
static void await_timer(void)
{
	while (timer_is_set)
		(void)usleep(100);
}

static void run_under_timer(unsigned rounds, leaf_fn *leaf)
{
	volatile unsigned i = 0;

	in_handler = capture_and_take;
	handlers_nest = true;
	set_handler(on_timer, SIGALRM, SA_NODEFER);
	(void)sigsetjmp(escape, 1);
	may_escape = 0; /* a handler must not jump out of code that holds a lock */
	while (i < rounds) {
		if (i % 2 == 0)
			set_timer();
		i = i + 1;
		if (i % 8 == 0)
			/* invalidates the cached frames, so that the next captures store their
			 * frames again */
			stack_images_changed();
		may_escape = leaf != hook;
		(void)recurse((int)(i % 30), leaf);
		may_escape = 0;
	}
	await_timer();
}

/* A signal handler captures stacks while a capture is in progress, and leaves some of the
 * captures with siglongjmp. The capture state must stay valid. */
START_TEST(captures_interrupted_and_left)
{
	struct log l;

	log_open(&l);
	run_under_timer(20000, capture_and_take);
	if (SANITIZED)
		/* local variables may be on the heap, where those of frames that siglongjmp has
		 * left look as if they were in use */
		stack_thread_moved(l.thread);
	ck_assert(stack_reset(l.thread));
	grow_many(1000);
	ck_assert_uint_eq(l.same, 1000);
	log_close(&l);
}
END_TEST

static NOINLINE uint32_t log_from_handler(void)
{
	uint32_t id = stack_capture_caller(logged->thread);

	log_new_frames(logged);
	return id;
}

/* A signal handler also logs the frames of its captures. Whatever it interrupts, each id is
 * logged with correct frames. */
START_TEST(frames_made_in_handlers_are_written)
{
	struct log l;
	struct plan p = { .seed = 7 };
	uint32_t root;

	log_open(&l);
	in_handler = log_from_handler;
	set_handler(on_timer, SIGALRM, 0);
	for (int i = 0; i < 20000; i++) {
		if (i % 2 == 0)
			set_timer();
		p.depth = (int)(next_random(&p) % 12);
		grow(&p);
	}
	await_timer();
	ck_assert_uint_eq(l.same + l.truncated, 20000);
	for (uint32_t id = STACK_FIRST_ID; id < l.thread->next_id; id++)
		ck_assert_msg(l.nodes[id].pc != 0 && depth_of(&l, id, &root) > 0, "id %u", id);
	log_close(&l);
}
END_TEST

static struct guard leaving;
static bool leaves;
static int inner; /* number of inner frames that both paths have */

/* Captures a stack while an interrupted capture of this thread is about to release the capture
 * state: guard_close() has cleared the token, but not yet the pointer to it. */
static NOINLINE uint32_t hook_as_owner_leaves(void)
{
	if (leaves)
		stack_state(logged->thread)->holder = &leaving;
	return hook();
}

static NOINLINE uint32_t by_one_path(void)
{
	uint32_t id = recurse(inner, hook_as_owner_leaves);

	sink++;
	return id;
}

static NOINLINE uint32_t by_another_path(void)
{
	uint32_t id = recurse(inner, hook_as_owner_leaves);

	sink += 2;
	return id;
}

/* A signal handler interrupts a capture that is about to release the thread's capture state. The
 * handler's capture must not get the outer frames of the interrupted one. Both stacks have the same
 * inner frames, so the segments of these frames are known, but the node of the handler's outer
 * frames is not. Where segments end depends on addresses, so the test tries several numbers of
 * frames. */
START_TEST(an_owner_that_leaves_does_not_lend_its_stack)
{
	leaf_fn *const paths[] = { by_one_path, by_another_path };
	struct log l;

	log_open(&l);
	for (int i = 0; i < 8 * (three + 37); i++) {
		inner = i / 8;
		leaves = i % 8 >= 4;
		paths[i % 2]();
	}
	ck_assert_uint_eq(l.same, 320);
	log_close(&l);
}
END_TEST

static volatile sig_atomic_t refused;

static void on_signal_in_capture(int sig)
{
	struct guard mine;

	(void)sig;
	refused = !guard_open(stack_state(logged->thread), &mine);
}

static NOINLINE uint32_t own_during_signal(void)
{
	struct state *s = stack_state(logged->thread);
	struct guard mine;

	ck_assert(guard_open(s, &mine));
	raise(SIGUSR1);
	guard_close(s, &mine);
	return 0;
}

/* The alternate signal stack is an array in a frame above the capture that the handler interrupts.
 * So the handler's frames are above the capture's, but longjmp has not left it. */
START_TEST(an_alternate_stack_in_a_live_frame_takes_no_guard)
{
	char space[1 << 16];
	const stack_t alternate = { .ss_sp = space, .ss_size = sizeof(space) };
	struct log l;

	ck_assert_int_eq(sigaltstack(&alternate, NULL), 0);
	set_handler(on_signal_in_capture, SIGUSR1, SA_ONSTACK);
	log_open(&l);
	recurse(3, hook);
	recurse(5, own_during_signal);
	ck_assert_int_eq(refused, 1);
	log_close(&l);
}
END_TEST

static NOINLINE uint32_t capture_unlogged(void)
{
	return stack_capture_caller(logged->thread);
}

/* A signal handler leaves the capture that it interrupted, while that capture forgets the nodes
 * that are written: the first new id is set, and the list is not empty yet. */
START_TEST(a_list_that_is_half_forgotten_has_an_end)
{
	struct log l;
	struct stack_tree *tree;
	struct stack_frames f;
	uint32_t id, frames = 0;
	int calls = 0;

	log_open(&l);
	recurse(3, hook);
	tree = &stack_state(l.thread)->tree;
	ck_assert_uint_gt(tree->n_new, 0);
	tree->first_new += tree->n_new;
	id = recurse(9, capture_unlogged);
	for (; calls < 1000 && stack_take_new(l.thread, 3, &f); calls++) {
		ck_assert_uint_ge(f.first, tree->first_new);
		frames += f.n;
	}
	ck_assert_int_lt(calls, 1000);
	ck_assert_uint_ge(frames, 9);
	ck_assert_uint_ge(id, tree->first_new);
	grow_many(1000);
	ck_assert_uint_eq(l.same, 1001);
	log_close(&l);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("stack_handlers");
	TCase *t = tcase_create("stack_handlers");

	tcase_set_timeout(t, 240);
	tcase_add_loop_test(t, signal_handlers_show_what_they_interrupted, 0, 2);
	tcase_add_test(t, captures_interrupted_and_left);
	tcase_add_test(t, frames_made_in_handlers_are_written);
	tcase_add_test(t, an_owner_that_leaves_does_not_lend_its_stack);
	tcase_add_test(t, an_alternate_stack_in_a_live_frame_takes_no_guard);
	tcase_add_test(t, a_list_that_is_half_forgotten_has_an_end);
	suite_add_tcase(s, t);
	return run_suite(s);
}
