# SPDX-License-Identifier: GPL-2.0-or-later
# Run by perf (perf script -s) on a recording: every field of every tracepoint as perf's own
# libtraceevent tells it, against the rows that memdb imported, one line each of the file
# $TRACEPOINTS: time, event, fields. Says how many were the same, or the first that differ.
import json
import os
import sys

rows = {}
total = same = 0
wrong = []
COMMON = ("common_type", "common_flags", "common_preempt_count", "common_pid", "common_callchain",
          "common_cpu", "common_s", "common_ns", "common_comm")


def trace_begin():
    global total
    with open(os.environ["TRACEPOINTS"], encoding="utf-8") as f:
        for line in f:
            time, event, fields = line.rstrip("\n").split("\t", 2)
            rows.setdefault((int(time), event.replace(":", "__")), []).append(json.loads(fields))
            total += 1


def as_bytes(v):
    if isinstance(v, str):
        return v.encode("utf-8", "surrogateescape")
    return bytes(v)


# The bytes of an array of numbers that has so many bytes in all.
def packed(numbers, size):
    width = size // len(numbers) if numbers else 1
    return b"".join((n % (1 << 8 * width)).to_bytes(width, sys.byteorder) for n in numbers)


# perf does not extend the sign of a number.
def same_number(perf, ours):
    return perf == ours or (ours < 0 and perf - ours in (1 << 8, 1 << 16, 1 << 32, 1 << 64))


# perf takes arrays of characters and of numbers for text where they can be printed, else for bytes.
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


def trace_unhandled(event_name, context, fields, sample):
    global same
    names = [n for n in fields if n not in COMMON]
    left = rows.get((sample["sample"]["time"], event_name), [])
    for ours in left:
        if sorted(names) == sorted(ours) and all(agree(fields[n], ours[n]) for n in names):
            left.remove(ours)
            same += 1
            return
    wrong.append("%s: perf %s, memdb %s" % (event_name, {n: fields[n] for n in names}, left))


def trace_end():
    for line in wrong[:10]:
        print("differs:", line)
    print("tracepoints: %d same, %d differ, %d only in memdb" % (same, len(wrong), total - same))
