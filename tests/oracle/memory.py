# SPDX-License-Identifier: GPL-2.0-or-later
# Compares perf's text for a data source ("|OP LOAD|LVL L3 or L3 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK N/A") with
# the names in memdb's tables. If several bits are set, perf prints all of them and memdb the most specific one, so
# only membership can be checked. test_data_source.c checks all combinations.

FIELDS = ("op", "lvl", "snp", "lck", "tlb", "blk")
OPS = {"LOAD": "Load", "STORE": "Store", "PFETCH": "Prefetch", "EXEC": "Exec"}


def parts(text):
    out = {}
    for part in text.strip("|").split("|"):
        name, _, value = part.strip().partition(" ")
        out[name.lower()] = value.strip()
    return out


def operations(text):
    words = [OPS[w] for w in text.replace(",", " ").split() if w in OPS]
    return words + ["Load/Store"] if "Load" in words and "Store" in words else words


# Converts perf's text for the level, such as "L3 or L3 hit", to the names that memdb may have for it.
def levels(text):
    hit, miss = text.endswith(" hit"), " miss" in text
    names = [n for n in text.replace(" miss", "").replace(" hit", "").split(" or ") if n not in ("", "N/A")]
    if miss and not hit:
        return [n + " miss" for n in names] + ["Miss"] + names
    return ["Local RAM" if n == "RAM" else n for n in names] + (["Any cache"] if "Any cache" in names else [])


def words(text):
    names = [n for n in text.split(" or ") if n not in ("", "N/A")]
    return names


# Converts perf's text for the TLB, such as "L1 or L2 hit" or "L1 miss", to the names that memdb
# may have for it.
def dtlb(text):
    if not text.endswith((" hit", " miss")) and text not in ("Hit", "Miss"):
        return []
    return [text]


# Returns the names that memdb may have in `field` if perf prints `text`. If the list is empty,
# memdb must have NULL.
def allowed(field, text):
    if field == "op":
        return operations(text)
    if field == "lvl":
        return levels(text)
    if field == "tlb":
        return dtlb(text)
    return [n for n in text.split(" or ") if n not in ("", "N/A")]


def differs(field, text, ours):
    names = allowed(field, text)
    if not names or ours is None:
        return bool(names) != (ours is not None)
    return ours not in names
