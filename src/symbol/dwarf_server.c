/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/dwarf_server.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/index.h"
#include "symbol/child.h"
#include "symbol/debuginfo.h"
#include "symbol/dwarf_wire.h"

/* The strings of one file that were already sent to the parent: at[N - 1] has the number N. Strings
 * are compared only by their addresses. */
struct sent {
	struct index index;
	const char **at;
	uint32_t n, cap;
};

struct module {
	struct debuginfo *d;
	double used; /* CPU time used for the file, seconds */
	struct sent sent;
};

struct server {
	int fd;
	unsigned seconds; /* limit of the CPU time for each file */
	struct {
		struct module *at;
		uint32_t n, cap;
	} modules;
	/* records of the message that is being made; its struct dwarf_message is not in here */
	uint8_t *out;
	uint32_t nout, cap_out;
};

static void *or_exit(void *p)
{
	if (!p)
		_exit(CHILD_NO_MEMORY);
	return p;
}

static void flush_answer(struct server *s, bool last)
{
	struct dwarf_message m = { s->nout, last };

	if (!child_write(s->fd, &m, sizeof(m)) || !child_write(s->fd, s->out, s->nout))
		_exit(EXIT_FAILURE); /* the socket is closed, because the parent has ended */
	s->nout = 0;
}

static void put_bytes(struct server *s, const void *p, size_t n)
{
	if (n > s->cap_out - s->nout) {
		s->cap_out = (uint32_t)(2 * (s->nout + n));
		s->out = or_exit(realloc(s->out, s->cap_out));
	}
	memcpy(s->out + s->nout, p, n);
	s->nout += (uint32_t)n;
}

static void put_u8(struct server *s, uint8_t v)
{
	put_bytes(s, &v, sizeof(v));
}

static void put_u32(struct server *s, uint32_t v)
{
	put_bytes(s, &v, sizeof(v));
}

static void put_u64(struct server *s, uint64_t v)
{
	put_bytes(s, &v, sizeof(v));
}

static void put_text(struct server *s, enum dwarf_record record, const char *text, size_t n)
{
	put_u8(s, record);
	put_u32(s, (uint32_t)n);
	put_bytes(s, text, n);
}

static void put_damage(struct server *s, const char *damage)
{
	if (*damage)
		put_text(s, DWARF_DAMAGE, damage, strlen(damage));
}

/* Returns the number of `text` in records; 0 if text is NULL. If it has no number yet, adds a
 * record DWARF_TEXT to the message, so this must be called before another record is begun. */
static uint32_t text_id(struct server *s, struct sent *t, const char *text)
{
	uint32_t hash = index_hash((uintptr_t)text, 0), place = hash, id;

	if (!text)
		return 0;
	while ((id = index_next(&t->index, hash, &place)))
		if (AT_ID(*t, id) == text)
			return id;
	if (!VEC_ROOM(t) || !index_add(&t->index, hash, t->n + 1))
		_exit(CHILD_NO_MEMORY);
	t->at[t->n++] = text;
	put_text(s, DWARF_TEXT, text, strnlen(text, DWARF_MAX_TEXT));
	return t->n;
}

static void put_place(struct server *s, struct module *m, uint64_t vaddr)
{
	struct sym_line lines[SYM_MAX_INLINE];
	uint32_t names[SYM_MAX_INLINE][2];
	unsigned n = debuginfo_lines(m->d, vaddr, lines, SYM_MAX_INLINE);

	for (unsigned i = 0; i < n; i++) {
		names[i][0] = text_id(s, &m->sent, lines[i].function);
		names[i][1] = text_id(s, &m->sent, lines[i].file);
	}
	put_u8(s, DWARF_PLACE);
	put_u8(s, (uint8_t)n);
	for (unsigned i = 0; i < n; i++) {
		put_bytes(s, names[i], sizeof(names[i]));
		put_u32(s, lines[i].line);
		put_u32(s, lines[i].column);
	}
	if (s->nout >= DWARF_FLUSH)
		flush_answer(s, false);
}

static void answer_lines(struct server *s, struct module *m, uint32_t count)
{
	uint64_t vaddrs[DWARF_MAX_BATCH];
	char damage[DWARF_MAX_DAMAGE];

	if (count > DWARF_MAX_BATCH || !child_read(s->fd, vaddrs, count * sizeof(vaddrs[0])))
		_exit(EXIT_FAILURE);
	for (uint32_t i = 0; i < count; i++)
		put_place(s, m, vaddrs[i]);
	debuginfo_damage(m->d, damage, sizeof(damage));
	put_damage(s, damage);
}

struct showing {
	struct server *s;
	struct module *m;
};

static void put_entry(struct server *s, const struct sym_entry *e)
{
	put_u32(s, e->unit);
	put_u64(s, e->offset);
}

static int put_variable(const struct sym_variable *v, void *arg)
{
	const struct showing *x = arg;
	uint32_t name = text_id(x->s, &x->m->sent, v->name);
	uint32_t file = text_id(x->s, &x->m->sent, v->file);

	put_u8(x->s, DWARF_VARIABLE);
	put_u64(x->s, v->vaddr);
	put_u64(x->s, v->size);
	put_u32(x->s, name);
	put_u32(x->s, file);
	put_u32(x->s, v->line);
	put_u8(x->s, v->is_tls);
	put_entry(x->s, &v->entry);
	if (x->s->nout >= DWARF_FLUSH)
		flush_answer(x->s, false);
	return 0;
}

static int put_local(const struct sym_local *v, void *arg)
{
	const struct showing *x = arg;
	uint32_t name = text_id(x->s, &x->m->sent, v->name);
	uint32_t file = text_id(x->s, &x->m->sent, v->file);

	put_u8(x->s, DWARF_LOCAL);
	put_u32(x->s, v->variable);
	put_u8(x->s, v->base);
	put_u64(x->s, (uint64_t)v->offset);
	put_u64(x->s, v->size);
	put_u32(x->s, name);
	put_u32(x->s, file);
	put_u32(x->s, v->line);
	put_u64(x->s, v->lo);
	put_u64(x->s, v->hi);
	put_u8(x->s, v->points);
	put_u8(x->s, v->array);
	put_u8(x->s, v->in_slot);
	put_u8(x->s, v->passed);
	put_entry(x->s, &v->entry);
	if (x->s->nout >= DWARF_FLUSH)
		flush_answer(x->s, false);
	return 0;
}

static void answer_locals(struct server *s, struct module *m)
{
	struct showing x = { s, m };
	uint64_t vaddr;

	if (!child_read(s->fd, &vaddr, sizeof(vaddr)))
		_exit(EXIT_FAILURE);
	debuginfo_locals(m->d, vaddr, put_local, &x);
}

static void put_layout(struct server *s, struct module *m, const struct sym_type *t)
{
	uint32_t name = text_id(s, &m->sent, t->name);

	/* the records of the strings must precede the record that uses them */
	for (uint32_t i = 0; i < t->nmembers; i++) {
		text_id(s, &m->sent, t->members[i].name);
		text_id(s, &m->sent, t->members[i].type);
	}
	put_u8(s, DWARF_LAYOUT);
	put_u32(s, name);
	put_u8(s, (uint8_t)t->kind);
	put_u64(s, t->size);
	put_u32(s, t->nmembers);
	for (uint32_t i = 0; i < t->nmembers; i++) {
		put_u32(s, text_id(s, &m->sent, t->members[i].name));
		put_u32(s, text_id(s, &m->sent, t->members[i].type));
		put_u64(s, t->members[i].offset);
		put_u64(s, t->members[i].size);
	}
}

static void answer_type(struct server *s, struct module *m)
{
	struct dwarf_type_query q;
	struct sym_type t;

	if (!child_read(s->fd, &q, sizeof(q)))
		_exit(EXIT_FAILURE);
	q.text[SYM_MAX_TYPE_TEXT] = '\0';
	if (debuginfo_type(m->d,
			   &(struct sym_type_query){ .by = q.by,
						     .entry = { q.unit, q.entry },
						     .vaddr = q.vaddr,
						     .inlined = q.inlined,
						     .reg = q.reg,
						     .text = q.text },
			   &t))
		put_layout(s, m, &t);
}

static void close_module(struct module *m)
{
	debuginfo_close(m->d);
	free(m->sent.at);
	index_release(&m->sent.index);
	memset(m, 0, sizeof(*m));
}

static void open_module(struct server *s, struct module *m, int fd)
{
	char damage[DWARF_MAX_DAMAGE] = "";

	close_module(m);
	m->d = fd < 0 ? NULL : debuginfo_open(fd, damage, sizeof(damage));
	put_damage(s, damage);
	put_u8(s, DWARF_OPENED);
	put_u8(s, m->d != NULL);
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Answers one request about file m. If the file's CPU time is used up, the kernel ends this
 * process, and the parent gives up the file. */
static void answer_request(struct server *s, struct module *m, const struct dwarf_request *r,
			   int fd)
{
	double from = cpu_seconds();
	struct showing x = { s, m };

	child_limit_cpu(s->seconds > m->used ? s->seconds - (unsigned)m->used : 0);
	if (r->verb == DWARF_OPEN)
		open_module(s, m, fd);
	else if (r->verb == DWARF_CLOSE)
		close_module(m);
	else if (!m->d)
		_exit(EXIT_FAILURE);
	else if (r->verb == DWARF_LINES)
		answer_lines(s, m, r->count);
	else if (r->verb == DWARF_LOCALS)
		answer_locals(s, m);
	else if (r->verb == DWARF_TYPE)
		answer_type(s, m);
	else
		debuginfo_variables(m->d, put_variable, &x);
	m->used += cpu_seconds() - from;
	if (r->verb != DWARF_CLOSE)
		flush_answer(s, true);
}

/* Receives a request, and the descriptor of a file if one comes with it (otherwise *fd is -1).
 * Returns false when the socket is closed. */
static bool receive_request(int sock, struct dwarf_request *r, int *fd)
{
	char space[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
	struct iovec io = { r, sizeof(*r) };
	struct msghdr m = { .msg_iov = &io,
			    .msg_iovlen = 1,
			    .msg_control = space,
			    .msg_controllen = sizeof(space) };
	struct cmsghdr *c;

	*fd = -1;
	if (recvmsg(sock, &m, MSG_CMSG_CLOEXEC | MSG_WAITALL) != sizeof(*r))
		return false;
	c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(c), sizeof(*fd));
	return true;
}

void dwarf_serve(int fd, void *seconds)
{
	struct server s = { .fd = fd, .seconds = *(const unsigned *)seconds };
	struct dwarf_request r;
	int passed;

	while (receive_request(fd, &r, &passed) && r.module < DWARF_MAX_MODULES) {
		while (s.modules.n <= r.module) {
			if (!VEC_ROOM(&s.modules))
				_exit(CHILD_NO_MEMORY);
			s.modules.at[s.modules.n++] = (struct module){ 0 };
		}
		answer_request(&s, &s.modules.at[r.module], &r, passed);
	}
}
