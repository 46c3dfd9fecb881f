# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the sizes of memory operands that the assembler of the sampler soft (access/as/x86.c) finds in the text of
# instructions with those that objdump finds in their bytes.
#
#   operands.py PROGRAM     PROGRAM prints the size for each instruction that it reads (operands.c)
#
# All opcodes of all maps are tried with all prefixes and vector lengths. What `as` does not accept does not exist.
import platform
import re
import shutil
import subprocess
import sys
import tempfile

SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "FWORD": 6, "TBYTE": 10, "OWORD": 16,
         "XMMWORD": 16, "YMMWORD": 32, "ZMMWORD": 64}
SLOT = 16  # bytes for each instruction
# No compiler writes these: prefixes without effect, instructions of operating systems and of one discontinued processor.
LEFT_OUT = re.compile(
    r"(rep|xacquire|xrelease|data16|rex|lcall|ljmp|l[sfg]s|sldt|str|lldt|ltr|ver[rw]|lar|lsl|inv|[ls]msw|movsx\b"
    r"|vp?4\w|movsxd|[cdefgs]s )")


# Yields instructions with the operand (%rax): bytes without immediate operand.
def instructions():
    def legacy(opcode):
        one = len(opcode) == 1
        for register in range(8) if one or opcode[-1] in (0x71, 0x72, 0x73, 0xae, 0xba, 0xc7) else range(2):
            for prefix in (), (0x66,), (0xf2,), (0xf3,):
                for rex in (), (0x48,):
                    yield bytes((*prefix, *rex, *opcode, register << 3))

    prefixes = {0x0f, 0x26, 0x2e, 0x36, 0x3e, *range(0x40, 0x50), 0x62, *range(0x64, 0x68), 0xc4, 0xc5, 0xf0, 0xf2, 0xf3}
    for op in range(256):
        if op not in prefixes:
            yield from legacy((op,))
        if op not in (0x38, 0x3a):
            yield from legacy((0x0f, op))
        yield from legacy((0x0f, 0x38, op))
        yield from legacy((0x0f, 0x3a, op))
        for kind in range(8):  # prefix (kind >> 1) and bit W (kind & 1)
            for opcode_map in 1, 2, 3:
                for length in 0, 1:
                    fields = (kind & 1) << 7 | 0xf << 3 | length << 2 | kind >> 1
                    for register in (2, 3) if op == 0xae else (1,):
                        yield bytes((0xc4, 0xe0 | opcode_map, fields, op, register << 3))
            for opcode_map in 1, 2, 3, 5, 6:
                for length in 0, 1, 2:
                    for broadcast in 0, 1:
                        fields = (kind & 1) << 7 | 0xf << 3 | 4 | kind >> 1
                        yield bytes((0x62, 0xf0 | opcode_map, fields, length << 5 | broadcast << 4 | 8, op, 1 << 3))


# Returns the instruction at the start of each slot, in this syntax.
def disassembled(path, syntax):
    out = subprocess.run(["objdump", "-D", "-b", "binary", "-mi386:x86-64", "-M", syntax, "--no-show-raw-insn", path],
                         check=True, capture_output=True, text=True).stdout
    found = {}
    for at, text in re.findall(r"^\s*([0-9a-f]+):\t(.*)", out, re.M):
        if int(at, 16) % SLOT == 0:
            found[int(at, 16)] = re.sub(r"\s*#.*", "", text).strip()
    return found


# Returns the lines that `as` accepts.
def assembled(lines):
    with tempfile.NamedTemporaryFile("w", suffix=".s") as f:
        f.write("\n".join(lines) + "\n")
        f.flush()
        errors = subprocess.run(["as", "-o", "/dev/null", f.name], capture_output=True, text=True).stderr
    refused = {int(n) for n in re.findall(r"^[^:]*:(\d+): (?:Error|Warning)", errors, re.M)}
    return [line for n, line in enumerate(lines, 1) if n not in refused]


def main():
    if platform.machine() != "x86_64" or not shutil.which("objdump") or not shutil.which("as"):
        print("no objdump and as of x86-64 here")
        sys.exit(77)
    with tempfile.NamedTemporaryFile() as f:
        for code in instructions():
            f.write((code + b"\1\1\1\1").ljust(SLOT, b"\x90"))
        f.flush()
        texts, intel = disassembled(f.name, "att"), disassembled(f.name, "intel")
    want = {}
    for at, text in texts.items():
        size = re.search(r"(\w+) (?:PTR|BCST)", intel.get(at, ""))
        if size and "(%rax)" in text and "bad" not in text and not LEFT_OUT.match(text):
            want[re.sub(r"\s+", "\t", text, count=1)] = SIZES[size[1]]
    lines = assembled(sorted(want))
    got = subprocess.run(sys.argv[1:], input="\n".join(lines) + "\n", check=True, capture_output=True, text=True).stdout
    wrong = [(line, want[line], n) for line, n in zip(lines, map(int, got.split()))
             if n and n != want[line]]
    for line, size, n in wrong:
        print("%s: %d bytes, not %d" % (line, size, n))
    print("%d instructions" % len(lines))
    sys.exit(bool(wrong) or len(lines) < 2000)  # older assemblers accept fewer, but at least so many


main()
