/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/poll.h"

#include <string.h>

#include "naming/type.h"

/* LEAST_PERCENT: the elected type, and a refutation, need at least this percentage of the votes for
 * or against a type. PROOF: number of samples after the first element that prove that the type is
 * that of all elements, and not only of a header at the start of the object.
 * REFUTING_SHARE: a refutation needs one in so many samples of all voters. CONTESTED_SHARE: a type
 * that contradicts the source needs the votes of one in so many samples. LARGEST_SCALAR: maximum
 * size of a number or pointer, in bytes. */
enum {
	LEAST_PERCENT = 75,
	PROOF = 8,
	REFUTING_SHARE = 10,
	CONTESTED_SHARE = 3,
	LARGEST_SCALAR = 8
};

/* A place in a type: a member, and a distance from its begin. */
struct spot {
	const struct sym_member *member;
	uint64_t inside;
};

/* Gets the place in a type at this offset from the start of an element. */
static struct spot spot_at(const struct sym_type *t, uint64_t offset)
{
	const struct sym_member *m = t->members;

	while (m + 1 < t->members + t->nmembers && m[1].offset <= offset)
		m++;
	return (struct spot){ m, offset - m->offset };
}

/* Gets the place of an offset of the object if its elements have the type o->type. Returns false if
 * the offset is not in an element. */
static bool spot_of(const struct object_origin *o, uint64_t offset, struct spot *out)
{
	if (offset < o->type_start)
		return false;
	offset -= o->type_start;
	if (!o->type_repeats && offset >= o->type->size)
		return false;
	*out = spot_at(o->type, offset % o->type->size);
	return true;
}

static bool is_gap(const struct sym_member *m)
{
	return !m->name;
}

/* Is it a gap that only alignment makes, so that nothing is there? A longer gap, or a type without
 * any member, has data that the debug information does not place, as a virtual base class. */
static bool is_padding(const struct sym_type *t, const struct sym_member *m)
{
	return is_gap(m) && m->size < LARGEST_SCALAR && t->nmembers > 1;
}

/* Is the member one number or pointer? Arrays, unions and members of unknown type may be accessed
 * at any place. */
static bool is_number(const struct sym_member *m)
{
	const size_t len = m->type ? strlen(m->type) : 0;

	return m->name && m->size && m->size <= LARGEST_SCALAR && len && m->type[len - 1] != ']' &&
	       !strchr(m->name, '|');
}

static bool is_pointer(const struct sym_member *m)
{
	return m->type[strlen(m->type) - 1] == '*';
}

/* Can an access through one type be an access through the other? */
static bool can_be_same(const struct spot *a, const struct spot *b)
{
	if (is_gap(a->member) || is_gap(b->member))
		return false;
	if (!is_number(a->member) || !is_number(b->member))
		return true;
	return a->inside == b->inside && a->member->size == b->member->size &&
	       is_pointer(a->member) == is_pointer(b->member);
}

/* Can one instruction access both places of a type? */
static bool can_be_alternatives(const struct spot *a, const struct spot *b)
{
	if (!is_number(a->member) || !is_number(b->member))
		return a->member == b->member || !(is_gap(a->member) || is_gap(b->member));
	return a->inside == b->inside && a->member->size == b->member->size;
}

static bool is_same_type(const struct sym_type *a, const struct sym_type *b)
{
	return a == b || (a->size == b->size && !strcmp(a->name, b->name));
}

/* Does the instruction access places that one instruction cannot access in elements of o->type? */
static bool mixes_members(const struct vote *v, const struct object_origin *o)
{
	struct spot first, other;

	if (!spot_of(o, v->offset, &first))
		return false;
	for (uint32_t i = 0; i < v->nothers; i++)
		if (spot_of(o, v->others[i], &other) && !can_be_alternatives(&first, &other))
			return true;
	return false;
}

/* Does the instruction access a number in a struct, but not its begin? A program seldom wants a
 * part of a number. */
static bool is_split(const struct vote *v, const struct object_origin *o)
{
	struct spot s;

	return o->type->kind == SYM_STRUCT && spot_of(o, v->offset, &s) && is_number(s.member) &&
	       s.inside;
}

/* Gets the place of the access in the type to which the voter's pointer points. */
static bool own_spot(const struct voter *v, struct spot *out)
{
	if (!v->type || !v->placed || v->disp < 0)
		return false;
	*out = spot_at(v->type, (uint64_t)v->disp % v->type->size);
	return true;
}

/* Does the voter know the type that it accesses? A pointer to the header of a struct, with which
 * the code accesses what the header leaves out, shows only that the type is a different one. */
static bool knows_type(const struct voter *v)
{
	struct spot own;

	return v->type && !(own_spot(v, &own) && is_padding(v->type, own.member));
}

/* Returns where the struct begins to which the voter's pointer points, from the begin of an element
 * of v->type if such elements fill the object from its first byte on: 0 if it is an element. */
static uint64_t start_of(const struct voter *v)
{
	return (v->vote->offset - (uint64_t)v->disp) % v->type->size;
}

/* Are the samples at multiples of the type's size from `start`, which is less than that size? */
static bool is_element(const struct voter *v, uint64_t start)
{
	return start_of(v) == start && v->vote->step % v->type->size == 0;
}

static bool votes_for(const struct voter *v, const struct sym_type *t, uint64_t start)
{
	return knows_type(v) && is_same_type(v->type, t) && is_element(v, start);
}

static bool votes_against(const struct voter *v, const struct object_origin *o)
{
	struct spot here, own;

	if (mixes_members(v->vote, o) || is_split(v->vote, o))
		return true;
	if (!spot_of(o, v->vote->offset, &here))
		return false;
	return is_padding(o->type, here.member) || (knows_type(v) && v->type->kind == SYM_STRUCT &&
						    own_spot(v, &own) && !can_be_same(&here, &own));
}

bool poll_refutes(const struct voter *voters, unsigned n, const struct object_origin *o)
{
	uint64_t all = 0, against = 0, in_favour = 0;

	for (unsigned i = 0; i < n; i++) {
		const uint64_t samples = voters[i].vote->samples;

		all += samples;
		if (votes_for(&voters[i], o->type, o->type_start % o->type->size))
			in_favour += samples;
		else if (!voters[i].is_foreign && votes_against(&voters[i], o))
			against += samples;
	}
	return against >= POLL_LEAST && against * REFUTING_SHARE >= all &&
	       against * 100 >= (against + in_favour) * LEAST_PERCENT;
}

bool poll_places(const struct voter *voters, unsigned n, const struct object_origin *o)
{
	uint64_t samples = 0;

	for (unsigned i = 0; i < n; i++)
		if (votes_for(&voters[i], o->type, o->type_start % o->type->size))
			samples += voters[i].vote->samples;
	return samples >= POLL_LEAST;
}

/* Has the voter accessed an element after the first one? */
static bool is_later(const struct voter *v, const struct sym_type *t)
{
	return v->vote->offset >= t->size || v->vote->step;
}

bool poll_repeats(const struct voter *voters, unsigned n, const struct object_origin *o)
{
	uint64_t samples = 0;

	if (sym_is_flexible(o->type))
		return false;
	for (unsigned i = 0; i < n; i++)
		if (votes_for(&voters[i], o->type, o->type_start % o->type->size) &&
		    is_later(&voters[i], o->type))
			samples += voters[i].vote->samples;
	return samples >= PROOF;
}

static const char *last_part(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

/* Does the voter access a member that struct t has at the same place, under the same name? */
static bool shares_member(const struct voter *v, const struct sym_type *t)
{
	const struct vote *vote = v->vote;
	struct spot own, other;

	if (!own_spot(v, &own) || vote->step % t->size || vote->offset < (uint64_t)v->disp)
		return false;
	other = spot_at(t, vote->offset % t->size);
	return own.member->name && other.member->name && own.inside == other.inside &&
	       own.member->size == other.member->size &&
	       !strcmp(last_part(own.member->name), last_part(other.member->name));
}

static bool supports(const struct voter *v, const struct sym_type *t, uint64_t start)
{
	return votes_for(v, t, start) || (!start && v->type->kind == SYM_STRUCT &&
					  t->kind == SYM_STRUCT && shares_member(v, t));
}

/* Has the voter a vote? Numbers have none if there are structs, because a pointer to a number may
 * point at a member of a struct. */
static bool has_vote(const struct voter *v, bool any_struct)
{
	if (!knows_type(v) || v->type->size == 1)
		return false;
	return v->type->kind == SYM_SCALAR ? !any_struct && is_element(v, 0) : true;
}

struct result {
	const struct sym_type *type;
	uint64_t start;   /* offset of the first element, less than the type's size */
	uint64_t samples; /* number of votes for the type */
	uint64_t votes;   /* number of all votes */
	uint64_t all;     /* number of samples of all voters */
};

static void count_votes(struct result *r, const struct voter *voters, unsigned n, bool any_struct)
{
	r->votes = r->all = r->samples = 0;
	for (unsigned i = 0; i < n; i++) {
		const uint64_t samples = voters[i].vote->samples;
		const bool has = has_vote(&voters[i], any_struct);

		r->all += samples;
		r->votes += has ? samples : 0;
		r->samples += has && supports(&voters[i], r->type, r->start) ? samples : 0;
	}
}

/* Returns the type with the most votes; of several such types, the largest. Only after a head can
 * the first element begin elsewhere than at the object's first byte. */
static struct result count_all(const struct voter *voters, unsigned n, bool has_head)
{
	struct result best = { 0 }, r = { 0 };
	bool any_struct = false;

	for (unsigned i = 0; i < n; i++)
		any_struct |= knows_type(&voters[i]) && voters[i].type->kind != SYM_SCALAR;
	for (unsigned i = 0; i < n; i++) {
		if (!has_vote(&voters[i], any_struct))
			continue;
		r.type = voters[i].type;
		r.start = has_head && r.type->kind != SYM_SCALAR ? start_of(&voters[i]) : 0;
		if (!is_element(&voters[i], r.start))
			continue;
		count_votes(&r, voters, n, any_struct);
		if (!best.type || r.samples > best.samples ||
		    (r.samples == best.samples && r.type->size > best.type->size))
			best = r;
	}
	return best;
}

/* Does a sample of a supporting voter show an access after the object's first element, so that the
 * object is an array? */
static bool is_beyond(const struct voter *voters, unsigned n, const struct result *r)
{
	for (unsigned i = 0; i < n; i++)
		if (votes_for(&voters[i], r->type, r->start) && is_later(&voters[i], r->type))
			return true;
	return false;
}

/* Sets the type of a block that is smaller than the type: a program may allocate only the first
 * members of a struct. */
static void set_partial(const struct sym_type *t, struct object_origin *o)
{
	o->type = t;
	o->type_source = "accessed";
	o->type_start = 0;
	o->type_repeats = false;
}

bool poll_elect(const struct voter *voters, unsigned n, const struct object *x, bool contested,
		struct object_origin *o)
{
	const struct result r = count_all(voters, n, o->has_head);
	struct object_origin elected = *o;
	bool beyond;

	if (!r.type || r.samples * 100 < r.votes * LEAST_PERCENT ||
	    (contested && r.samples * CONTESTED_SHARE < r.all))
		return false;
	beyond = is_beyond(voters, n, &r);
	if (type_set(x, r.type, "accessed", &elected)) {
		elected.type_start = r.start;
		elected.type_repeats = (elected.type_repeats && beyond && !r.start) ||
				       poll_repeats(voters, n, &elected);
	} else if (!contested && x->kind == OBJECT_HEAP && r.type->kind == SYM_STRUCT && !beyond)
		set_partial(r.type, &elected);
	else
		return false;
	if (poll_refutes(voters, n, &elected))
		return false;
	*o = elected;
	return true;
}
