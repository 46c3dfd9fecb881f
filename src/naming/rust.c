/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/rust.h"

#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/prefix.h"

bool is_rust(const char *path)
{
	const size_t n = strlen(path);

	return n > 3 && !strcmp(path + n - 3, ".rs");
}

bool rust_makes_table(const char *function)
{
	static const char *const methods[] = {
		"new_uninitialized", "fallible_with_capacity", "with_capacity", "with_capacity_in",
		"try_with_capacity", "try_with_capacity_in",   "resize",        "reserve_rehash"
	};
	const char *s = function;
	int depth = 1;

	if (strncmp(s, "hashbrown::raw::RawTable<", 25) != 0)
		return false;
	for (s += 25; *s && depth; s++) /* the arguments may contain "->" */
		depth += (*s == '<') - (*s == '>' && s[-1] != '-');
	if (strncmp(s, "::", 2) != 0)
		return false;
	s += 2;
	return equals_any(s, strcspn(s, "<("), methods, COUNT_OF(methods));
}

bool rust_is_literal(const struct view *v, int64_t i)
{
	const int before = view_kind(v, i - 1), behind = view_kind(v, i + 2);

	if (before != TOK_NAME && before != '>')
		return false;
	if (view_kind(v, i + 1) != TOK_NAME)
		return view_kind(v, i + 1) == '.';
	return behind == ':' || behind == ',' || behind == '}';
}

/* The last expression of a function, without "Ok( … )" or "Some( … )" around it: tokens `from` to
 * `to` of ts. */
struct tail {
	struct tokens ts;
	int from, to;
};

static bool find_tail(const struct statement *st, struct tail *t)
{
	const struct view *v = st->view;
	int at;

	if (!v->is_rust || !st->function)
		return false;
	const int64_t last = (int64_t)st->function->close - 1;
	if (view_kind(v, last) == ';' ||
	    (view_kind(v, last) == '}' && !rust_is_literal(v, v->tokens.at[last].partner)) ||
	    last <= st->function->body || !view_statement(v, last, &t->ts, &at))
		return false;
	t->from = 0;
	t->to = t->ts.n - 1;
	while (token_in(&t->ts, t->from, " Ok Some ") && token_kind(&t->ts, t->from + 1) == '(' &&
	       token_match(&t->ts, t->from + 1) == t->to) {
		t->from += 2;
		t->to--;
	}
	return t->from <= t->to;
}

bool rust_returns(const struct statement *st)
{
	struct tail t;

	return find_tail(st, &t) && st->tokens.n && t.ts.t[0].s == st->tokens.t[0].s;
}

static bool is_token(const struct tokens *ts, int i, const char *s, size_t len)
{
	const struct token *t = token_at(ts, i);

	return t->kind == TOK_NAME && t->len == len && !memcmp(t->s, s, len);
}

/* Returns the first token of the next element, after the element that begins at token i. The
 * elements are in braces that end at token `close`. If no element follows, returns `close`. */
static int next_element(const struct tokens *ts, int i, int close)
{
	for (; i < close; i++) {
		const int kind = token_kind(ts, i);

		if (kind == ',')
			return i + 1;
		if (kind == '(' || kind == '[' || kind == '{')
			i = token_match(ts, i);
		if (i < 0)
			break;
	}
	return close;
}

/* In the new struct whose braces are tokens `open` and `close`, finds the member that gets the
 * variable name[0..len). Returns the position of the member's name; -1 if no member gets it. */
static int member_of(const struct tokens *ts, int open, int close, const char *name, size_t len)
{
	for (int i = open + 1; i < close; i = next_element(ts, i, close)) {
		const bool named = token_kind(ts, i + 1) == ':';
		const int value = named ? i + 2 : i, end = token_kind(ts, value + 1);

		if (is_token(ts, value, name, len) && (end == ',' || end == '}'))
			return i;
	}
	return -1;
}

/* Sets *h to the text "x.member" and then `rest`. x is a range of tokens; token `member` is the
 * name of the member. */
static bool set_member(struct holder *h, const struct tokens *ts, struct name x, int member,
		       const char *rest)
{
	const struct token *m = token_at(ts, member);
	struct holder to;
	size_t len;

	if (!holder_from(&to, ts, x))
		return false;
	len = strlen(to.text);
	if (len + m->len + strlen(rest) + 2 > sizeof(to.text))
		return false;
	snprintf(to.text + len, sizeof(to.text) - len, ".%.*s%s", (int)m->len, m->s, rest);
	*h = to;
	return true;
}

/* Returns the opening brace of the innermost new struct around token `at`; -1 if there is none. */
static int literal_around(const struct tokens *ts, int at)
{
	for (int i = at - 1; i > 0; i--) {
		const int kind = token_kind(ts, i);

		if (kind == ')' || kind == ']' || kind == '}')
			i = token_match(ts, i);
		else if (kind == '{')
			return token_kind(ts, i - 1) == TOK_NAME ? i : -1;
		if (i < 0)
			break;
	}
	return -1;
}

bool rust_member(struct holder *h, const struct statement *st, int at)
{
	const struct tokens *ts = &st->tokens;
	const int open = st->view->is_rust ? literal_around(ts, at) : -1;
	const int close = open < 0 ? -1 : token_match(ts, open);
	struct name x;

	for (int i = open + 1, next; open > 0 && i < close; i = next) {
		next = next_element(ts, i, close);
		if (at >= next)
			continue;
		if (token_kind(ts, i) != TOK_NAME || token_kind(ts, i + 1) != ':')
			break;
		x = assigned_to_call(ts, open - 1);
		return set_member(h, ts,
				  is_name(x) ? x : (struct name){ open - 1, open - 1, false }, i,
				  "");
	}
	return false;
}

void rust_bare(struct holder *h)
{
	static const char *const calls[] = { ".unwrap()", ".lock()",   ".read()",
					     ".write()",  ".borrow()", ".borrow_mut()",
					     ".as_mut()", ".as_ref()", ".get_mut()" };

	for (size_t i = 0; i < COUNT_OF(calls); i++) {
		const size_t len = strlen(calls[i]);
		char *s;

		while ((s = strstr(h->text, calls[i])) && s >= h->text + h->base + h->base_len)
			memmove(s, s + len, strlen(s + len) + 1);
	}
}

/* If the function returns a new struct (tokens t->from to t->to) and moves the variable of *h to
 * one of its members, replaces the variable in *h with that member. Returns false if it does not
 * move the variable there. */
static bool move_to_member(struct holder *h, const struct tail *t)
{
	const int open = token_kind(&t->ts, t->to) == '}' ? token_match(&t->ts, t->to) : -1;
	int member;

	if (open <= 0 || token_kind(&t->ts, open - 1) != TOK_NAME || h->base)
		return false;
	if (is_token(&t->ts, open - 1, h->text, h->base_len))
		return true; /* *h is a member of this struct already */
	member = member_of(&t->ts, open, t->to, h->text, h->base_len);
	return member >= 0 && set_member(h, &t->ts, (struct name){ open - 1, open - 1, false },
					 member, h->text + h->base_len);
}

bool rust_way(struct holder *h, const struct statement *st, struct holder_way *way)
{
	struct tail t;

	if (!st->view->is_rust)
		return false;
	if (!strncmp(h->text, "self.", 5)) {
		memmove(h->text, h->text + 5, strlen(h->text) - 4);
		h->base_len = strcspn(h->text, ".[(");
		way->path = HOLDER_MEMBER;
		return true;
	}
	if (!find_tail(st, &t) ||
	    (!(t.from == t.to && is_token(&t.ts, t.from, h->text, h->base_len)) &&
	     !move_to_member(h, &t)))
		return false;
	way->path = HOLDER_RETURNED;
	return true;
}

struct name rust_written(const struct tokens *ts, const char *callee)
{
	if (!callee || !strstr(callee, "::Write"))
		return no_name;
	for (int i = 0; i < ts->n; i++) {
		struct name n;

		if (!token_in(ts, i, " write writeln ") || token_kind(ts, i + 1) != '!' ||
		    token_kind(ts, i + 2) != '(')
			continue;
		n = argument_from(ts, i + 3);
		while (token_kind(ts, n.from) == '&' || token_kind(ts, n.from) == '*' ||
		       token_in(ts, n.from, " mut "))
			n.from++;
		return name_is_path(ts, n) ? n : no_name;
	}
	return no_name;
}
