# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the database of a recording in perf's terms: samples are dictionaries, and call paths are lists of frames,
# innermost first.
import os
import sqlite3

# Reads the table behind the view `samples`, because the view omits weights that were not measured, and samples that
# only count instructions.
SAMPLES = """
SELECT 'sample' AS kind, e.name AS event, e.role AS role, e.sample_type AS sample_type, t.pid AS pid, t.tid AS tid,
  s.thread_id AS thread_id, s.cpu AS cpu, s.time AS time, i.ip AS ip, s.address AS addr,
  k.addr_source AS addr_source, s.phys_address AS phys_addr, s.period AS period, s.weight AS weight,
  s.ins_lat AS ins_lat, k.data_src AS datasrc, k.page_bytes AS data_page_size, s.call_path_id AS call_path,
  d.long_name AS dso, y.name AS symbol, l.symbol_offset AS symoff, l.offset AS offset, k.waited AS waited,
  op.name AS op, lvl.name AS lvl, snp.name AS snp, lck.name AS lck, tlb.name AS tlb, blk.name AS blk,
  NULL AS fields
FROM sample_data AS s
LEFT JOIN access_kinds AS k ON k.id = s.kind_id
LEFT JOIN instructions AS i ON i.id = s.instruction_id
JOIN selected_events AS e ON e.id = k.evsel_id
LEFT JOIN threads AS t ON t.id = s.thread_id
LEFT JOIN dsos AS d ON d.id = i.dso_id
LEFT JOIN symbols AS y ON y.id = i.symbol_id
LEFT JOIN locations AS l ON l.id = i.location_id
LEFT JOIN memory_opcodes AS op ON op.id = k.memory_opcode
LEFT JOIN memory_levels AS lvl ON lvl.id = k.memory_level
LEFT JOIN memory_snoop AS snp ON snp.id = k.memory_snoop
LEFT JOIN memory_lock AS lck ON lck.id = k.memory_lock
LEFT JOIN memory_dtlb AS tlb ON tlb.id = k.memory_dtlb
LEFT JOIN memory_blocked AS blk ON blk.id = k.memory_blocked
ORDER BY s.id"""

FAULTS = """
SELECT 'fault' AS kind, e.name AS event, e.role AS role, e.sample_type AS sample_type, t.pid AS pid, t.tid AS tid,
  s.thread_id AS thread_id, s.cpu AS cpu, s.time AS time, s.ip AS ip, s.address AS addr, s.call_path_id AS call_path,
  d.long_name AS dso, y.name AS symbol, l.symbol_offset AS symoff, l.offset AS offset, NULL AS waited
FROM page_faults AS s
JOIN selected_events AS e ON e.id = s.evsel_id
LEFT JOIN threads AS t ON t.id = s.thread_id
LEFT JOIN dsos AS d ON d.id = s.dso_id
LEFT JOIN symbols AS y ON y.id = s.symbol_id
LEFT JOIN locations AS l ON l.id = s.location_id
ORDER BY s.id"""

TRACEPOINTS = """
SELECT 'tracepoint' AS kind, s.name AS event, e.role AS role, e.sample_type AS sample_type, t.pid AS pid, t.tid AS tid,
  s.thread_id AS thread_id, s.cpu AS cpu, s.time AS time, s.call_path_id AS call_path, s.fields AS fields
FROM tracepoints AS s
JOIN selected_events AS e ON e.id = s.evsel_id
LEFT JOIN threads AS t ON t.id = s.thread_id
ORDER BY s.id"""

PATHS = """
SELECT c.id AS id, c.parent_id AS parent, c.kind AS kind, d.long_name AS dso, y.name AS symbol,
  l.symbol_offset AS symoff, l.offset AS offset
FROM call_paths AS c
LEFT JOIN locations AS l ON l.id = c.location_id
LEFT JOIN dsos AS d ON d.id = l.dso_id
LEFT JOIN symbols AS y ON y.id = c.symbol_id"""


class Database:
    def __init__(self, path):
        self.db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        self.db.row_factory = sqlite3.Row
        self.db.text_factory = lambda b: b.decode("utf-8", "surrogateescape")
        self.rows = [dict(r) for q in (SAMPLES, FAULTS, TRACEPOINTS) for r in self.db.execute(q)]
        self.paths = {r["id"]: dict(r) for r in self.db.execute(PATHS)}
        self.comms = {}
        for r in self.all("SELECT thread_id, coalesce(time, 0) AS time, comm FROM comms ORDER BY id"):
            self.comms.setdefault(r["thread_id"], []).append((r["time"], r["comm"]))

        self.roles = {r["name"]: r["role"] for r in self.all("SELECT name, role FROM selected_events")}
        run = self.all("SELECT hostname, osrelease FROM runs")[0]
        self.foreign = (run["hostname"], run["osrelease"]) != (os.uname().nodename, os.uname().release)

        # The files of this machine that memdb did not use, because nothing proves that they are those of the
        # recording.
        self.left_out = {r["detail"].rsplit(": ", 1)[0] for r in
                         self.all("SELECT detail FROM losses WHERE what = 'unverified files left out'")}

        self.code, self.births, self.execs = {}, {}, {}
        for r in self.all("""
            SELECT p.pid, m.time, m.end_time, m.address_start AS start, m.address_end AS end, m.file_offset, d.long_name AS file
            FROM mappings AS m JOIN processes AS p ON p.id = m.process_id LEFT JOIN dsos AS d ON d.id = m.dso_id
            WHERE m.prot IS NULL OR m.prot & 4"""):
            self.code.setdefault(r["pid"], []).append(r)
        for r in self.all("""
            SELECT c.pid, c.start_ns, p.pid AS parent FROM processes AS c JOIN processes AS p ON p.id = c.parent_id"""):
            self.births.setdefault(r["pid"], []).append((r["start_ns"] or 0, r["parent"]))
        for r in self.all("""
            SELECT t.pid, c.time FROM comms AS c JOIN threads AS t ON t.id = c.thread_id WHERE c.exec"""):
            self.execs.setdefault(r["pid"], []).append(r["time"] or 0)

    def last_exec(self, pid, time):
        return max((t for t in self.execs.get(pid, []) if t <= time), default=None)

    # Returns whether the address was in a mapping of code of the process at this time. A child inherits mappings, but
    # the database has them only for the process that made them.
    def is_code(self, pid, ip, time):
        if any(r["start"] <= ip < r["end"] and (r["time"] or 0) <= time < (r["end_time"] or time + 1)
               for r in self.code.get(pid, [])):
            return True
        start, parent = max((b for b in self.births.get(pid, []) if b[0] <= time), default=(0, None))
        replaced = self.last_exec(pid, time)
        if parent is None or parent == pid or (replaced or 0) > start:
            return False
        return self.is_code(parent, ip, start - 1)

    # Returns the 7 bytes of code before the address and the address's offset in the file; None if they cannot be read.
    def code_before(self, pid, ip):
        rows = [r for r in self.code.get(pid, []) if r["start"] <= ip < r["end"]]
        parent = max(self.births.get(pid, []), default=(0, pid))[1]
        if not rows and parent != pid:
            return self.code_before(parent, ip)
        if os.uname().machine != "x86_64" or not rows:
            return None
        offset = ip - rows[-1]["start"] + rows[-1]["file_offset"]
        try:
            with open(rows[-1]["file"], "rb") as f:
                f.seek(offset - 7)
                return f.read(7), offset
        except OSError:
            return None

    # Returns whether the function that contains `frame` is called directly by the instruction before the address. If
    # the code cannot be read, returns False.
    def calls(self, pid, ip, frame):
        found = self.code_before(pid, ip)
        if not found or frame["symoff"] is None:
            return False
        code, offset = found
        target = offset + int.from_bytes(code[-4:], "little", signed=True)
        return code[-5] == 0xe8 and target == frame["offset"] - frame["symoff"]

    # Returns whether a call instruction stands right before the address, so that it can be a return address. If
    # the code cannot be read, returns whether the address is code.
    def follows_call(self, pid, ip, time):
        found = self.code_before(pid, ip)
        if not found:
            return self.is_code(pid, ip, time)
        code = found[0]
        return code[-5] == 0xe8 or any(code[-n] == 0xff and code[-n + 1] >> 3 & 7 == 2 for n in range(2, 8))

    # Returns whether the address was code of the process before its last exec, when it ran another
    # program.
    def was_code(self, pid, ip, time):
        replaced = self.last_exec(pid, time)
        return replaced is not None and self.is_code(pid, ip, replaced - 1)

    # Returns the count of this loss in the table losses; `what` is its name.
    def lost(self, what):
        return self.one("SELECT coalesce(sum(count), 0) FROM losses WHERE what = '%s'" % what)

    def all(self, query):
        return [dict(r) for r in self.db.execute(query)]

    def one(self, query):
        return self.db.execute(query).fetchone()[0]

    # Returns the recorded frames of a call path, innermost first, and whether its outermost frames are missing. Returns
    # None if the sample has no call path.
    def chain(self, path):
        if path is None:
            return None, False
        frames, inferred = [], False
        while self.paths[path]["parent"] is not None:
            inferred |= self.paths[path]["kind"] == "inferred"
            if not inferred:
                frames.append(self.paths[path])
            path = self.paths[path]["parent"]
        return frames, inferred or self.paths[path]["kind"] == "truncated"

    # Returns the name of a thread at this time, or None if no name was recorded.
    def comm(self, thread, time):
        name = None
        for since, comm in self.comms.get(thread, []):
            if since > time:
                break
            name = comm
        return name
