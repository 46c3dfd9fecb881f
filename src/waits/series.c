/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "waits/reach.h"

enum {
	FIRST_SLOTS = 16,
	MOST_SHIFT = 20,
	/* the number of lines is estimated only if at least this many samples hit a line that an
	 * earlier sample had hit. Fewer may be chance: then the footprint is assumed to be the
	 * entire range of addresses */
	FEW_AGAIN = 8,
	/* the sums x and y of struct series are reset to 0 when the range of addresses has grown by
	 * more than 1/GROWN of its size */
	GROWN = 32,
};

/* Time, in ns, until a cache line arrives from memory. */
#define MISS_NS 130.0

/* Time, in ns, from one line of a stream to the next, on a machine whose memory is slow or busy. */
#define STREAM_NS 32.0

/* Limit in bytes per ns. No access advances through memory faster. */
#define FASTEST 64.0

/* The addresses are in order if series_order() exceeds this. */
#define IN_ORDER 0.6

/* An operand tends to be in order (series_tends()) if its steps have a common direction by more
 * than this number of standard deviations. Among random addresses, one of twenty series exceeds it
 * by chance. */
#define BY_CHANCE 2.0

/* Number of ranges of rates that may contain the usual rate of a stream: a factor of 2.8. */
enum { USUAL_RANGES = 3 };

/* If at least this part of the sampled addresses is in distinct lines, the number of lines is
 * large, but cannot be estimated. */
#define ALL_DISTINCT 0.98

/* Returns the hash of a cache line's number, never 0. The hash does not change from run to run of
 * memdb, so the same recording always yields the same shares. */
static uint32_t hash_of(uint64_t line)
{
	line *= UINT64_C(0x9e3779b97f4a7c15);
	line ^= line >> 32;
	line *= UINT64_C(0xd6e8feb86659fd93);
	return (uint32_t)(line >> 32) | UINT32_C(1) << 31;
}

/* Returns the slot of the table that has this hash, or the free slot for it. All stored hashes end
 * with `shift` zero bits, which do not distinguish them, so these bits are shifted out. */
static struct series_line *find_line(struct series_line *lines, uint32_t size, uint32_t hash,
				     uint32_t shift)
{
	uint32_t i = (hash >> shift) & (size - 1);

	while (lines[i].hash && lines[i].hash != hash)
		i = (i + 1) & (size - 1);
	return &lines[i];
}

static bool is_kept(uint32_t hash, uint32_t shift)
{
	return !(hash & ((UINT32_C(1) << shift) - 1));
}

/* Moves the lines whose hash ends with `shift` zero bits to a new table of `size` slots, and
 * forgets the others. Returns false when out of memory. */
static bool rehash_lines(struct series *s, uint32_t size, uint32_t shift)
{
	struct series_line *lines = calloc(size, sizeof(*lines));
	uint32_t used = 0;

	if (!lines)
		return false;
	for (uint32_t i = 0; i < s->size; i++) {
		if (!s->lines[i].hash || !is_kept(s->lines[i].hash, shift))
			continue;
		*find_line(lines, size, s->lines[i].hash, shift) = s->lines[i];
		used++;
	}
	free(s->lines);
	s->lines = lines;
	s->size = size;
	s->used = used;
	s->shift = shift;
	return true;
}

static bool make_room(struct series *s)
{
	if (s->used == SERIES_LINES && s->shift < MOST_SHIFT)
		return rehash_lines(s, s->size, s->shift + 1);
	if (2 * s->used >= s->size && s->used < SERIES_LINES)
		return rehash_lines(s, s->size ? 2 * s->size : FIRST_SLOTS, s->shift);
	return true;
}

static bool add_line(struct series *s, uint64_t line)
{
	uint32_t hash = hash_of(line);
	struct series_line *l;

	if (!is_kept(hash, s->shift))
		return true;
	if (!make_room(s))
		return false;
	if (!is_kept(hash, s->shift) || s->used == SERIES_LINES)
		return true;
	l = find_line(s->lines, s->size, hash, s->shift);
	s->used += !l->hash;
	l->hash = hash;
	l->n++;
	return true;
}

/* Adds the step from the last address to this one to the sums x and y, as an angle (series.h): a
 * step as large as the observed range of addresses is a full circle. When this range has grown
 * much, the sums are reset to 0, because the earlier angles refer to a smaller range. */
static void add_angle(struct series *s, uint64_t address)
{
	uint64_t range = s->high - s->low;
	double angle, cosine, sine, x, y;

	if (s->room && s->room < range)
		range = s->room;
	if (range > s->around + s->around / GROWN) {
		s->around = range;
		s->steps = 0;
		memset(s->x, 0, sizeof(s->x));
		memset(s->y, 0, sizeof(s->y));
	}
	if (!s->around)
		return;
	angle = 2 * M_PI * (double)(int64_t)(address - s->last) / (double)s->around;
	x = cosine = cos(angle);
	y = sine = sin(angle);
	for (int i = 0; i < SERIES_STREAMS; i++) { /* the angle of circle i is angle * (i + 1) */
		const double before = x;

		s->x[i] += (float)x;
		s->y[i] += (float)y;
		x = x * cosine - y * sine;
		y = before * sine + y * cosine;
	}
	s->steps++;
}

static int rate_range(double rate)
{
	return (int)fmax(0, fmin(SERIES_RATES - 1, 2 * log2(rate) + SERIES_RATES / 2));
}

static void add_move(struct series *s, uint64_t address, uint64_t after)
{
	const bool down = address < s->last;
	uint16_t *count;

	s->moved[down].bytes += down ? s->last - address : address - s->last;
	s->moved[down].ns += after;
	s->moved[down].n++;
	count = &s->rates[down][rate_range((double)(down ? s->last - address : address - s->last) /
					   (double)after)];
	*count += *count < UINT16_MAX;
}

bool series_add(struct series *s, uint64_t address, uint64_t after)
{
	if (s->n && address == s->last) {
		s->n++;
		return true;
	}
	if (s->n) {
		s->up += address > s->last;
		s->down += address < s->last;
		if (after) {
			add_angle(s, address);
			add_move(s, address, after);
		}
	}
	if (!s->n || address < s->low)
		s->low = address;
	if (!s->n || address > s->high)
		s->high = address;
	s->last = address;
	s->n++;
	return add_line(s, address / CACHE_LINE);
}

void series_release(struct series *s)
{
	free(s->lines);
	*s = (struct series){ 0 };
}

/* Estimates how many cache lines there are if n random samples hit d distinct ones. The result is
 * at most `most`. */
static double recapture_estimate(double n, double d, double most)
{
	double low = d, high = most;

	while (high > low * 1.01) {
		double u = sqrt(low * high);

		if (-u * expm1(-n / u) < d)
			low = u;
		else
			high = u;
	}
	return sqrt(low * high);
}

double series_footprint(const struct series *s)
{
	double span = (double)(s->high / CACHE_LINE - s->low / CACHE_LINE + 1), lines;
	uint64_t n = 0;

	for (uint32_t i = 0; i < s->size; i++)
		n += s->lines[i].n;
	if (n < s->used + FEW_AGAIN || (double)s->used >= ALL_DISTINCT * (double)n)
		return span * CACHE_LINE;
	lines = recapture_estimate((double)n, s->used, span) * (double)(UINT64_C(1) << s->shift);
	return (lines < span ? lines : span) * CACHE_LINE;
}

/* Returns the length of the sum of the steps, as angles of circle i (series.h). */
static double sum_of(const struct series *s, int i)
{
	return hypot((double)s->x[i], (double)s->y[i]);
}

/* Returns how far the steps point in one direction on circle i: 0 means not at all, 1 means that
 * all steps have the same direction. Returns 0, too, if the sum of the steps is so short that
 * chance may explain it: the sum of random directions is longer in only one of 8000 cases. */
static double one_direction(const struct series *s, int i)
{
	double length = sum_of(s, i);

	return length > 3 * sqrt(s->steps) ? length / s->steps : 0;
}

double series_order(const struct series *s)
{
	double up = s->up, down = s->down;

	if (s->n <= SERIES_FEW || up + down == 0)
		return 0;
	return fmax(fabs(up - down) / (up + down), one_direction(s, 0));
}

int series_streams(const struct series *s)
{
	if (s->n <= SERIES_FEW)
		return 0;
	if (series_order(s) > IN_ORDER)
		return 1;
	for (int i = 1; i < SERIES_STREAMS; i++)
		if (one_direction(s, i) > IN_ORDER)
			return i + 1;
	return 0;
}

bool series_tends(const struct series *s)
{
	const double up = s->up, down = s->down;

	return s->n > SERIES_FEW && (fabs(up - down) > BY_CHANCE * sqrt(up + down) ||
				     sum_of(s, 0) > BY_CHANCE * sqrt(s->steps));
}

/* Returns the sum of the steps between successive samples, up and down. Sets *n to their number and
 * *ns to the time that they took. */
static double all_moves(const struct series *s, double *n, double *ns)
{
	*n = (double)s->moved[0].n + s->moved[1].n;
	*ns = (double)s->moved[0].ns + (double)s->moved[1].ns;
	return (double)s->moved[0].bytes + (double)s->moved[1].bytes;
}

bool series_jumps(const struct series *s, double fastest)
{
	double n, ns, bytes = all_moves(s, &n, &ns);

	/* twice the distance: each pass ends with a step back as long as all steps up together */
	return n > SERIES_FEW && bytes > 2 * fmin(fastest, FASTEST) * ns;
}

/* Returns the lowest rate of a range (rate_range()). */
static double range_start(int range)
{
	return exp2((range - SERIES_RATES / 2) / 2.0);
}

/* Returns the mean rate of three quarters of the steps between successive samples, without the
 * fastest ones. */
static double rate_without_jumps(const struct series *s)
{
	const double most = 0.75 * ((double)s->moved[0].n + s->moved[1].n);
	double n = 0, sum = 0;

	for (int i = 0; i < SERIES_RATES && n < most; i++) {
		const double counted = fmin(most - n, s->rates[0][i] + s->rates[1][i]);

		sum += counted * range_start(i) * exp2(0.25);
		n += counted;
	}
	return n > 0 ? sum / n : 0;
}

/* Some steps may be jumps, as to a block that replaces the one before: then the program goes on in
 * a part of the same size. */
double series_window(const struct series *s, bool in_order)
{
	const double line_ns = in_order ? STREAM_NS : MISS_NS;
	double n, ns, bytes = all_moves(s, &n, &ns);
	/* on average, two random places in a range are a third of the range apart, and the nearer
	 * three quarters of them 2/9 */
	double window = fmin(3 * bytes / n, 4.5 * rate_without_jumps(s) * ns / n) + CACHE_LINE;

	return n > SERIES_FEW && window / CACHE_LINE * line_ns < ns / n / 4 ? window : INFINITY;
}

/* Returns the rate of most of the steps between successive samples: those of one direction in
 * neighbouring ranges of rates, at most `fastest`. Returns 0 if it is not known: there are too few
 * such steps, or they are not more than half of all. */
static double usual_rate(const struct series *s, double fastest)
{
	const double all = (double)s->moved[0].n + s->moved[1].n;
	const uint16_t *most = NULL;
	double n = 0, sum = 0;
	int first = 0;

	if (all <= SERIES_FEW)
		return 0;
	for (int i = 0;
	     i + USUAL_RANGES <= SERIES_RATES && range_start(i + USUAL_RANGES - 1) < fastest; i++)
		for (int down = 0; down < 2; down++) {
			const uint16_t *r = &s->rates[down][i];
			double counted = 0;

			for (int k = 0; k < USUAL_RANGES; k++)
				counted += r[k];
			if (counted <= n)
				continue;
			n = counted;
			most = r;
			first = i;
		}
	if (n <= SERIES_FEW || n <= all / 2)
		return 0;
	for (int k = 0; k < USUAL_RANGES; k++)
		sum += most[k] * range_start(first + k) * exp2(0.25);
	return sum / n;
}

double series_rate(const struct series *s, double fastest)
{
	const double up = s->up, down = s->down;
	const bool falls = down > up;
	const uint32_t n = s->moved[falls].n;
	const double ns = n ? (double)s->moved[falls].ns / n : 0;
	double mean, usual;

	if ((double)(s->high - s->low) < fmin(fastest, FASTEST) * ns)
		return 0;
	usual = usual_rate(s, fmin(fastest, FASTEST));
	if (n <= SERIES_FEW || fabs(up - down) / (up + down) <= IN_ORDER)
		return usual;
	/* more exact, unless jumps are among the steps */
	mean = (double)s->moved[falls].bytes / n / ns;
	return usual > 0 && mean > 2 * usual ? usual : mean;
}
