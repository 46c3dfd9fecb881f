# SPDX-License-Identifier: GPL-2.0-or-later
# A script for perf (perf script -s). Compares each field of each sample that perf and the database of the same
# recording have in common. Reads from the environment:
# ORACLE           the folder of these scripts
# ORACLE_DB        the database
# ORACLE_FIELDS    the file of dlfilter.c with further fields of each sample; "" omits them
# ORACLE_RECORDS   the other records, as `perf script -D` prints them
# Prints a line for each of the first differences, then "samples: N same, N differ, N only in memdb" and "records: N
# same, N differ". Errors of perf, and differences with a reason, are listed in exceptions.py and nowhere else.
import os
import struct
import sys

sys.path.insert(0, os.environ["ORACLE"])

import chains
import exceptions
import memory
import sideband
import tracepoint
from rows import Database

SHOWN = 10
TID, TIME, ADDR, READ, CPU, PERIOD, WEIGHT, DATA_SRC = 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 7, 1 << 8, 1 << 14, 1 << 15
PHYS_ADDR, PAGE_SIZE, WEIGHT_STRUCT = 1 << 19, 1 << 22, 1 << 24
samples = []


def process_event(d):
    samples.append(d)


def trace_unhandled(event, context, fields, d):
    d["fields"] = fields
    samples.append(d)


def signed(v):
    return v - (1 << 64) if v >= 1 << 63 else v


# Adds the fields that dlfilter.c wrote for each sample. They are in the order in which perf reports the samples.
def add_fields(path):
    if not path:
        return
    with open(path, encoding="ascii") as f:
        lines = f.read().split("\n")[:-1]
    if len(lines) != len(samples):
        raise SystemExit("%d samples have fields, of %d" % (len(lines), len(samples)))
    for d, line in zip(samples, lines):
        d["ins_lat"], d["data_page_size"] = map(int, line.split())


def sample_type(d):
    return struct.unpack_from("=Q", d["attr"], 24)[0]


# Returns whether samples[i] is a copy that the database must not have. If a sample contains the values of several
# counters, perf passes it to scripts once for each, with the counter's increment as the period. The database has it
# once, for the event that sampled. So the copy is missing there, but an equal sample near it is present.
def is_read_value(i, found):
    s = samples[i]["sample"]
    for near in range(max(i - 2, 0), min(i + 3, len(samples))):
        o = samples[near]["sample"]
        if near in found and sample_type(samples[near]) & READ and (o["time"], o["ip"], o["addr"]) == (
                s["time"], s["ip"], s["addr"]):
            return exceptions.excuse("perf tells a sample once for each counter that was read")
    return False


# Returns whether the instruction whose last byte is at the location of `row` may run just before the instruction that
# begins `distance` bytes after it: nothing is between the two, or the former jumps to the latter.
def runs_before(row, distance):
    if distance == 0:
        return True
    if os.uname().machine != "x86_64":
        return False
    try:
        with open(row["dso"], "rb") as f:
            f.seek(row["offset"] - 5)
            code = f.read(6)
    except (OSError, TypeError, ValueError):
        return False
    first, second, far = struct.unpack("<BBi", code)  # jcc is 0f 8x with 4 bytes of distance, jmp e9
    opcode, short = struct.unpack("<Bb", code[4:])  # jcc is 7x with 1 byte, jmp eb, loop and jrcxz e0 to e3
    if far == distance:
        return second == 0xe9 or (first == 0x0f and second >> 4 == 8)
    return short == distance and (opcode >> 4 == 7 or opcode == 0xeb or opcode >> 2 == 0x38)


# Returns perf's fields of a sample as a row of the database. A field that the event does not have is None.
def expected(d):
    s = d["sample"]
    kind, size, config, period, has, read_format, flags = struct.unpack_from("=IIQQQQQ", d["attr"])

    def field(name, bits):
        return signed(s[name]) if has & bits else None

    e = {"event": d["ev_name"], "time": field("time", TIME) or 0, "ip": signed(s["ip"]), "addr": field("addr", ADDR)}
    e["cpu"] = field("cpu", CPU)
    e["pid"], e["tid"] = (v if v is None or v < 1 << 31 else v - (1 << 32) for v in (field("pid", TID), field("tid", TID)))
    e["comm"] = d.get("comm") if has & TID else None
    if not has & READ:
        e["period"] = 1 if flags >> 10 & 1 and not has & PERIOD else s["period"]
    e["phys_addr"] = field("phys_addr", PHYS_ADDR) or None
    e["weight"] = field("weight", WEIGHT | WEIGHT_STRUCT)
    e["datasrc"] = field("datasrc", DATA_SRC)
    if "ins_lat" in d:
        e["ins_lat"] = d["ins_lat"] if has & WEIGHT_STRUCT else None
        # a sample without an address has no page size
        e["data_page_size"] = d["data_page_size"] or None if has & PAGE_SIZE and e["addr"] else None
    e["dso"], e["symbol"] = d.get("dso"), d.get("symbol")
    e["symoff"] = d["symoff"] if "symbol" in d else None
    e["sample_type"] = has
    return e


def memory_differences(d, row):
    if row["datasrc"] is None:
        return []
    said = memory.parts(d["sample"]["datasrc_decode"])
    return ["%s: perf %r, memdb %r" % (f, said[f], row[f]) for f in memory.FIELDS
            if memory.differs(f, said[f], row[f]) and not exceptions.memory_excused(f, said[f], row)]


# Returns the fields in which `row`, of the database, differs from perf's sample d, without those
# that an exception explains. e is expected(d).
def differences(db, d, e, row):
    out = []
    ours = dict(row, comm=db.comm(row["thread_id"], row["time"]))
    # symoff is the offset in the symbol. If it is known for which instruction the sample waited, memdb's location is
    # the last byte of that instruction, which ran just before the one at ip; otherwise it is the sample's ip.
    # So is the innermost frame of its call path.
    chain, truncated = db.chain(row["call_path"])
    if ours.get("waited") and e.get("symoff") is not None and ours["symoff"] is not None:
        if runs_before(ours, e["symoff"] - ours["symoff"] - 1):
            if chain and (chain[0]["symbol"], chain[0]["symoff"]) == (ours["symbol"], ours["symoff"]):
                chain = [dict(chain[0], symoff=e["symoff"])] + chain[1:]
            ours["symoff"] = e["symoff"]
    for field, perf in e.items():
        if field in ours and ours[field] != perf and not exceptions.excused(field, perf, e, ours, db):
            out.append("%s: perf %r, memdb %r" % (field, perf, ours[field]))
    out += chains.differences(d, e["sample_type"], chain, truncated, chains.Code(db, e["pid"], e["time"]))
    if row["kind"] == "sample":
        out += memory_differences(d, row)
    if "fields" in d:
        out += tracepoint.differences(d["fields"], row["fields"])
    return out


# Returns the row of the database for perf's sample d: among `rows`, which have its time, the one with the fewest
# differences.
def find(db, d, e, rows):
    best = None
    for row in rows:
        diff = differences(db, d, e, row)
        if best is None or len(diff) < len(best[0]):
            best = (diff, row)
        if not diff:
            break
    return best


# Compares each sample of perf with its row of the database. Counts those that are equal, and prints a line for
# each other sample of perf and for each row that is left.
def compare(db):
    left, found, wrong, nearest = {}, set(), [], {}
    for row in db.rows:
        left.setdefault(row["time"], []).append(row)
    for i, d in enumerate(samples):
        e = expected(d)
        rows = left.get(e["time"], [])
        best = find(db, d, e, rows)
        if best and not best[0]:
            rows.remove(best[1])
            found.add(i)
        else:
            nearest[i] = (e, best)
    dropped = {i: exceptions.dropped(*nearest[i], samples[i], db) for i in nearest}
    dropped = {i: what for i, what in dropped.items() if what}
    for i, (e, best) in nearest.items():
        if i not in dropped and not is_read_value(i, found):
            wrong.append("%d %s %s/%s: %s" % (e["time"], e["event"], e["pid"], e["tid"],
                                             "; ".join(best[0]) if best else "no row of that time"))
    for what in ("samples without memory access", "samples in perf"):
        told = list(dropped.values()).count(what)
        if db.lost(what) != told:
            wrong.append("%d %s, memdb says %d" % (told, what, db.lost(what)))
    return len(found) + len(dropped), wrong, [row for rows in left.values() for row in rows]


def trace_end():
    add_fields(os.environ["ORACLE_FIELDS"])
    db = Database(os.environ["ORACLE_DB"])
    same, wrong, left = compare(db)
    for line in wrong[:SHOWN] + ["only in memdb: %s" % {k: v for k, v in row.items() if v is not None} for row in left[:SHOWN]]:
        print("differs:", line)
    print("samples: %d same, %d differ, %d only in memdb" % (same, len(wrong), len(left)))
    same, wrong = sideband.compare(db, os.environ["ORACLE_RECORDS"])
    for line in wrong[:SHOWN]:
        print("differs:", line)
    print("records: %d same, %d differ" % (same, len(wrong)))
    for name, n in sorted(exceptions.counts.items()):
        print("excused: %s: %d" % (name, n))
