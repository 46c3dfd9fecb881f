# SPDX-License-Identifier: GPL-2.0-or-later
# Differences between perf script and memdb that have a reason. Each case is described separately, with the evidence
# that it applies, and is counted. All other differences are errors.
import functools
import os
import re

from aliases import in_section, plain, same_address

# How often each exception was used, by name. The numbers are printed at the end.
counts = {}

KERNEL_MODE, PAGE_FAULT_NAMES = 1, ("page-faults", "faults", "minor-faults", "major-faults")


alias = functools.lru_cache(None)(same_address)


def excuse(name):
    counts[name] = counts.get(name, 0) + 1
    return True


def is_kernel_name(dso):
    return dso in ("[kernel.kallsyms]", "[kernel.vmlinux]", "[kernel]") or os.path.basename(dso or "") == "vmlinux"


def is_module(dso):
    if not dso:
        return False
    return dso.endswith((".ko", ".ko.xz", ".ko.zst", ".ko.gz")) or (dso[0] == "[" and not is_kernel_name(dso) and
                                                                    dso not in ("[vdso]", "[vsyscall]", "[heap]", "[stack]"))


# Returns whether perf and memdb may name different files (DSOs) for the same code. `kernel`: the
# sample was taken in kernel mode.
def dso_excused(perf, ours, kernel):
    if ours == "[kernel.kallsyms]" and is_kernel_name(perf):
        return True  # perf shows the name of the file with the symbols of the kernel
    if ours == "[kernel.kallsyms]" and perf is None and kernel:
        return excuse("perf recorded no kernel mapping, the mode says kernel")
    if perf and ours and perf == "[%s]" % re.sub(r"\.ko(\.[a-z0-9]+)?$", "", os.path.basename(ours)).replace("-", "_"):
        return True  # perf shows the name of a kernel module, memdb its file
    if ours == "[kernel.kallsyms]" and is_module(perf):
        return excuse("kernel module told as the kernel")
    if ours in ("//anon", "[heap]", "[stack]") and re.match(r"/tmp/perf-\d+\.map$", perf or ""):
        return True  # perf shows the file in which it looks for names of code generated at run time
    return False


# Returns whether perf and memdb may name different functions for the same code, which is `row` by memdb.
# same_place: both functions begin at the same address.
def symbol_excused(perf, row, same_place, db):
    ours, dso = row["symbol"], row["dso"]
    if perf and ours and plain(perf) == ours and same_place:
        return True  # perf shows the version of the symbol, which is not part of its name
    if perf == "@plt" and (ours is None or ours.endswith("@plt")):
        return excuse("perf knows a PLT entry only as one")
    if perf is None and ours and ours.endswith("@plt") and in_section(dso, row["offset"], ".plt.got"):
        return excuse("perf knows no entries of .plt.got")
    if perf and ours and same_place and alias(dso, perf, ours):
        return excuse("another name of the same address")
    if ours is None and dso in db.left_out:
        return excuse("perf names another machine's code by a file of this one")
    if ours is None and dso == "[vdso]" and db.foreign:
        return excuse("perf names another machine's vdso by this machine's")
    if ours is None and dso == "[kernel.kallsyms]" and db.foreign:
        return excuse("perf names another machine's kernel by this machine's symbols")
    return False


def excused(field, perf, e, row, db):
    ours = row[field]
    if field == "dso":
        return dso_excused(perf, ours, ours == "[kernel.kallsyms]")
    if field in ("symbol", "symoff"):
        return symbol_excused(e["symbol"], row, e["symoff"] == row["symoff"], db)
    if field == "comm" and ours is None and perf == ":%s" % e["tid"]:
        return True  # neither knows the name of the thread
    if field == "comm" and perf == "swapper" and not e["tid"]:
        return excuse("perf takes thread 0 of any process for the idle thread")
    if field == "addr" and not perf:
        # perf has no address; memdb may have none either, or one that it decoded from the registers
        return row["addr_source"] != 1
    return False


# Returns whether memdb may differ from perf in `field`, a part of the data source such as "op" or
# "lvl". `perf` is perf's text for it; `row` has memdb's values.
def memory_excused(field, perf, row):
    if field == "lck" and perf == "No" and row["op"] is None and row["lvl"] is None:
        return excuse("perf says that an access was not locked of which nothing is known")
    if field in ("op", "lck") and row["addr_source"] not in (0, 1):
        return excuse("memdb knows the operation from the instruction")
    return False


# Returns whether a kernel sample e is in perf's own code. The first frame of its call chain decides that is known
# to be perf's or the page fault handler's; the innermost frame comes first.
def in_recorder(e, d):
    names = [(f["ip"], f.get("sym", {}).get("name", "")) for f in d["callchain"]] or [(e["ip"], e["symbol"] or "")]
    for ip, name in names:
        if 0 <= ip < 1 << 63:
            return False  # the frames from here on are in the program
        if re.match(r"_*perf_(?!event_open|ioctl|read|mmap)", name):
            return True
        if re.match(r"(asm_)?exc_page_fault$|do_user_addr_fault$|(__)?do_page_fault$|do_mem_abort$", name):
            return False
    return False


# Returns the name in the table losses under which memdb counts a sample that it does not store: IBS operations
# without a memory access, and timer samples in perf's own code. None: memdb stores the sample.
def dropped(e, best, d, db):
    role = db.roles.get(e["event"])
    if role == "access" and not e["addr"] and "|OP N/A|" in d["sample"]["datasrc_decode"]:
        return "samples without memory access"
    return "samples in perf" if role in ("time", "cycles") and in_recorder(e, d) else None
