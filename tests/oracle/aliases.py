# SPDX-License-Identifier: GPL-2.0-or-later
# same_address() says whether two names mean the same address, according to the symbol tables of a file, of its debug
# file, or /proc/kallsyms. If an address has several names, perf and memdb may choose different ones. in_section() says
# whether a byte of a file is in a section.
import functools
import re
import struct

SYMTAB, DYNSYM, NOTE = 2, 11, 7
tables = {}


# Yields (type, offset, bytes, link) of each section of a 64-bit ELF file, whose bytes are b.
def sections(b):
    for _, kind, offset, length, link in headers(b):
        yield kind, offset, length, link


# Yields (position of its name, type, offset, bytes, link) of each section.
def headers(b):
    start, size, n = struct.unpack_from("<Q", b, 40)[0], *struct.unpack_from("<HH", b, 58)
    for i in range(n):
        name, kind, _, _, offset, length, link = struct.unpack_from("<IIQQQQI", b, start + i * size)
        yield name, kind, offset, length, link


# Returns the range of bytes of the section of this name in a file; an empty one if it has none.
@functools.lru_cache(None)
def section(dso, name):
    try:
        with open(dso, "rb") as f:
            b = f.read()
        names = list(headers(b))[struct.unpack_from("<H", b, 62)[0]][2]
        for at, _, offset, size, _ in headers(b):
            if b[names + at:names + at + len(name) + 1] == name.encode() + b"\0":
                return range(offset, offset + size)
    except (OSError, IndexError, TypeError, struct.error):
        pass
    return range(0)


def in_section(dso, offset, name):
    return offset in section(dso, name)


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
