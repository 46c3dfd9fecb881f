/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A decoder of each architecture, for tests on short pieces of code. */
#ifndef DECODE_FIXTURE_H
#define DECODE_FIXTURE_H

#include "decode/decode.h"

#include "check_main.h"
#include "decode_tables.h"

static struct decoder *x86, *arm64;

static void open_decoders(void)
{
	struct md_err err = { 0 };

	ck_assert_msg(decoder_open(DEC_X86_64, &x86, &err) == 0, "%s", err.msg);
	ck_assert_msg(decoder_open(DEC_AARCH64, &arm64, &err) == 0, "%s", err.msg);
}

static void close_decoders(void)
{
	decoder_close(x86);
	decoder_close(arm64);
}

/* Returns the recipe (how to compute the address of an operand) at offset `at` of a function that
 * consists of these bytes. */
static struct dec_recipe recipe_at(struct decoder *d, const void *bytes, size_t len, size_t at)
{
	uint8_t *code = copy_exact(bytes, len);
	struct dec_recipe r;

	decoder_recipe(d, 0, code, len, at, true, &r);
	free(code);
	return r;
}

#endif
