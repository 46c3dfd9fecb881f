/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of decoded functions: a decoder of x86-64, opened before each test and closed after it.
 */
#ifndef MEMDB_TESTS_DECODER_FIXTURE_H
#define MEMDB_TESTS_DECODER_FIXTURE_H

#include "decode/decode.h"

#include "check_main.h"

static struct decoder *decoder;

static void open_decoder(void)
{
	struct md_err err = { 0 };

	ck_assert_msg(decoder_open(DEC_X86_64, &decoder, &err) == 0, "%s", err.msg);
}

static void close_decoder(void)
{
	decoder_close(decoder);
}

#endif
