/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/dwarf_link.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbol/child.h"
#include "symbol/dwarf_server.h"

/* Maximum number of unanswered requests. This many fit into the buffer of any socket, so the parent
 * never blocks while it sends. Otherwise parent and child could wait for each other. */
enum { WINDOW = 4 };

struct dwarf_limits dwarf_limits = { .cpu_seconds = 120, .wait_seconds = 60 };

/* The only child that reads DWARF, and the parent's data about it. */
static struct {
	struct child child;
	/* the process that started the child: after a fork, the new process must start its own */
	pid_t owner;
	uint32_t generation;
	struct {
		/* indexed by the file's number; NULL means that the number is free */
		struct dwarf **at;
		uint32_t n, cap;
	} files;
	uint32_t nopen;
	struct dwarf_flight flights[WINDOW]; /* unanswered requests, the oldest first */
	unsigned nflights;
	uint8_t *in; /* buffer of the current message */
	size_t cap_in;
} reader;

static void give_up(struct dwarf *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void give_up(struct dwarf *d, const char *fmt, ...)
{
	va_list ap;
	char why[256];

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	snprintf(d->problem, sizeof(d->problem), "debug information of '%s' was given up: %s",
		 d->path, why);
	d->given_up = d->asked = true;
	d->answered = d->sent = d->answers.n;
}

/* Forgets the state of the last child: a new child has no file open and no request to answer. */
static void forget_child(void)
{
	reader.nflights = 0;
	reader.generation++;
	for (uint32_t i = 0; i < reader.files.n; i++) {
		struct dwarf *d = reader.files.at[i];

		if (d) {
			d->sent = d->answered;
			d->texts.n = 0;
		}
	}
}

/* Forgets the child if this process did not start it, but inherited it in a fork. */
static void disown_child(void)
{
	if (!reader.child.pid || reader.owner == getpid())
		return;
	close(reader.child.fd);
	reader.child = (struct child){ 0 };
	forget_child();
}

static void give_up_by_status(struct dwarf *d, int status)
{
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (status == -1)
		give_up(d, "the process that read it ended");
	else if (sig == SIGXCPU)
		give_up(d, "reading it took more than %u s of CPU time", dwarf_limits.cpu_seconds);
	else if (sig == SIGKILL)
		give_up(d, "the process that read it was killed twice");
	else if (sig)
		give_up(d, "the process that read it crashed (%s)", strsignal(sig));
	else if (WEXITSTATUS(status) == CHILD_NO_MEMORY)
		give_up(d, "reading it took too much memory");
	else
		give_up(d, "the process that read it ended with exit code %d", WEXITSTATUS(status));
}

/* The child has died with this status. Can the cause be something other than the file of the
 * current request? Returns true if somebody killed the child, or if it ran out of memory that
 * several files used. */
static bool may_be_innocent(int status)
{
	unsigned sharers = 0;

	if (status == -1)
		return false;
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGKILL;
	for (uint32_t i = 0; i < reader.files.n; i++)
		sharers +=
			reader.files.at[i] && reader.files.at[i]->generation == reader.generation;
	return WEXITSTATUS(status) == CHILD_NO_MEMORY && sharers > 1;
}

/* Handles the death of the child. Gives up the file of the oldest request, because the child was
 * reading this file when it died. If the file may not be the cause, does not give it up at the
 * first death. Then the callers send its requests again. `why` says what is wrong with the child's
 * answer; NULL if the child just died. */
static void bury_child(const char *why)
{
	struct dwarf *d = reader.nflights ? reader.flights[0].d : NULL;
	int status = child_end(&reader.child);
	bool forgiven = d && !why && may_be_innocent(status) && !d->deaths++;

	forget_child();
	if (!d || forgiven)
		return;
	if (why)
		give_up(d, "%s", why);
	else
		give_up_by_status(d, status);
}

static bool start_child(void)
{
	uint64_t half = (uint64_t)sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t)sysconf(_SC_PAGESIZE);
	struct child_limits l = { .memory = dwarf_limits.memory ? dwarf_limits.memory : half,
				  .seconds = dwarf_limits.wait_seconds };

	if (reader.child.pid)
		return true;
	reader.owner = getpid();
	return child_start(&reader.child, &l, dwarf_serve, &dwarf_limits.cpu_seconds) == 0;
}

bool link_add(struct dwarf *d)
{
	uint32_t i;

	for (i = 0; i < reader.files.n && reader.files.at[i]; i++)
		;
	if (i == DWARF_MAX_MODULES || (i == reader.files.n && !VEC_ROOM(&reader.files)))
		return false;
	if (i == reader.files.n)
		reader.files.n++;
	reader.files.at[i] = d;
	reader.nopen++;
	/* skips 0: in struct dwarf, generation 0 means that no child has the file open */
	reader.generation += !reader.generation;
	d->number = i;
	return true;
}

static bool send_all(const struct dwarf_request *r, const void *body, size_t n, int fd)
{
	char space[CMSG_SPACE(sizeof(fd))] __attribute__((aligned(8))) = { 0 };
	struct iovec io = { (void *)(uintptr_t)r, sizeof(*r) };
	struct msghdr m = { .msg_iov = &io,
			    .msg_iovlen = 1,
			    .msg_control = space,
			    .msg_controllen = sizeof(space) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	ssize_t sent;

	if (fd < 0)
		return child_write(reader.child.fd, r, sizeof(*r)) &&
		       child_write(reader.child.fd, body, n);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	do {
		sent = sendmsg(reader.child.fd, &m, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent == sizeof(*r);
}

/* Sends a request about file d. The caller has made sure that fewer than WINDOW requests are
 * unanswered. */
static void send_request(struct dwarf *d, struct dwarf_request r, const void *body, size_t n,
			 int fd)
{
	r.module = d->number;
	if (r.verb != DWARF_CLOSE)
		reader.flights[reader.nflights++] = (struct dwarf_flight){ d, r.verb, r.count };
	if (!send_all(&r, body, n, fd))
		bury_child(NULL);
}

/* Forgets the file, and drops answers for it that arrive later. Closes the file in the child only
 * if no request is unanswered, because one more request might not fit into the socket. Otherwise
 * the file's memory stays allocated in the child. After the last file, ends the child. */
void link_remove(struct dwarf *d)
{
	disown_child();
	for (unsigned i = 0; i < reader.nflights; i++)
		if (reader.flights[i].d == d)
			reader.flights[i].d = NULL;
	reader.files.at[d->number] = NULL;
	if (--reader.nopen) {
		if (!reader.nflights && reader.child.pid && d->generation == reader.generation)
			send_request(d, (struct dwarf_request){ .verb = DWARF_CLOSE }, NULL, 0, -1);
		return;
	}
	child_end(&reader.child);
	forget_child();
	free(reader.files.at);
	reader.files.at = NULL;
	reader.files.n = reader.files.cap = 0;
	free(reader.in);
	reader.in = NULL;
	reader.cap_in = 0;
}

static void open_in_child(struct dwarf *d)
{
	struct dwarf_request r = { .verb = DWARF_OPEN };
	int fd = image_reopen(d->path, d->image);

	while (reader.nflights == WINDOW)
		link_receive();
	if (fd < 0) {
		give_up(d, "the file was replaced meanwhile");
		return;
	}
	if (start_child()) {
		d->generation = reader.generation;
		send_request(d, r, NULL, 0, fd);
	} else {
		give_up(d, "cannot start a process that reads it: %s", strerror(errno));
	}
	close(fd);
}

bool link_open(struct dwarf *d)
{
	disown_child();
	while (!d->given_up &&
	       (!reader.child.pid || d->generation != reader.generation || !d->asked)) {
		open_in_child(d);
		while (link_busy(d))
			link_receive();
	}
	return d->found && !d->given_up;
}

void link_send(struct dwarf *d, enum dwarf_verb verb, const void *body, size_t n)
{
	struct dwarf_request r = { .verb = verb, .count = n != 0 };

	while (reader.nflights == WINDOW)
		link_receive();
	if (d->generation == reader.generation)
		send_request(d, r, body, n, -1);
}

/* Sends the next batch of the addresses that were requested for file d. Returns false if there are
 * no more, or if WINDOW requests are unanswered. */
static bool send_batch(struct dwarf *d)
{
	uint64_t vaddrs[DWARF_MAX_BATCH];
	struct dwarf_request r = { .verb = DWARF_LINES };

	if (reader.nflights == WINDOW || d->given_up || !d->found ||
	    d->generation != reader.generation || d->sent == d->answers.n)
		return false;
	while (r.count < DWARF_MAX_BATCH && d->sent < d->answers.n)
		vaddrs[r.count++] = d->answers.at[d->sent++].vaddr;
	send_request(d, r, vaddrs, r.count * sizeof(vaddrs[0]), -1);
	return true;
}

void link_send_lines(struct dwarf *d)
{
	while (send_batch(d))
		;
	for (uint32_t i = 0; i < reader.files.n && reader.nflights < WINDOW; i++)
		while (reader.files.at[i] && send_batch(reader.files.at[i]))
			;
}

/* Reads the next message of the child: its head to *m, its body to reader.in. Returns NULL, or the
 * text of an error, which is "" if the child has died. */
static const char *read_message(struct dwarf_message *m)
{
	errno = 0;
	if (!child_await(&reader.child) || !child_read(reader.child.fd, m, sizeof(*m)))
		goto fail;
	if (m->size > DWARF_MAX_MESSAGE || m->last > 1)
		return "the process that read it gave an unsound answer";
	if (m->size > reader.cap_in) {
		uint8_t *more = realloc(reader.in, m->size);

		if (!more)
			return "out of memory";
		reader.in = more;
		reader.cap_in = m->size;
	}
	if (child_read(reader.child.fd, reader.in, m->size))
		return NULL;
fail:
	return errno == EAGAIN  ? "the process that read it gave no answer in time"
	       : errno == EINTR ? "interrupted"
				: "";
}

void link_receive(void)
{
	struct dwarf_message m;
	const char *wrong;

	if (!reader.nflights)
		return;
	wrong = read_message(&m);
	if (!wrong)
		wrong = dwarf_take(&reader.flights[0], cursor_make(reader.in, m.size, false),
				   m.last);
	if (wrong)
		bury_child(*wrong ? wrong : NULL);
	else if (m.last)
		memmove(reader.flights, reader.flights + 1,
			--reader.nflights * sizeof(reader.flights[0]));
}

bool link_busy(const struct dwarf *d)
{
	for (unsigned i = 0; i < reader.nflights; i++)
		if (reader.flights[i].d == d)
			return true;
	return false;
}
