# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the fields of a tracepoint, as perf's libtraceevent passes them to a script, with the JSON object in the
# database.
import json
import sys

COMMON = ("common_type", "common_flags", "common_preempt_count", "common_pid", "common_callchain",
          "common_cpu", "common_s", "common_ns", "common_comm")


def as_bytes(v):
    if isinstance(v, str):
        return v.encode("utf-8", "surrogateescape")
    return bytes(v)


# Converts an array of numbers to bytes. `size` is the number of bytes of the array.
def packed(numbers, size):
    width = size // len(numbers) if numbers else 1
    return b"".join((n % (1 << 8 * width)).to_bytes(width, sys.byteorder) for n in numbers)


# Returns whether perf's and memdb's numbers are equal. perf does not extend the sign, so its number is positive and
# larger by 2^8, 2^16, 2^32 or 2^64 if memdb's is negative.
def same_number(perf, ours):
    return perf == ours or (ours < 0 and perf - ours in (1 << 8, 1 << 16, 1 << 32, 1 << 64))


# Returns whether two values are equal. perf passes an array of characters or numbers as text if it is printable,
# otherwise as bytes.
def agree(perf, ours):
    if isinstance(perf, int) and isinstance(ours, int):
        return same_number(perf, ours)
    if isinstance(perf, list) and isinstance(ours, list):
        return len(perf) == len(ours) and all(map(agree, perf, ours))
    if not isinstance(perf, (bytearray, bytes, str)):
        return False
    data = as_bytes(perf)
    if isinstance(ours, list):
        if isinstance(perf, str):
            return data == packed(ours, len(ours)).rstrip(b"\0")
        return data == packed(ours, len(data))
    return data.split(b"\0")[0].decode("utf-8", "replace") == ours or data.hex() == ours


def differences(fields, text):
    names = [n for n in fields if n not in COMMON]
    ours = json.loads(text) if text else {}
    if sorted(names) != sorted(ours):
        return ["fields: perf %s, memdb %s" % (sorted(names), sorted(ours))]
    return ["field %s: perf %r, memdb %r" % (n, fields[n], ours[n]) for n in names if not agree(fields[n], ours[n])]
