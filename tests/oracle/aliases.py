# SPDX-License-Identifier: GPL-2.0-or-later
# same_address() says whether two names mean the same address, according to the symbol tables of a file, of its debug
# file, or /proc/kallsyms. If an address has several names, perf and memdb may choose different ones.
import re
import struct

SYMTAB, DYNSYM, NOTE = 2, 11, 7
tables = {}


# Yields (type, offset, bytes, link) of each section of a 64-bit ELF file, whose bytes are b.
def sections(b):
    start, size, n = struct.unpack_from("<Q", b, 40)[0], *struct.unpack_from("<HH", b, 58)
    for i in range(n):
        _, kind, _, _, offset, length, link = struct.unpack_from("<IIQQQQI", b, start + i * size)
        yield kind, offset, length, link


def build_id(b):
    for kind, offset, size, _ in sections(b):
        if kind == NOTE and b[offset + 12:offset + 16] == b"GNU\0" and b[offset + 8:offset + 12] == b"\3\0\0\0":
            return b[offset + 16:offset + size].hex()
    return ""


def read_symbols(b, names):
    all_sections = list(sections(b))
    for kind, offset, size, link in all_sections:
        if kind not in (SYMTAB, DYNSYM):
            continue
        text = all_sections[link][1]
        for at in range(offset, offset + size, 24):
            name, _, _, _, value = struct.unpack_from("<IBBHQ", b, at)
            end = b.index(b"\0", text + name)
            names.setdefault(b[text + name:end].decode("utf-8", "replace"), set()).add(value)


def read_elf(path, names):
    with open(path, "rb") as f:
        b = f.read()
    if b[:5] != b"\x7fELF\2":
        return
    read_symbols(b, names)
    found = build_id(b)
    debug = "/usr/lib/debug/.build-id/%s/%s.debug" % (found[:2], found[2:])
    if found and debug != path:
        read_elf(debug, names)


def read_kallsyms(names):
    with open("/proc/kallsyms", encoding="utf-8") as f:
        for line in f:
            address, _, name = line.split()[:3]
            names.setdefault(name, set()).add(int(address, 16))


# Returns the names in the symbol tables of a file, each with the set of its addresses.
def table(dso):
    if dso not in tables:
        tables[dso] = names = {}
        try:
            if dso == "[kernel.kallsyms]":
                read_kallsyms(names)
            else:
                read_elf(dso, names)
        except (OSError, ValueError, IndexError, struct.error):
            pass  # without a symbol table, no two names count as the same
    return tables[dso]


def plain(name):
    return re.sub(r"@@?[A-Z][A-Za-z_]*_[0-9.]+$", "", name)


def same_address(dso, a, b):
    names = table(dso)

    def addresses(name):
        return set().union(*(names[n] for n in names if n == name or plain(n) == plain(name)))

    return bool(addresses(a) & addresses(b))
