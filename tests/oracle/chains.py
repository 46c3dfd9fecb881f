# SPDX-License-Identifier: GPL-2.0-or-later
# Compares a sample's call chain, as perf resolves it, with the call path in the database. It compares file, function
# and file offset of each frame, from the innermost outward. For a caller, perf reports the return address and memdb
# the last byte of the call, so that both are in the calling function.
from exceptions import dso_excused, excuse, symbol_excused

CALLCHAIN, REGS_USER, STACK_USER = 1 << 5, 1 << 12, 1 << 13


# What the database knows about the addresses that were code of process `pid` at `time`.
class Code:
    def __init__(self, db, pid, time):
        self.db = db
        self.without_rules = db.lost("call chains at code without unwind rules")
        self.now = lambda ip: db.is_code(pid, ip, time)
        self.was = lambda ip: db.was_code(pid, ip, time)
        self.calls = lambda ip, frame: db.calls(pid, ip, frame)
        self.returns_to = lambda ip: db.follows_call(pid, ip, time)


def signed(v):
    return v - (1 << 64) if v >= 1 << 63 else v


def frame_differences(i, perf, ours, step, code):
    sym, dso = perf.get("sym"), perf.get("dso")
    name, offset = (sym["name"], perf["sym_off"] - step) if sym else (None, None)
    where = "frame %d (%x)" % (i, perf["ip"])
    if dso != ours["dso"] and not dso_excused(dso, ours["dso"], ours["kind"] == "kernel"):
        if ours["dso"] is None and code.was(perf["ip"]):
            excuse("perf keeps what was mapped before an exec")
            return []
        return ["%s: perf in %s, memdb in %s" % (where, dso, ours["dso"])]
    if dso is None and ours["dso"] is None and signed(perf["ip"] - step) != ours["offset"]:
        return ["%s: memdb at %x" % (where, ours["offset"])]
    if (name, offset) == (ours["symbol"], ours["symoff"]):
        return []
    if step and name and offset == -1:
        excuse("perf takes a return address behind the last call of a function for the next one")
        return []
    if symbol_excused(name, ours, offset == ours["symoff"], code.db):
        return []
    return ["%s: perf %s+%s, memdb %s+%s" % (where, name, offset, ours["symbol"], ours["symoff"])]


# Returns whether memdb's chain (ours) may be shorter than perf's: memdb ends a chain of frame pointers at the first
# address that is not code or to which no call returns, and marks it as truncated.
def ends_early(perf, ours, truncated, code):
    if len(ours) >= len(perf) or not truncated:
        return False
    ip = perf[len(ours)]["ip"]
    return not code.now(ip) or not code.returns_to(ip)


# Returns the differences between two chains that were unwound from copies of the stack. perf's unwinder sometimes skips
# frames or stops earlier than memdb's. So this checks only that perf's frames, up to its first address that is not
# code, also occur in memdb's chain, in the same order.
def unwound_differences(perf, ours, truncated, code):
    out, at = [], 0
    for i, p in enumerate(perf):
        if not p.get("dso"):
            break
        if at == len(ours) and at and truncated and code.without_rules:
            excuse("perf guesses on by frame pointers at code without unwind rules")
            break
        diff = []
        for k in range(at, len(ours)):
            d = frame_differences(i, p, ours[k], 0 if ours[k]["kind"] == "user" or k == 0 else 1, code)
            diff = diff or d
            if not d:
                at = k + 1
                break
        else:
            if i and not code.returns_to(p["ip"]):
                excuse("perf's unwinder takes a word of the stack that no call left there")
                break
            out += diff or ["frame %d (%x): not in memdb's chain" % (i, p["ip"])]
    if not out and len(perf) != len(ours):
        excuse("memdb unwinds a copied stack further")
    return out


# A walk by frame pointers skips the caller of a function that has not set its frame pointer. memdb adds this caller: it
# is the function that is called right before the next return address. If that call is by a pointer, it is the only
# function that calls the interrupted one, in the same file; if there is none, memdb says that a caller is skipped.
# Returns our chain without it.
def without_added(perf, ours, code):
    at = next((i + 1 for i, f in enumerate(ours) if f["kind"] == "user"), len(ours))
    if at >= min(len(ours), len(perf)) or perf[at].get("sym_off", 0) - 1 == ours[at]["symoff"]:
        return ours
    if ours[at]["kind"] == "skipped":
        excuse("memdb says that a walk by frame pointers skips a caller")
    elif code.calls(perf[at]["ip"], ours[at]):
        excuse("memdb adds the caller that a walk by frame pointers skips")
    elif len(ours) == len(perf) + 1 and ours[at]["dso"] == ours[at - 1]["dso"] and code.returns_to(perf[at]["ip"]):
        excuse("memdb adds the only caller where a walk by frame pointers skips one that is called by a pointer")
    else:
        return ours
    return ours[:at] + ours[at + 1:]


def differences(d, sample_type, ours, truncated, code):
    perf = d["callchain"]
    unwound = sample_type & REGS_USER and sample_type & STACK_USER
    if not sample_type & CALLCHAIN and not unwound:
        return ["a call path where none was recorded"] if ours else []
    out, ours = [], ours or []
    if unwound:
        return unwound_differences(perf, ours, truncated, code)
    if sample_type & REGS_USER:
        ours = without_added(perf, ours, code)
    for i, (p, o) in enumerate(zip(perf, ours)):
        begins = i == 0 or o["kind"] != ours[i - 1]["kind"]
        out += frame_differences(i, p, o, 0 if begins else 1, code)
    if len(perf) != len(ours):
        if ends_early(perf, ours, truncated, code):
            excuse("memdb ends a chain at an address in no code, or to which no call returns")
        else:
            out.append("chain: perf %d frames, memdb %d%s" % (len(perf), len(ours), " truncated" if truncated else ""))
    return out
