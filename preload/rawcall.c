/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rawcall.h"

bool rawcall_sealed;
